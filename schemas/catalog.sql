-- The catalog: the one truth of a workspace. SQLite 3.37 or newer (STRICT tables).
-- Texts that hold lone surrogates are escaped by the adapter; JSON columns hold arrays whose
-- layout is that of graphrag/adapters/sqlite_rows.py.

CREATE TABLE state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    revision INTEGER NOT NULL
) STRICT;
INSERT INTO state VALUES (1, 0);

CREATE TABLE document (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    position BLOB NOT NULL,              -- sorts in reading order
    source TEXT NOT NULL,
    title TEXT NOT NULL,
    format TEXT NOT NULL,
    language TEXT,
    metadata TEXT NOT NULL,              -- JSON object
    root TEXT NOT NULL,                  -- the stamp of the file
    size INTEGER NOT NULL,
    modified_ns INTEGER NOT NULL,
    digest TEXT NOT NULL
) STRICT;
CREATE INDEX document_by_position ON document (position, id);

CREATE TABLE content (
    document INTEGER PRIMARY KEY REFERENCES document ON DELETE CASCADE,
    text TEXT NOT NULL,
    blocks TEXT NOT NULL,                -- JSON array
    links TEXT NOT NULL,                 -- JSON array
    annotation TEXT NOT NULL             -- JSON array
) STRICT;

-- Numbers are what projections know a chunk by: AUTOINCREMENT never gives one twice.
CREATE TABLE chunk (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL REFERENCES document ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    id TEXT NOT NULL,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    heading_path TEXT NOT NULL,          -- JSON array
    kind TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    page INTEGER,
    embedding_key TEXT NOT NULL,
    added_revision INTEGER NOT NULL,
    context TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX chunk_by_document ON chunk (document, ordinal);
CREATE INDEX chunk_by_id ON chunk (id);
CREATE INDEX chunk_by_revision ON chunk (added_revision);
CREATE INDEX chunk_by_embedding ON chunk (embedding_key);

CREATE TABLE removed_chunk (
    number INTEGER PRIMARY KEY,
    added_revision INTEGER NOT NULL,
    removed_revision INTEGER NOT NULL
) STRICT;
CREATE INDEX removed_by_revision ON removed_chunk (removed_revision);

CREATE TABLE model (
    number INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL UNIQUE,
    dimension INTEGER NOT NULL CHECK (dimension > 0)
) STRICT;

CREATE TABLE embedding (
    model INTEGER NOT NULL REFERENCES model ON DELETE CASCADE,
    key TEXT NOT NULL,
    vector BLOB NOT NULL,                -- little-endian float32
    UNIQUE (model, key)
) STRICT;

-- What is derived from the documents. ``graph_part`` tells what changed without reading it.
CREATE TABLE graph_part (
    name TEXT PRIMARY KEY,
    digest BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE concept (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    aliases TEXT NOT NULL,               -- JSON array
    weight REAL NOT NULL,
    definition TEXT,                     -- id of a chunk
    given INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE mention (
    document_id TEXT NOT NULL,
    concept_id TEXT NOT NULL REFERENCES concept DEFERRABLE INITIALLY DEFERRED,
    chunk_id TEXT NOT NULL,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    kind TEXT NOT NULL,
    PRIMARY KEY (document_id, concept_id, chunk_id, start, stop, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX mention_by_concept ON mention (concept_id);

CREATE TABLE prerequisite (
    concept_id TEXT NOT NULL REFERENCES concept DEFERRABLE INITIALLY DEFERRED,
    prerequisite_id TEXT NOT NULL REFERENCES concept DEFERRABLE INITIALLY DEFERRED,
    weight REAL NOT NULL,
    status TEXT NOT NULL,
    direct INTEGER NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (concept_id, prerequisite_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX prerequisite_by_other ON prerequisite (prerequisite_id);

CREATE TABLE evidence (
    concept_id TEXT NOT NULL,
    prerequisite_id TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    kind TEXT NOT NULL,
    score REAL NOT NULL,
    sentence TEXT NOT NULL,
    document_id TEXT NOT NULL,
    chunk_id TEXT NOT NULL,
    PRIMARY KEY (concept_id, prerequisite_id, ordinal),
    FOREIGN KEY (concept_id, prerequisite_id) REFERENCES prerequisite
        DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE INDEX evidence_by_document ON evidence (document_id);

CREATE TABLE relation (
    number INTEGER PRIMARY KEY,
    source_id TEXT NOT NULL REFERENCES concept DEFERRABLE INITIALLY DEFERRED,
    kind TEXT NOT NULL,
    target_id TEXT NOT NULL REFERENCES concept DEFERRABLE INITIALLY DEFERRED,
    weight REAL NOT NULL,
    sentence TEXT NOT NULL,
    document_id TEXT NOT NULL,
    chunk_id TEXT NOT NULL
) STRICT;
CREATE INDEX relation_by_source ON relation (source_id);
CREATE INDEX relation_by_target ON relation (target_id);
CREATE INDEX relation_by_document ON relation (document_id);

-- What people gave: it outlives every ingest.
CREATE TABLE given_concept (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    aliases TEXT NOT NULL                -- JSON array
) STRICT, WITHOUT ROWID;

CREATE TABLE decision (
    number INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    concept TEXT NOT NULL,
    other TEXT NOT NULL,
    note TEXT NOT NULL
) STRICT;

CREATE TABLE belief (
    learner TEXT NOT NULL,
    concept TEXT NOT NULL,
    probability REAL NOT NULL,
    updated REAL NOT NULL,
    because TEXT NOT NULL,               -- JSON array
    PRIMARY KEY (learner, concept)
) STRICT, WITHOUT ROWID;

CREATE TABLE value (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

PRAGMA user_version = 1;
