-- Version 2 of the catalog: run after catalog.sql, and on a file of version 1.
-- Which documents (by escaped id, also of those that are gone) looked otherwise before a
-- revision: their text, metadata, chunks or mentions. Projections take the change alone.
CREATE TABLE touched (
    document_id TEXT PRIMARY KEY,
    revision INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX touched_by_revision ON touched (revision);

-- The revision since when this is known.
ALTER TABLE state ADD COLUMN touched_from INTEGER NOT NULL DEFAULT 0;
UPDATE state SET touched_from = revision;

PRAGMA user_version = 2;
