-- Discounts that a shopper gets by entering a code. How often one is used is counted in redemption_counter.
CREATE TABLE coupon (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  code text NOT NULL,
  -- The code as it is compared: see CouponCode.ts.
  code_key text COLLATE "C" NOT NULL,
  title text,
  description text,
  type text COLLATE "C" NOT NULL,
  percentage text COLLATE "C",
  amount bigint,
  starts_at timestamptz,
  ends_at timestamptz,
  is_disabled boolean NOT NULL,
  usage_limit int,
  usage_limit_per_customer int,
  minimum_order_amount bigint,
  maximum_discount bigint,
  conditions jsonb NOT NULL,
  applicable_products text[] NOT NULL,
  excluded_products text[] NOT NULL,
  applicable_categories text[] NOT NULL,
  excluded_categories text[] NOT NULL,
  region_ids text[] NOT NULL,
  combines_with_other boolean NOT NULL,
  channels jsonb NOT NULL,
  -- Sales channels that it is published to.
  channel_ids text[] NOT NULL,
  source text COLLATE "C" NOT NULL,
  source_external_id text COLLATE "C",
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT coupon_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT coupon_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT coupon_store_id_code_key_key UNIQUE (store_id, code_key),
  CONSTRAINT coupon_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT coupon_value_check CHECK (
    CASE type WHEN 'PERCENTAGE' THEN percentage::numeric BETWEEN 0 AND 100 AND amount IS NULL
      WHEN 'FIXED_AMOUNT' THEN amount >= 0 AND percentage IS NULL ELSE false END),
  CONSTRAINT coupon_minimum_order_amount_check CHECK (minimum_order_amount >= 0),
  CONSTRAINT coupon_maximum_discount_check CHECK (maximum_discount >= 0),
  CONSTRAINT coupon_usage_limit_check CHECK (usage_limit > 0),
  CONSTRAINT coupon_usage_limit_per_customer_check CHECK (usage_limit_per_customer > 0),
  CONSTRAINT coupon_ends_at_check CHECK (starts_at < ends_at)
);
CREATE UNIQUE INDEX coupon_source_key ON coupon (store_id, source, source_external_id) WHERE source_external_id IS NOT NULL;
CREATE INDEX coupon_store_id_created_at_idx ON coupon (store_id, created_at, id);
CREATE INDEX coupon_amount_idx ON coupon (store_id)
  WHERE amount IS NOT NULL OR minimum_order_amount IS NOT NULL OR maximum_discount IS NOT NULL;
SELECT tenant_table('coupon');

-- A coupon of another system whose code a coupon of the store has already. Nothing changes until somebody decides.
CREATE TABLE coupon_conflict (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  source_platform text COLLATE "C" NOT NULL,
  source_external_id text COLLATE "C" NOT NULL,
  -- The body that was refused.
  source_data jsonb NOT NULL,
  existing_coupon_id text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  resolution text COLLATE "C",
  resolved_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT coupon_conflict_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT coupon_conflict_source_key UNIQUE (store_id, source_platform, source_external_id),
  CONSTRAINT coupon_conflict_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT coupon_conflict_status_check CHECK (status = ANY (ARRAY['PENDING', 'RESOLVED', 'IGNORED'])),
  CONSTRAINT coupon_conflict_resolved_at_check CHECK ((status = 'PENDING') = (resolved_at IS NULL))
);
CREATE INDEX coupon_conflict_pending_idx ON coupon_conflict (store_id, created_at, id) WHERE status = 'PENDING';
CREATE INDEX coupon_conflict_existing_coupon_id_idx ON coupon_conflict (store_id, existing_coupon_id);
SELECT tenant_table('coupon_conflict');
