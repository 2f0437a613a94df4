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
  locale text,
  CONSTRAINT checkout_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT checkout_store_id_cart_id_fkey FOREIGN KEY (store_id, cart_id) REFERENCES cart (store_id, id),
  CONSTRAINT checkout_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id) REFERENCES customer (store_id, id),
  CONSTRAINT checkout_status_check CHECK (status IN ('PENDING', 'PROCESSING', 'COMPLETED', 'EXPIRED', 'CANCELLED'))
);
CREATE INDEX checkout_store_id_cart_id_idx ON checkout (store_id, cart_id, status);
CREATE INDEX checkout_store_id_expires_at_idx ON checkout (store_id, expires_at) WHERE status = 'PENDING';
SELECT tenant_table('checkout');

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
  -- What a shopper chose of a line goes with it into the order.
  modifiers jsonb NOT NULL DEFAULT '[]',
  CONSTRAINT checkout_line_pkey PRIMARY KEY (store_id, checkout_id, id),
  CONSTRAINT checkout_line_store_id_checkout_id_fkey FOREIGN KEY (store_id, checkout_id) REFERENCES checkout (store_id, id) ON DELETE CASCADE,
  CONSTRAINT checkout_line_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product (store_id, id),
  CONSTRAINT checkout_line_quantity_check CHECK (quantity > 0)
);
CREATE INDEX checkout_line_customizations_idx ON checkout_line USING gin (media_ids(customizations)) WHERE customizations <> '{}';
SELECT tenant_table('checkout_line');
