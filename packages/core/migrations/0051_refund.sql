-- What somebody asked to be refunded of an order. Its money is the rows of refund that carry its id, one for each payment that gives back.
CREATE TABLE refund_request (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  amount bigint NOT NULL,
  -- What of it is shipping, as the order states it, and the tax that was added to that.
  shipping bigint NOT NULL DEFAULT 0,
  shipping_tax bigint NOT NULL DEFAULT 0,
  reason text,
  -- A hash of the request's Idempotency-Key and body: one that is sent again after a crash is not a second refund.
  request_key text COLLATE "C",
  is_buyer_told boolean NOT NULL,
  created_at timestamptz NOT NULL,
  -- When its money was given back first: then its units went back into stock and the buyer was told.
  completed_at timestamptz,
  CONSTRAINT refund_request_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT refund_request_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES orders (store_id, id),
  CONSTRAINT refund_request_amount_check CHECK (amount > 0 AND shipping >= 0 AND shipping_tax >= 0)
);
CREATE INDEX refund_request_store_id_order_id_idx ON refund_request (store_id, order_id, created_at, id);
SELECT tenant_table('refund_request');

-- Who asked for a capture or a void of an order's charge: its operation at the provider has the same id.
CREATE TABLE charge_request (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  payment_id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  -- In minor units of the order's currency; 0 for a void.
  amount bigint NOT NULL,
  actor jsonb NOT NULL,
  -- As that of refund_request.
  request_key text COLLATE "C",
  created_at timestamptz NOT NULL,
  CONSTRAINT charge_request_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT charge_request_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES orders (store_id, id),
  CONSTRAINT charge_request_kind_check CHECK (kind IN ('capture', 'void') AND (amount > 0) = (kind = 'capture'))
);
CREATE INDEX charge_request_store_id_order_id_idx ON charge_request (store_id, order_id, created_at, id);
SELECT tenant_table('charge_request');

-- The units that it is for. `amount` is what they were paid with, all that was added to them included.
CREATE TABLE refund_item (
  store_id text COLLATE "C" NOT NULL,
  refund_id text COLLATE "C" NOT NULL,
  item_id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  quantity int NOT NULL,
  amount bigint NOT NULL,
  tax bigint NOT NULL,
  -- How many of the units go back into stock.
  restock int NOT NULL,
  CONSTRAINT refund_item_pkey PRIMARY KEY (store_id, refund_id, item_id),
  CONSTRAINT refund_item_store_id_refund_id_fkey FOREIGN KEY (store_id, refund_id)
    REFERENCES refund_request (store_id, id),
  CONSTRAINT refund_item_store_id_order_id_item_id_fkey FOREIGN KEY (store_id, order_id, item_id)
    REFERENCES order_item (store_id, order_id, id),
  CONSTRAINT refund_item_quantity_check CHECK (quantity > 0 AND restock BETWEEN 0 AND quantity),
  CONSTRAINT refund_item_amount_check CHECK (amount >= 0 AND tax >= 0)
);
CREATE INDEX refund_item_store_id_order_id_idx ON refund_item (store_id, order_id, item_id);
SELECT tenant_table('refund_item');
