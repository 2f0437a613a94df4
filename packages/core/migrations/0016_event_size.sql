-- Bytes of `data` as JSON, so that events are read in batches that memory can hold without measuring each. Unknown of events from before, and of those
-- that a process of the release before writes: theirs is estimated.
ALTER TABLE event ADD COLUMN size int;
