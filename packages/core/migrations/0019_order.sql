-- The number of a store's newest order, in a row of its own: every INSERT of the store looks at the store's row, which no sale changes from here on. The row
-- is made by the store's first order. Updates stay in their page (HOT): its only index is the primary key, and half of the page is left free for them.
CREATE TABLE order_counter (
  store_id text COLLATE "C" NOT NULL,
  last_number bigint NOT NULL,
  CONSTRAINT order_counter_pkey PRIMARY KEY (store_id),
  CONSTRAINT order_counter_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id)
) WITH (fillfactor = 50);
SELECT tenant_table('order_counter');

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
  locale text,
  CONSTRAINT orders_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT orders_store_id_checkout_id_key UNIQUE (store_id, checkout_id),
  CONSTRAINT orders_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT orders_store_id_order_number_key UNIQUE (store_id, order_number),
  CONSTRAINT orders_store_id_checkout_id_fkey FOREIGN KEY (store_id, checkout_id) REFERENCES checkout (store_id, id),
  CONSTRAINT orders_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id) REFERENCES customer (store_id, id),
  CONSTRAINT orders_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT orders_refunded_amount_check CHECK (refunded_amount >= 0 AND refunded_amount <= captured_amount)
);
CREATE INDEX orders_store_id_created_at_idx ON orders (store_id, created_at DESC, id DESC);
CREATE INDEX orders_store_id_customer_id_idx ON orders (store_id, customer_id, created_at DESC, id DESC) WHERE customer_id IS NOT NULL;
CREATE INDEX orders_store_id_status_idx ON orders (store_id, status, created_at DESC);
SELECT tenant_table('orders');

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
  modifiers jsonb NOT NULL DEFAULT '[]',
  -- What one unit of a sold kit was made of, as [{productId, variantId, quantity}]; NULL for everything that is not a kit.
  kit_components jsonb,
  -- What one unit costs without its modifiers; NULL where it was not recorded.
  base_price bigint,
  CONSTRAINT order_item_pkey PRIMARY KEY (store_id, order_id, id),
  CONSTRAINT order_item_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES orders (store_id, id),
  CONSTRAINT order_item_quantity_check CHECK (quantity > 0 AND fulfilled_quantity BETWEEN 0 AND quantity AND refunded_quantity BETWEEN 0 AND quantity)
);
-- Found by files, whose ids are unique over all stores. Most lines name none, and are in no index.
CREATE INDEX order_item_customizations_idx ON order_item USING gin (media_ids(customizations)) WHERE customizations <> '{}';
SELECT tenant_table('order_item');

-- Where the discounts, surcharges and stated amounts of an order come from, each with its source and its target. The audit compares them with the order's sums.
CREATE TABLE order_adjustment (
  store_id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  position int NOT NULL,
  item_id text COLLATE "C",
  target text NOT NULL,
  part text NOT NULL,
  kind text NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  amount bigint NOT NULL,
  reason text,
  CONSTRAINT order_adjustment_pkey PRIMARY KEY (store_id, order_id, position),
  CONSTRAINT order_adjustment_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES orders (store_id, id),
  CONSTRAINT order_adjustment_store_id_order_id_item_id_fkey FOREIGN KEY (store_id, order_id, item_id) REFERENCES order_item (store_id, order_id, id),
  CONSTRAINT order_adjustment_amount_check CHECK (amount > 0),
  CONSTRAINT order_adjustment_kind_check CHECK (kind <> '' AND source_id <> ''),
  CONSTRAINT order_adjustment_part_check CHECK (part IN ('rule_discount', 'discount', 'shipping', 'tax', 'surcharge')),
  CONSTRAINT order_adjustment_target_check CHECK (target IN ('line', 'shipping', 'order') AND (target = 'line') = (item_id IS NOT NULL))
);
SELECT tenant_table('order_adjustment');

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
  CONSTRAINT payment_amount_check CHECK (amount >= 0 AND captured BETWEEN 0 AND amount AND refunded BETWEEN 0 AND captured),
  CONSTRAINT payment_status_check CHECK (status IN ('pending', 'authorized', 'captured', 'voided', 'failed'))
);
CREATE INDEX payment_store_id_order_id_idx ON payment (store_id, order_id, created_at, id);
SELECT tenant_table('payment');

-- Money given back. `source` service: through this service; provider: in the provider's own dashboard.
CREATE TABLE refund (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  payment_id text COLLATE "C" NOT NULL,
  amount bigint NOT NULL,
  reason text,
  status text NOT NULL,
  type text NOT NULL,
  source text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT refund_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT refund_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES orders (store_id, id),
  CONSTRAINT refund_store_id_payment_id_fkey FOREIGN KEY (store_id, payment_id) REFERENCES payment (store_id, id),
  CONSTRAINT refund_amount_check CHECK (amount > 0),
  CONSTRAINT refund_source_check CHECK (source IN ('service', 'provider')),
  CONSTRAINT refund_type_check CHECK (type IN ('full', 'partial'))
);
CREATE INDEX refund_store_id_order_id_idx ON refund (store_id, order_id, created_at, id);
SELECT tenant_table('refund');
