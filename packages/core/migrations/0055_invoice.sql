-- The number of a store's newest invoice. Orders of sales channels in test mode have a series of their own, so that a trial leaves no gap in the books.
CREATE TABLE invoice_counter (
  store_id text COLLATE "C" NOT NULL,
  series text COLLATE "C" NOT NULL,
  last_number bigint NOT NULL,
  CONSTRAINT invoice_counter_pkey PRIMARY KEY (store_id, series),
  CONSTRAINT invoice_counter_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT invoice_counter_series_check CHECK (series IN ('INV', 'TEST'))
) WITH (fillfactor = 50);
SELECT tenant_table('invoice_counter');

-- An invoice, issued once for an order. `parties` is who sold and who bought, as printed: neither changes afterwards. Lines and amounts are those of the
-- order, which never change.
CREATE TABLE invoice (
  store_id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  series text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  parties jsonb NOT NULL,
  issued_at timestamptz NOT NULL,
  CONSTRAINT invoice_pkey PRIMARY KEY (store_id, order_id),
  CONSTRAINT invoice_store_id_series_number_key UNIQUE (store_id, series, number),
  CONSTRAINT invoice_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES orders (store_id, id),
  CONSTRAINT invoice_series_check CHECK (series IN ('INV', 'TEST'))
);
SELECT tenant_table('invoice');
