-- The transactional outbox. `id` is the event's id on the wire (evt_ + 32 hex); `seq` orders the feed.
CREATE TABLE event (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  seq bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  type text NOT NULL,
  data jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  relayed_at timestamptz,
  -- The order of the feed: given by the relay, one store at a time, so that it is the order in which events became visible. `seq` is not:
  -- a transaction that began earlier may commit later, behind a reader's back.
  position bigint,
  -- Bytes of `data` as JSON, so that events are read in batches that memory can hold without measuring each. NULL is unknown, and
  -- estimated.
  size int,
  -- The version of the schema that an event's data were written with. NULL: written before versions were stored, so version 1.
  version int,
  CONSTRAINT event_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT event_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id)
);
CREATE INDEX event_store_id_position_idx ON event (store_id, "position");
CREATE INDEX event_store_id_seq_idx ON event (store_id, seq);
CREATE INDEX event_store_id_seq_pending_idx ON event (store_id, seq) WHERE relayed_at IS NULL;
SELECT tenant_table('event');
