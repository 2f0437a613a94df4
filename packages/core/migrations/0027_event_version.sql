-- The version of the schema that an event's data were written with. NULL: written before versions were stored, so version 1.
ALTER TABLE event ADD COLUMN version int;
