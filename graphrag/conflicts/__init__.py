"""Documents that contradict each other: the same key or question with another value."""
