-- Labels of the merchant's own for what an order's status says. An order names one by its id; a label that is gone shows nothing.
CREATE TABLE order_status_label (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  color text,
  canonical_status text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT order_status_label_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT order_status_label_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT order_status_label_store_id_name_key UNIQUE (store_id, name),
  CONSTRAINT order_status_label_canonical_status_check CHECK (canonical_status IN ('PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED', 'REFUNDED', 'PAID',
    'PARTIALLY_REFUNDED'))
);
SELECT tenant_table('order_status_label');
