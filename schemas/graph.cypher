// The graph that people see through Cypher: a projection of the catalog, built anew from it.
// Every statement here is executed when the graph is built; comments tell what the keys mean.

// What the graph was made from: the row "revision".
CREATE NODE TABLE Meta(key STRING PRIMARY KEY, value STRING);

// A document as read. Dates as written; metadata is a JSON object of all its keys.
CREATE NODE TABLE Document(id STRING PRIMARY KEY, title STRING, source STRING, format STRING, type STRING, date STRING, author STRING, authority STRING, metadata STRING);

// A passage: its place in the document (counted from 0), headings above joined by " > ".
CREATE NODE TABLE Chunk(id STRING PRIMARY KEY, document STRING, ordinal INT64, heading STRING, text STRING, page INT64, kind STRING, tokens INT64);

// Something to be understood; weight from 0 to 1 says how surely it is a concept,
// given that a person named it; definition is the id of the chunk that explains it best.
CREATE NODE TABLE Concept(id STRING PRIMARY KEY, name STRING, aliases STRING[], weight DOUBLE, given BOOLEAN, definition STRING);

CREATE REL TABLE PART_OF(FROM Chunk TO Document);

// The next passage of the same document.
CREATE REL TABLE NEXT(FROM Chunk TO Chunk);

// The strongest kind (definition, heading, title, emphasis, text) and how often.
CREATE REL TABLE MENTIONS(FROM Chunk TO Concept, kind STRING, count INT64);

CREATE REL TABLE DEFINES(FROM Chunk TO Concept);

// From a concept to the concept that it requires. In force are the statuses certain, likely
// and possible; evidence counts the signals; sentence is the best one that states it.
CREATE REL TABLE REQUIRES(FROM Concept TO Concept, weight DOUBLE, status STRING, evidence INT64, direct BOOLEAN, sentence STRING, document STRING, reason STRING);

// Any other relation: kind is uses, part_of, kind_of, contrasts, derived_from, used_for, ...
CREATE REL TABLE RELATED(FROM Concept TO Concept, kind STRING, weight DOUBLE, sentence STRING, document STRING, chunk STRING);
