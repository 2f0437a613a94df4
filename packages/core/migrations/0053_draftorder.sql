-- Orders that are still being negotiated. They hold no stock and have no number. `body` is the body of POST /v1/orders with a price for each item; `priced` is the
-- order that it would be. A draft is completed by an order that names it (orders.draft_id).
CREATE TABLE draft_order (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  sales_channel_id text COLLATE "C",
  customer_id text COLLATE "C",
  email text,
  currency text NOT NULL,
  -- Whether the currency was the store's when the draft began.
  in_store_currency boolean NOT NULL,
  body jsonb NOT NULL,
  priced jsonb NOT NULL,
  -- The invoice that was sent last: the hash of the token in its link. All are null again once the draft is changed.
  invoice_sent_at timestamptz,
  invoice_token_hash text COLLATE "C",
  invoice_expires_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT draft_order_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT draft_order_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT draft_order_invoice_check CHECK ((invoice_sent_at IS NULL) = (invoice_token_hash IS NULL)
    AND (invoice_sent_at IS NULL) = (invoice_expires_at IS NULL))
);
CREATE INDEX draft_order_store_id_created_at_idx ON draft_order (store_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX draft_order_store_id_customer_id_idx ON draft_order (store_id, customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX draft_order_store_id_email_idx ON draft_order (store_id, email) WHERE email IS NOT NULL;
CREATE UNIQUE INDEX draft_order_store_id_invoice_token_hash_key ON draft_order (store_id, invoice_token_hash) WHERE invoice_token_hash IS NOT NULL;
SELECT tenant_table('draft_order');

ALTER TABLE orders ADD COLUMN draft_id text COLLATE "C";
ALTER TABLE orders ADD CONSTRAINT orders_store_id_draft_id_fkey FOREIGN KEY (store_id, draft_id) REFERENCES draft_order (store_id, id);
-- A draft is completed once.
CREATE UNIQUE INDEX orders_store_id_draft_id_key ON orders (store_id, draft_id) WHERE draft_id IS NOT NULL;
