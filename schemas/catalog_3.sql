-- Version 3 of the catalog: run after catalog_2.sql, and on a file of version 2.
-- The few documents that are not in force always, or end others: every search asks for them.
-- A query finds this index by the same words (graphrag/adapters/sqlite_lookups.py).
CREATE INDEX document_of_limited_validity ON document (position, id)
    WHERE instr(metadata, '"valid_from"') OR instr(metadata, '"valid_to"')
    OR instr(metadata, '"supersedes"');

PRAGMA user_version = 3;
