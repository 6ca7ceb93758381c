"""Files to documents: one module per family of formats, all through one builder."""
