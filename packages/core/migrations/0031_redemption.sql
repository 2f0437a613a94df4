-- Uses of rules and coupons: by an order, or held for a checkout while its payment is under way.
CREATE TABLE redemption (
  store_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  -- The checkout; of an order without one, the order.
  holder_id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C",
  customer_id text COLLATE "C",
  held_until timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT redemption_pkey PRIMARY KEY (store_id, kind, source_id, holder_id),
  CONSTRAINT redemption_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT redemption_held_until_check CHECK ((order_id IS NULL) = (held_until IS NOT NULL))
);
CREATE INDEX redemption_customer_idx ON redemption (store_id, kind, source_id, customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX redemption_held_idx ON redemption (store_id, kind, source_id, held_until) WHERE order_id IS NULL;
CREATE INDEX redemption_holder_idx ON redemption (store_id, holder_id) WHERE order_id IS NULL;
SELECT tenant_table('redemption');

-- How many orders have used a rule or a coupon. Its row is the lock of everything that counts its uses.
CREATE TABLE redemption_counter (
  store_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  uses int NOT NULL DEFAULT 0,
  CONSTRAINT redemption_counter_pkey PRIMARY KEY (store_id, kind, source_id),
  CONSTRAINT redemption_counter_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT redemption_counter_uses_check CHECK (uses >= 0)
);
SELECT tenant_table('redemption_counter');
