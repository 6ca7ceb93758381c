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


def why_unread(error: OSError | UnicodeDecodeError) -> str:
    """What kept a file of UTF-8 from being read; its name stands in the message around it."""
    if isinstance(error, UnicodeDecodeError):
        return f"it is not UTF-8 (byte {error.start}); save it as UTF-8"
    return error.strerror or str(error)
