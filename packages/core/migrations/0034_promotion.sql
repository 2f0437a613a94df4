-- Automatic rules. `percent` and `amount` (minor units) are what PERCENTAGE_OFF and AMOUNT_OFF take off; the other types are worked out by `config`,
-- whose amounts are decimal strings in the store's currency. `priority`: the lowest number is applied first.
CREATE TABLE promotion (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  name text NOT NULL,
  type text NOT NULL,
  percent numeric,
  amount bigint,
  config jsonb NOT NULL DEFAULT '{}',
  minimum_order_amount bigint,
  applicable_products text[] COLLATE "C" NOT NULL DEFAULT '{}',
  applicable_categories text[] COLLATE "C" NOT NULL DEFAULT '{}',
  applicable_brands text[] COLLATE "C" NOT NULL DEFAULT '{}',
  starts_at timestamptz,
  ends_at timestamptz,
  usage_limit int,
  usage_limit_per_customer int,
  is_active boolean NOT NULL DEFAULT true,
  priority int NOT NULL DEFAULT 0,
  combines_with_other boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT promotion_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT promotion_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT promotion_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT promotion_type_check CHECK (type IN ('PERCENTAGE_OFF', 'AMOUNT_OFF', 'BUY_X_GET_Y', 'TIERED', 'FREE_SHIPPING')),
  CONSTRAINT promotion_percent_check CHECK ((type = 'PERCENTAGE_OFF') = (percent IS NOT NULL) AND percent BETWEEN 0 AND 100),
  CONSTRAINT promotion_amount_check CHECK ((type = 'AMOUNT_OFF') = (amount IS NOT NULL) AND amount >= 0),
  CONSTRAINT promotion_minimum_check CHECK (minimum_order_amount >= 0),
  CONSTRAINT promotion_limits_check CHECK (usage_limit > 0 AND usage_limit_per_customer > 0),
  CONSTRAINT promotion_window_check CHECK (starts_at < ends_at)
);
CREATE INDEX promotion_store_id_priority_idx ON promotion (store_id, priority, created_at, id);
SELECT tenant_table('promotion');
SELECT shared_table('promotion');
