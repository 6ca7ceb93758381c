"""The error tree: what can go wrong, by whose mend it is put right."""


class GraphragError(Exception):
    """An expected failure; its message names the offending value and what to do."""


class SettingsError(GraphragError):
    """A setting is unknown, malformed or contradicts another."""


class ReadingError(GraphragError):
    """A file cannot be read as a document; the message is the reason shown to people."""


class StoreError(GraphragError):
    """A store is locked, damaged, or of another version."""


class DamagedError(StoreError):
    """A projection's files are damaged or of another version: it must be made anew."""


class ModelError(GraphragError):
    """A model is missing, unusable, or not the one that made the stored vectors."""


class GenerationError(GraphragError):
    """A language model did not give a usable reply."""


class UnusableReplyError(GenerationError):
    """A language model replied, but not with what was asked for: cut, empty, off its schema."""


class QueryError(GraphragError):
    """A question, filter, concept name or Cypher statement cannot be served."""
