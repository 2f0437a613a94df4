-- Functions of hosts that are called with events, by name. A process that has one says so every hour.
CREATE TABLE event_listener (
  name text COLLATE "C" NOT NULL,
  types text[] NOT NULL,
  created_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  CONSTRAINT event_listener_pkey PRIMARY KEY (name)
);

-- How far a listener is in a store's feed. `told` counts the batches of events that were relayed since, so that none is overlooked that comes while a process reads.
CREATE TABLE event_listener_cursor (
  store_id text COLLATE "C" NOT NULL,
  listener text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  told bigint NOT NULL DEFAULT 0,
  failures int NOT NULL DEFAULT 0,
  last_error text,
  lease text COLLATE "C",
  due_at timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT event_listener_cursor_pkey PRIMARY KEY (store_id, listener),
  CONSTRAINT event_listener_cursor_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  -- Who works under a lease is due again when it ends.
  CONSTRAINT event_listener_cursor_lease_check CHECK (lease IS NULL OR due_at IS NOT NULL),
  CONSTRAINT event_listener_cursor_last_error_check CHECK ((failures > 0) = (last_error IS NOT NULL))
);
CREATE INDEX event_listener_cursor_store_id_listener_due_idx ON event_listener_cursor (store_id, listener) WHERE due_at IS NOT NULL;
SELECT tenant_table('event_listener_cursor');
