-- Platform tables: accounts, stores, sales channels, credentials, counters. Their list stands in
-- src/database/PlatformTables.ts; every other table is a tenant table.

CREATE TABLE account (
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT account_pkey PRIMARY KEY (id)
);

-- `rules_version` rises in the transaction that changes a setting, a tax rate or a shipping zone of the store;
-- compiled evaluators are kept per version and compared with the value that each read brings along.
CREATE TABLE store (
  id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  currency text NOT NULL,
  country text NOT NULL,
  languages text[] NOT NULL DEFAULT '{en}',
  timezone text NOT NULL DEFAULT 'UTC',
  price_includes_tax boolean NOT NULL DEFAULT false,
  tax_rounding text NOT NULL DEFAULT 'line',
  tax_rounding_mode text NOT NULL DEFAULT 'half_up',
  stack_rounding text NOT NULL DEFAULT 'combined',
  reservation_strategy text NOT NULL DEFAULT 'ON_PAYMENT',
  reservation_minutes int NOT NULL DEFAULT 15,
  customer_verification text NOT NULL DEFAULT 'off',
  late_capture text NOT NULL DEFAULT 'create_order',
  cart_lifetime_minutes int NOT NULL DEFAULT 43200,
  checkout_lifetime_minutes int NOT NULL DEFAULT 1440,
  abandoned_after_minutes int NOT NULL DEFAULT 240,
  recovery_after_minutes int NOT NULL DEFAULT 60,
  suspended_at timestamptz,
  rules_version bigint NOT NULL DEFAULT 1,
  order_counter bigint NOT NULL DEFAULT 1000,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT store_pkey PRIMARY KEY (id),
  CONSTRAINT store_account_id_fkey FOREIGN KEY (account_id) REFERENCES account (id),
  CONSTRAINT store_tax_rounding_check CHECK (tax_rounding IN ('line', 'unit', 'order')),
  CONSTRAINT store_tax_rounding_mode_check CHECK (tax_rounding_mode IN ('half_up', 'half_even', 'half_down')),
  CONSTRAINT store_stack_rounding_check CHECK (stack_rounding IN ('combined', 'each')),
  CONSTRAINT store_reservation_strategy_check CHECK (reservation_strategy IN ('ON_PAYMENT', 'ON_CART')),
  CONSTRAINT store_reservation_minutes_check CHECK (reservation_minutes BETWEEN 1 AND 10080)
);
CREATE INDEX store_account_id_idx ON store (account_id);

CREATE TABLE sales_channel (
  id text COLLATE "C" NOT NULL,
  store_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  domain text,
  mode text NOT NULL DEFAULT 'test',
  storefront_read_enabled boolean NOT NULL DEFAULT true,
  cart_enabled boolean NOT NULL DEFAULT true,
  customer_auth_enabled boolean NOT NULL DEFAULT true,
  orders_write_enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT sales_channel_pkey PRIMARY KEY (id),
  CONSTRAINT sales_channel_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT sales_channel_mode_check CHECK (mode IN ('live', 'test'))
);
CREATE INDEX sales_channel_store_id_idx ON sales_channel (store_id, id);

-- The plain key is never kept: `key_hash` is its SHA-256 (the key itself carries 256 random bits).
CREATE TABLE api_key (
  id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  store_id text COLLATE "C",
  name text NOT NULL,
  key_hash text COLLATE "C" NOT NULL,
  key_prefix text NOT NULL,
  scopes text[] NOT NULL,
  tier text NOT NULL DEFAULT 'FREE',
  rate_limit int,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT api_key_pkey PRIMARY KEY (id),
  CONSTRAINT api_key_key_hash_key UNIQUE (key_hash),
  CONSTRAINT api_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES account (id),
  CONSTRAINT api_key_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT api_key_tier_check CHECK (tier IN ('FREE', 'PRO', 'GROWTH', 'ENTERPRISE'))
);
CREATE INDEX api_key_account_id_idx ON api_key (account_id, id);

CREATE TABLE dashboard_user (
  id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  email text NOT NULL,
  password_hash text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT dashboard_user_pkey PRIMARY KEY (id),
  CONSTRAINT dashboard_user_email_key UNIQUE (email),
  CONSTRAINT dashboard_user_account_id_fkey FOREIGN KEY (account_id) REFERENCES account (id)
);

-- Fixed windows of the rate limiter. UNLOGGED: counters need not survive a crash.
CREATE UNLOGGED TABLE rate_window (
  bucket text COLLATE "C" NOT NULL,
  window_start bigint NOT NULL,
  ends_at bigint NOT NULL,
  count int NOT NULL,
  CONSTRAINT rate_window_pkey PRIMARY KEY (bucket, window_start)
);
CREATE INDEX rate_window_ends_at_idx ON rate_window (ends_at);

-- Takes one from each window in order, or none: returns the counts after taking, or, where window i refuses, the counts so far
-- with -i as the last element. All in one statement, so exact whichever process asks. A limit below zero reads: it counts nothing
-- and refuses once the count has reached the limit's size.
CREATE FUNCTION rate_take(buckets text[], starts bigint[], ends bigint[], limits int[]) RETURNS int[]
LANGUAGE plpgsql AS $$
DECLARE
  counts int[] := '{}';
  current int;
  refused boolean;
BEGIN
  FOR i IN 1 .. array_length(buckets, 1) LOOP
    IF limits[i] < 0 THEN
      SELECT coalesce(max(count), 0) INTO current FROM rate_window WHERE bucket = buckets[i] AND window_start = starts[i];
      refused := current >= -limits[i];
    ELSE
      INSERT INTO rate_window AS w (bucket, window_start, ends_at, count) VALUES (buckets[i], starts[i], ends[i], 1)
      ON CONFLICT (bucket, window_start) DO UPDATE SET count = w.count + 1 WHERE w.count < limits[i]
      RETURNING count INTO current;
      refused := NOT FOUND;
    END IF;
    IF refused THEN
      FOR j IN 1 .. i - 1 LOOP
        UPDATE rate_window SET count = count - 1 WHERE bucket = buckets[j] AND window_start = starts[j] AND limits[j] > 0;
      END LOOP;
      RETURN counts || -i;
    END IF;
    counts := counts || current;
  END LOOP;
  RETURN counts;
END
$$;

-- One row per Idempotency-Key of a credential. `claimed_until` is the lease of the request that runs it.
CREATE TABLE idempotency (
  store_id text COLLATE "C" NOT NULL,
  credential text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  fingerprint text NOT NULL,
  owner text NOT NULL,
  claimed_until timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  status int,
  content_type text,
  body bytea,
  CONSTRAINT idempotency_pkey PRIMARY KEY (store_id, credential, key)
);
CREATE INDEX idempotency_expires_at_idx ON idempotency (expires_at);
