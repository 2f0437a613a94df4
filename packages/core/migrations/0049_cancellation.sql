-- Which orders were cancelled, why and by whom, and whether their goods went back into stock.
CREATE TABLE cancellation (
  store_id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  reason text NOT NULL,
  restock boolean NOT NULL,
  actor jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT cancellation_pkey PRIMARY KEY (store_id, order_id),
  CONSTRAINT cancellation_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES orders (store_id, id),
  CONSTRAINT cancellation_reason_check CHECK (reason IN ('customer', 'inventory', 'fraud', 'declined', 'other'))
);
SELECT tenant_table('cancellation');

-- What merchants write about an order, for themselves or for its buyer.
CREATE TABLE order_note (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  text text NOT NULL,
  notified boolean NOT NULL,
  actor jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT order_note_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT order_note_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES orders (store_id, id)
);
CREATE INDEX order_note_store_id_order_id_idx ON order_note (store_id, order_id, created_at, id);
SELECT tenant_table('order_note');

-- Who has recorded a payment that came outside of a checkout; NULL for others.
ALTER TABLE payment ADD COLUMN actor jsonb;
