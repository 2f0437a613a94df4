-- A cart line remembers the price the shopper was shown (`unit_price`, minor units); the product's price is compared with it.
CREATE TABLE cart (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  sales_channel_id text COLLATE "C",
  session_token text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C",
  status text NOT NULL DEFAULT 'ACTIVE',
  currency text NOT NULL,
  notes text,
  region_id text COLLATE "C",
  analytics_client_id text,
  analytics_session_id text,
  coupon_code text,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- The cart that a MERGED one went into.
  merged_into text COLLATE "C",
  -- Until when a cart may hold units of stock, however often that is extended; null until it holds any.
  holds_until timestamptz,
  -- The language that a cart is read in; NULL is the store's own. A checkout and an order keep that of their cart: what an order names was copied in it, and its
  -- mails are written in it.
  locale text,
  CONSTRAINT cart_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT cart_store_id_session_token_key UNIQUE (store_id, session_token),
  CONSTRAINT cart_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id) REFERENCES customer (store_id, id),
  CONSTRAINT cart_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT cart_status_check CHECK (status IN ('ACTIVE', 'CONVERTED', 'MERGED', 'ABANDONED', 'EXPIRED'))
);
CREATE INDEX cart_store_id_customer_id_idx ON cart (store_id, customer_id, status) WHERE customer_id IS NOT NULL;
CREATE INDEX cart_store_id_expires_at_idx ON cart (store_id, expires_at) WHERE (status = ANY (ARRAY['ACTIVE', 'ABANDONED']));
SELECT tenant_table('cart');

-- `identity` = SHA-256 of product, variant and the canonical customizations, modifiers and metadata: equal lines add up.
CREATE TABLE cart_item (
  store_id text COLLATE "C" NOT NULL,
  cart_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  identity text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  variant_id text COLLATE "C",
  quantity int NOT NULL,
  unit_price bigint NOT NULL,
  notes text,
  metadata jsonb NOT NULL DEFAULT '{}',
  customizations jsonb NOT NULL DEFAULT '{}',
  modifiers jsonb NOT NULL DEFAULT '[]',
  created_at timestamptz NOT NULL,
  CONSTRAINT cart_item_pkey PRIMARY KEY (store_id, cart_id, id),
  CONSTRAINT cart_item_store_id_cart_id_identity_key UNIQUE (store_id, cart_id, identity),
  CONSTRAINT cart_item_store_id_cart_id_fkey FOREIGN KEY (store_id, cart_id) REFERENCES cart (store_id, id) ON DELETE CASCADE,
  CONSTRAINT cart_item_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product (store_id, id),
  CONSTRAINT cart_item_quantity_check CHECK (quantity > 0)
);
CREATE INDEX cart_item_customizations_idx ON cart_item USING gin (media_ids(customizations)) WHERE customizations <> '{}';
SELECT tenant_table('cart_item');
