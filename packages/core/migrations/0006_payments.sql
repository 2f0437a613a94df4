-- One row per attempt to pay for a checkout through a provider: written before the call, settled after it, so that whatever the process was doing
-- when it died can be found out. `draft` is the order as it was priced when the money was asked for: what is charged is what is ordered.
CREATE TABLE payment_attempt (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  checkout_id text COLLATE "C" NOT NULL,
  attempt int NOT NULL,
  charge_key text COLLATE "C" NOT NULL,
  provider text NOT NULL,
  status text NOT NULL,
  external_id text COLLATE "C",
  amount bigint NOT NULL,
  captured bigint NOT NULL DEFAULT 0,
  currency text NOT NULL,
  error text,
  draft jsonb NOT NULL,
  check_at timestamptz,
  checks int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT payment_attempt_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT payment_attempt_store_id_checkout_id_fkey FOREIGN KEY (store_id, checkout_id) REFERENCES checkout (store_id, id),
  CONSTRAINT payment_attempt_store_id_charge_key_key UNIQUE (store_id, charge_key),
  CONSTRAINT payment_attempt_status_check CHECK (status IN ('calling', 'ordered', 'declined', 'failed', 'absent', 'refund_due', 'refunded')),
  CONSTRAINT payment_attempt_amount_check CHECK (amount > 0 AND captured >= 0 AND (captured <= amount OR status IN ('refund_due', 'refunded')))
);
CREATE INDEX payment_attempt_store_id_checkout_id_idx ON payment_attempt (store_id, checkout_id, attempt);
-- What the recovery worker looks for: attempts whose outcome is open.
CREATE INDEX payment_attempt_store_id_check_at_idx ON payment_attempt (store_id, check_at) WHERE check_at IS NOT NULL;

-- The inbox of what providers tell: kept before it is acted on, acted on once.
CREATE TABLE provider_event (
  store_id text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  notice jsonb NOT NULL,
  received_at timestamptz NOT NULL,
  applied_at timestamptz,
  CONSTRAINT provider_event_pkey PRIMARY KEY (store_id, provider, event_id),
  CONSTRAINT provider_event_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id)
);
CREATE INDEX provider_event_store_id_received_at_idx ON provider_event (store_id, received_at) WHERE applied_at IS NULL;

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
  CONSTRAINT refund_type_check CHECK (type IN ('full', 'partial')),
  CONSTRAINT refund_source_check CHECK (source IN ('service', 'provider'))
);
CREATE INDEX refund_store_id_order_id_idx ON refund (store_id, order_id, created_at, id);

-- The books of the `test` provider, which stands for a company of its own: nothing else reads or writes them.
CREATE TABLE test_charge (
  store_id text COLLATE "C" NOT NULL,
  charge_key text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  checkout_id text COLLATE "C" NOT NULL,
  status text NOT NULL,
  amount bigint NOT NULL,
  captured bigint NOT NULL DEFAULT 0,
  refunded bigint NOT NULL DEFAULT 0,
  currency text NOT NULL,
  done_keys text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  CONSTRAINT test_charge_pkey PRIMARY KEY (store_id, charge_key),
  CONSTRAINT test_charge_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT test_charge_status_check CHECK (status IN ('processing', 'pending', 'captured', 'declined', 'failed', 'voided')),
  CONSTRAINT test_charge_amount_check CHECK (captured BETWEEN 0 AND amount AND refunded BETWEEN 0 AND captured)
);
CREATE INDEX test_charge_store_id_checkout_id_idx ON test_charge (store_id, checkout_id, created_at);

SELECT tenant_table(t::regclass) FROM unnest(ARRAY['payment_attempt', 'provider_event', 'refund', 'test_charge']) AS t;
