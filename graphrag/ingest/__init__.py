"""The ingest use case: plan what changed, read and embed only that, derive the concept graph."""
