-- Version 4 of the catalog: run after catalog_3.sql, and on a file of version 3.
-- The values of the documents' metadata, each of a list by itself: conditions on metadata look
-- documents up here and in the three indices below, and read no other document's.
-- In a file of an earlier version the program that brings it up to date fills the table.
CREATE TABLE metadatum (
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    document INTEGER NOT NULL REFERENCES document ON DELETE CASCADE,
    PRIMARY KEY (key, value, document)
) STRICT, WITHOUT ROWID;
CREATE INDEX metadatum_by_document ON metadatum (document);
CREATE INDEX document_by_title ON document (title);
CREATE INDEX document_by_source ON document (source);
CREATE INDEX document_by_format ON document (format);

PRAGMA user_version = 4;
