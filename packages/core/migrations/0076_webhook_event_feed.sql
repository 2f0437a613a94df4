-- How far old events of a store were removed, so that positions of the feed never begin anew: who reads it remembers the last one.
-- And how young those were that are gone: the audit asks for the events of nothing that is older.
CREATE TABLE event_feed (
  store_id text COLLATE "C" NOT NULL,
  removed bigint NOT NULL,
  removed_before timestamptz NOT NULL,
  CONSTRAINT event_feed_pkey PRIMARY KEY (store_id),
  CONSTRAINT event_feed_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id)
) WITH (fillfactor = 50);
SELECT tenant_table('event_feed');

-- A page of the feed of one type is found without reading the others.
CREATE INDEX event_store_id_type_position_idx ON event (store_id, type, "position") WHERE "position" IS NOT NULL;
-- Old events are found by their position now.
DROP INDEX event_store_id_seq_idx;

-- Each event is written twice and removed once: its table is tidied up often, a little each time.
ALTER TABLE event SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
ALTER TABLE webhook_delivery SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
ALTER TABLE email_message SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
ALTER TABLE idempotency SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);

-- Events that an import brings keep their `seq`, which receivers compare: the next event of the installation gets a greater one. Numbers may be taken while this runs,
-- so it goes a thousand further, and one import at a time. False where no event has such a number: 2^52 leaves each reader room. Only an owner may set a sequence.
CREATE FUNCTION number_events_after(last bigint) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  numbers regclass := pg_get_serial_sequence('event', 'seq');
  given bigint;
BEGIN
  IF last > 4503599627370496 THEN RETURN false; END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('number_events_after', 0));
  EXECUTE format('SELECT last_value FROM %s', numbers) INTO given;
  IF last >= given THEN PERFORM setval(numbers, last + 1000); END IF;
  RETURN true;
END
$$;
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION number_events_after(bigint) SET search_path = %I, pg_temp', current_schema());
END
$$;
REVOKE ALL ON FUNCTION number_events_after(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION number_events_after(bigint) TO commerce_app;
