-- Parcels: units of an order that were sent, or handed over, together. `actor` is who did it: { type, id, name }.
CREATE TABLE fulfilment (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  tracking_number text,
  tracking_url text,
  carrier text,
  delivered_at timestamptz,
  actor jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT fulfilment_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT fulfilment_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES orders (store_id, id)
);
CREATE INDEX fulfilment_store_id_order_id_idx ON fulfilment (store_id, order_id, created_at, id);
SELECT tenant_table('fulfilment');

CREATE TABLE fulfilment_item (
  store_id text COLLATE "C" NOT NULL,
  fulfilment_id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  item_id text COLLATE "C" NOT NULL,
  position int NOT NULL,
  quantity int NOT NULL,
  CONSTRAINT fulfilment_item_pkey PRIMARY KEY (store_id, fulfilment_id, item_id),
  CONSTRAINT fulfilment_item_store_id_fulfilment_id_fkey FOREIGN KEY (store_id, fulfilment_id) REFERENCES fulfilment (store_id, id),
  CONSTRAINT fulfilment_item_store_id_order_id_item_id_fkey FOREIGN KEY (store_id, order_id, item_id) REFERENCES order_item (store_id, order_id, id),
  CONSTRAINT fulfilment_item_quantity_check CHECK (quantity > 0)
);
SELECT tenant_table('fulfilment_item');
