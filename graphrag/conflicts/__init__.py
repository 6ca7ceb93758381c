"""Documents that contradict each other: one key, question or thing with two values."""
