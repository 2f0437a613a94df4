-- How many deliveries a subscription has, so that the total of its log costs one row however many there are. Counted by triggers, so that also what an
-- earlier release writes counts while it is still running.
CREATE TABLE webhook_delivery_count (
  store_id text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  total bigint NOT NULL,
  CONSTRAINT webhook_delivery_count_pkey PRIMARY KEY (store_id, subscription_id),
  CONSTRAINT webhook_delivery_count_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id)
) WITH (fillfactor = 50);

-- In the order of the key, so that two transactions that write of several subscriptions wait for each other and never in a ring.
CREATE FUNCTION webhook_deliveries_counted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_delivery_count AS c (store_id, subscription_id, total)
  SELECT store_id, subscription_id, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
  FROM changed GROUP BY store_id, subscription_id ORDER BY store_id, subscription_id
  ON CONFLICT (store_id, subscription_id) DO UPDATE SET total = c.total + EXCLUDED.total;
  RETURN NULL;
END
$$;
SELECT pin_function('webhook_deliveries_counted');
CREATE TRIGGER webhook_deliveries_added AFTER INSERT ON webhook_delivery REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_deliveries_counted();
CREATE TRIGGER webhook_deliveries_removed AFTER DELETE ON webhook_delivery REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_deliveries_counted();
INSERT INTO webhook_delivery_count (store_id, subscription_id, total)
SELECT store_id, subscription_id, count(*) FROM webhook_delivery GROUP BY store_id, subscription_id;
SELECT tenant_table('webhook_delivery_count');

-- A subscription that is removed stays, and nobody sees it, until the worker has deleted its deliveries.
ALTER TABLE webhook_subscription ADD COLUMN deleted_at timestamptz;
CREATE INDEX webhook_subscription_store_id_deleted_at_idx ON webhook_subscription (store_id, deleted_at) WHERE deleted_at IS NOT NULL;
