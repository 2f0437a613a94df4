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
  CONSTRAINT cart_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT cart_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT cart_store_id_session_token_key UNIQUE (store_id, session_token),
  CONSTRAINT cart_status_check CHECK (status IN ('ACTIVE', 'CONVERTED', 'MERGED', 'ABANDONED', 'EXPIRED'))
);
CREATE INDEX cart_store_id_customer_id_idx ON cart (store_id, customer_id, status) WHERE customer_id IS NOT NULL;
CREATE INDEX cart_store_id_expires_at_idx ON cart (store_id, expires_at) WHERE status IN ('ACTIVE', 'ABANDONED');

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

-- A checkout copies the lines it was made of; their prices are the ones the shopper was shown.
CREATE TABLE checkout (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  cart_id text COLLATE "C" NOT NULL,
  sales_channel_id text COLLATE "C",
  customer_id text COLLATE "C",
  status text NOT NULL DEFAULT 'PENDING',
  attempt int NOT NULL DEFAULT 1,
  email text,
  customer jsonb NOT NULL DEFAULT '{}',
  delivery_type text NOT NULL DEFAULT 'shipping',
  pickup_location jsonb,
  shipping_address jsonb,
  billing_address jsonb,
  shipping_rate_id text COLLATE "C",
  region_id text COLLATE "C",
  currency text NOT NULL,
  coupon_code text,
  custom_field_values jsonb NOT NULL DEFAULT '{}',
  notes text,
  expires_at timestamptz NOT NULL,
  recovery_email_sent_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT checkout_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT checkout_store_id_cart_id_fkey FOREIGN KEY (store_id, cart_id) REFERENCES cart (store_id, id),
  CONSTRAINT checkout_status_check CHECK (status IN ('PENDING', 'PROCESSING', 'COMPLETED', 'EXPIRED', 'CANCELLED'))
);
CREATE INDEX checkout_store_id_cart_id_idx ON checkout (store_id, cart_id);
CREATE INDEX checkout_store_id_expires_at_idx ON checkout (store_id, expires_at) WHERE status = 'PENDING';

CREATE TABLE checkout_line (
  store_id text COLLATE "C" NOT NULL,
  checkout_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  cart_item_id text COLLATE "C",
  position int NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  variant_id text COLLATE "C",
  quantity int NOT NULL,
  unit_price bigint NOT NULL,
  notes text,
  metadata jsonb NOT NULL DEFAULT '{}',
  customizations jsonb NOT NULL DEFAULT '{}',
  CONSTRAINT checkout_line_pkey PRIMARY KEY (store_id, checkout_id, id),
  CONSTRAINT checkout_line_store_id_checkout_id_fkey FOREIGN KEY (store_id, checkout_id) REFERENCES checkout (store_id, id) ON DELETE CASCADE,
  CONSTRAINT checkout_line_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product (store_id, id),
  CONSTRAINT checkout_line_quantity_check CHECK (quantity > 0)
);

-- What was sold is copied: an order never changes because a product, a rate or a setting did. Amounts are minor units.
CREATE TABLE orders (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  order_number bigint NOT NULL,
  external_id text COLLATE "C",
  checkout_id text COLLATE "C",
  sales_channel_id text COLLATE "C",
  customer_id text COLLATE "C",
  platform text,
  source_name text,
  status text NOT NULL DEFAULT 'PENDING',
  financial_status text NOT NULL DEFAULT 'pending',
  fulfillment_status text NOT NULL DEFAULT 'unfulfilled',
  currency text NOT NULL,
  subtotal bigint NOT NULL,
  discount_amount bigint NOT NULL,
  rule_discount_amount bigint NOT NULL,
  shipping_amount bigint NOT NULL,
  surcharge_amount bigint NOT NULL,
  tax_amount bigint NOT NULL,
  total_amount bigint NOT NULL,
  captured_amount bigint NOT NULL DEFAULT 0,
  refunded_amount bigint NOT NULL DEFAULT 0,
  tax_breakdown jsonb NOT NULL,
  coupon_code text,
  email text,
  customer jsonb NOT NULL DEFAULT '{}',
  shipping_address jsonb,
  billing_address jsonb,
  shipping_selection jsonb,
  delivery_type text NOT NULL DEFAULT 'shipping',
  pickup_location jsonb,
  payment_method text,
  notes text,
  custom_field_values jsonb NOT NULL DEFAULT '{}',
  admin_field_values jsonb NOT NULL DEFAULT '{}',
  status_label_id text COLLATE "C",
  status_history jsonb NOT NULL DEFAULT '[]',
  sync_warning text,
  is_test_order boolean NOT NULL DEFAULT false,
  is_read boolean NOT NULL DEFAULT false,
  tracking_number text,
  tracking_url text,
  carrier text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT orders_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT orders_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT orders_store_id_order_number_key UNIQUE (store_id, order_number),
  CONSTRAINT orders_store_id_checkout_id_key UNIQUE (store_id, checkout_id),
  CONSTRAINT orders_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT orders_store_id_checkout_id_fkey FOREIGN KEY (store_id, checkout_id) REFERENCES checkout (store_id, id),
  CONSTRAINT orders_refunded_amount_check CHECK (refunded_amount >= 0 AND refunded_amount <= captured_amount)
);
CREATE INDEX orders_store_id_created_at_idx ON orders (store_id, created_at DESC, id DESC);
CREATE INDEX orders_store_id_status_idx ON orders (store_id, status, created_at DESC);

CREATE TABLE order_item (
  store_id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  position int NOT NULL,
  product_id text COLLATE "C",
  variant_id text COLLATE "C",
  sku text,
  name text NOT NULL,
  image text,
  quantity int NOT NULL,
  fulfilled_quantity int NOT NULL DEFAULT 0,
  refunded_quantity int NOT NULL DEFAULT 0,
  unit_price bigint NOT NULL,
  subtotal bigint NOT NULL,
  discount bigint NOT NULL,
  tax bigint NOT NULL,
  total bigint NOT NULL,
  tax_lines jsonb NOT NULL DEFAULT '[]',
  metadata jsonb NOT NULL DEFAULT '{}',
  customizations jsonb NOT NULL DEFAULT '{}',
  CONSTRAINT order_item_pkey PRIMARY KEY (store_id, order_id, id),
  CONSTRAINT order_item_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES orders (store_id, id),
  CONSTRAINT order_item_quantity_check CHECK (quantity > 0 AND fulfilled_quantity BETWEEN 0 AND quantity AND refunded_quantity BETWEEN 0 AND quantity)
);

-- Money of an order that moved or is awaited: one row per tender.
CREATE TABLE payment (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  provider text NOT NULL,
  method text NOT NULL,
  reference text,
  status text NOT NULL,
  amount bigint NOT NULL,
  captured bigint NOT NULL DEFAULT 0,
  refunded bigint NOT NULL DEFAULT 0,
  currency text NOT NULL,
  paid_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT payment_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT payment_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES orders (store_id, id),
  CONSTRAINT payment_status_check CHECK (status IN ('pending', 'authorized', 'captured', 'voided', 'failed')),
  CONSTRAINT payment_amount_check CHECK (amount >= 0 AND captured BETWEEN 0 AND amount AND refunded BETWEEN 0 AND captured)
);
CREATE INDEX payment_store_id_order_id_idx ON payment (store_id, order_id, created_at, id);

-- The transactional outbox. `id` is the event's id on the wire (evt_ + 32 hex); `seq` orders the feed.
CREATE TABLE event (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  type text NOT NULL,
  data jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  relayed_at timestamptz,
  CONSTRAINT event_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT event_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id)
);
CREATE INDEX event_store_id_seq_idx ON event (store_id, seq);
CREATE INDEX event_store_id_seq_pending_idx ON event (store_id, seq) WHERE relayed_at IS NULL;
