-- How customers of a store earn points, and what points are worth. Amounts are minor units of `currency`.
CREATE TABLE loyalty_program (
  store_id text COLLATE "C" NOT NULL,
  -- The currency of the store when it was stated: while it is enabled, that of the store.
  currency text NOT NULL,
  is_enabled boolean NOT NULL,
  points_per_unit bigint NOT NULL,
  currency_unit bigint NOT NULL,
  redeem_rate bigint NOT NULL,
  min_redeem bigint NOT NULL,
  expiry_days int,
  -- [{ name, threshold, multiplier }] by rising threshold; multipliers in ten-thousandths.
  tiers jsonb NOT NULL,
  referral_points bigint NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT loyalty_program_pkey PRIMARY KEY (store_id),
  CONSTRAINT loyalty_program_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT loyalty_program_units_check CHECK (points_per_unit > 0 AND currency_unit > 0 AND redeem_rate > 0)
);
SELECT tenant_table('loyalty_program');

-- The points of a customer. Its row is the lock of everything that changes them.
CREATE TABLE loyalty_account (
  store_id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  referral_code text COLLATE "C" NOT NULL,
  balance bigint NOT NULL DEFAULT 0,
  -- All points earned by orders and referrals, less those that refunds took back.
  lifetime bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  CONSTRAINT loyalty_account_pkey PRIMARY KEY (store_id, customer_id),
  CONSTRAINT loyalty_account_store_id_referral_code_key UNIQUE (store_id, referral_code),
  CONSTRAINT loyalty_account_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id)
    REFERENCES customer (store_id, id),
  CONSTRAINT loyalty_account_balance_check CHECK (balance >= 0 AND lifetime >= 0)
);
SELECT tenant_table('loyalty_account');

-- Every change of a balance. What is left of points that were added is in `remaining`: it is spent and expires from there.
CREATE TABLE loyalty_transaction (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  -- The order of the changes: an account is locked when one is written.
  seq bigint GENERATED ALWAYS AS IDENTITY,
  type text NOT NULL,
  cause text NOT NULL,
  points bigint NOT NULL,
  remaining bigint NOT NULL DEFAULT 0,
  order_id text COLLATE "C",
  reason text,
  expires_at timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT loyalty_transaction_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT loyalty_transaction_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id)
    REFERENCES loyalty_account (store_id, customer_id),
  CONSTRAINT loyalty_transaction_type_check CHECK (type IN ('EARN', 'REDEEM', 'ADJUST', 'EXPIRE', 'REVERSE')),
  CONSTRAINT loyalty_transaction_points_check CHECK (points <> 0 AND remaining BETWEEN 0 AND greatest(points, 0))
);
CREATE INDEX loyalty_transaction_customer_idx ON loyalty_transaction (store_id, customer_id, seq);
CREATE INDEX loyalty_transaction_left_idx ON loyalty_transaction (store_id, customer_id, expires_at, seq)
  WHERE remaining > 0;
CREATE INDEX loyalty_transaction_due_idx ON loyalty_transaction (store_id, expires_at)
  WHERE remaining > 0 AND expires_at IS NOT NULL;
CREATE UNIQUE INDEX loyalty_transaction_order_key ON loyalty_transaction (store_id, order_id, customer_id, cause)
  WHERE cause IN ('order', 'referral', 'redemption');
SELECT tenant_table('loyalty_transaction');

-- Points that are kept for a checkout while its payment is under way.
CREATE TABLE loyalty_hold (
  store_id text COLLATE "C" NOT NULL,
  holder_id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  points bigint NOT NULL,
  -- What they pay, in minor units.
  amount bigint NOT NULL,
  held_until timestamptz NOT NULL,
  CONSTRAINT loyalty_hold_pkey PRIMARY KEY (store_id, holder_id),
  CONSTRAINT loyalty_hold_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id)
    REFERENCES loyalty_account (store_id, customer_id),
  CONSTRAINT loyalty_hold_points_check CHECK (points > 0 AND amount > 0)
);
CREATE INDEX loyalty_hold_customer_idx ON loyalty_hold (store_id, customer_id);
SELECT tenant_table('loyalty_hold');

-- What an order earns and spends, once each, and how much of it refunds have undone.
CREATE TABLE loyalty_order (
  store_id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  -- What it will earn when it is paid.
  pending bigint NOT NULL DEFAULT 0,
  -- Null until it is paid.
  earned bigint,
  reversed bigint NOT NULL DEFAULT 0,
  spent bigint NOT NULL DEFAULT 0,
  -- What the spent points pay, in minor units.
  worth bigint NOT NULL DEFAULT 0,
  returned bigint NOT NULL DEFAULT 0,
  CONSTRAINT loyalty_order_pkey PRIMARY KEY (store_id, order_id),
  CONSTRAINT loyalty_order_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT loyalty_order_points_check CHECK (pending >= 0 AND (earned IS NULL OR pending = 0)
    AND reversed BETWEEN 0 AND coalesce(earned, 0) AND returned BETWEEN 0 AND spent)
);
CREATE INDEX loyalty_order_pending_idx ON loyalty_order (store_id, customer_id) WHERE pending > 0;
SELECT tenant_table('loyalty_order');

-- Who has recommended the store to whom. `order_id` is the new customer's first paid order.
CREATE TABLE loyalty_referral (
  store_id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  referrer_id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C",
  created_at timestamptz NOT NULL,
  CONSTRAINT loyalty_referral_pkey PRIMARY KEY (store_id, customer_id),
  CONSTRAINT loyalty_referral_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id)
    REFERENCES customer (store_id, id),
  CONSTRAINT loyalty_referral_store_id_referrer_id_fkey FOREIGN KEY (store_id, referrer_id)
    REFERENCES loyalty_account (store_id, customer_id),
  CONSTRAINT loyalty_referral_referrer_id_check CHECK (referrer_id <> customer_id)
);
SELECT tenant_table('loyalty_referral');
