-- The number of a store's newest order, in a row of its own: every INSERT of the store looks at the store's row, which no sale changes from here on. The row
-- is made by the store's first order. Updates stay in their page (HOT): its only index is the primary key, and half of the page is left free for them.
CREATE TABLE order_counter (
  store_id text COLLATE "C" NOT NULL,
  last_number bigint NOT NULL,
  CONSTRAINT order_counter_pkey PRIMARY KEY (store_id),
  CONSTRAINT order_counter_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id)
) WITH (fillfactor = 50);

-- A process of the release before still counts in the store's row: this gives it the same numbers. A later release drops the column with it. Made before the
-- values are moved, because it waits for whoever is counting there now.
CREATE FUNCTION store_order_counter() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO order_counter AS c (store_id, last_number) VALUES (NEW.id, 1001)
  ON CONFLICT (store_id) DO UPDATE SET last_number = c.last_number + 1 RETURNING c.last_number INTO NEW.order_counter;
  RETURN NEW;
END
$$;
CREATE TRIGGER store_order_counter BEFORE UPDATE OF order_counter ON store FOR EACH ROW EXECUTE FUNCTION store_order_counter();

INSERT INTO order_counter (store_id, last_number) SELECT id, order_counter FROM store WHERE order_counter > 1000;

SELECT tenant_table('order_counter');
