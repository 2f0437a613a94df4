-- How many orders a store has in each status, so that the total of a list costs one row however many orders there are. An order counts in the statement that takes its
-- number. A change of status counts when its transaction commits: the counter is locked last, after everything else that a transaction locks.
ALTER TABLE order_counter ADD COLUMN by_status jsonb NOT NULL DEFAULT '{}';
ALTER TABLE order_counter NO FORCE ROW LEVEL SECURITY;
UPDATE order_counter c SET by_status = coalesce((SELECT jsonb_object_agg(o.status, o.orders)
  FROM (SELECT status, count(*) AS orders FROM orders WHERE store_id = c.store_id GROUP BY status) o), '{}');
ALTER TABLE order_counter FORCE ROW LEVEL SECURITY;

CREATE FUNCTION order_counts(counts jsonb, status text, more int) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT counts || jsonb_build_object(status, coalesce((counts->>status)::bigint, 0) + more)
$$;

CREATE FUNCTION order_status_counted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE order_counter SET by_status = order_counts(order_counts(by_status, OLD.status, -1), NEW.status, 1) WHERE store_id = NEW.store_id;
  RETURN NULL;
END
$$;
SELECT pin_function('order_status_counted');
CREATE CONSTRAINT TRIGGER order_status_counted AFTER UPDATE OF status ON orders DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION order_status_counted();

-- A list is read from its beginning in any order, also of one status. Orders of the same status are in the order of their time.
DROP INDEX orders_store_id_status_idx;
CREATE INDEX orders_store_id_status_idx ON orders (store_id, status, created_at DESC, id DESC);
CREATE INDEX orders_store_id_updated_at_idx ON orders (store_id, updated_at, id);
CREATE INDEX orders_store_id_total_amount_idx ON orders (store_id, total_amount, id);
