-- One row per attempt to pay for a checkout through a provider: written before the call, settled after it, so that whatever the process was doing
-- when it died can be found out. `draft` is the order as it was priced when the money was asked for: what is charged is what is ordered.
CREATE TABLE provider_operation (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  charge_key text COLLATE "C",
  provider text NOT NULL,
  external_id text COLLATE "C",
  amount bigint NOT NULL,
  captured bigint NOT NULL DEFAULT 0,
  currency text NOT NULL,
  error text,
  details jsonb,
  check_at timestamptz,
  checks int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- Money that no order wants may come, and go back, in several parts. `refunding` is the sum that the refund under way goes up to: it is written before the
  -- provider is asked, so that asking again asks for the same.
  refunded bigint NOT NULL DEFAULT 0,
  refunding bigint NOT NULL DEFAULT 0,
  kind text NOT NULL,
  subject_type text NOT NULL,
  subject_id text COLLATE "C" NOT NULL,
  -- The operation that made the charge; NULL where this one does.
  charge_id text COLLATE "C",
  state text NOT NULL,
  -- When the provider is asked next, and how often it was; NULL before the first time.
  ask_at timestamptz,
  -- A charge that its room took in before the provider had all of the money is asked for until its outcome is final, because the notice that tells of it may
  -- be lost.
  asks int NOT NULL DEFAULT 0,
  -- Since when nothing more is to come of the charge.
  final_at timestamptz,
  CONSTRAINT provider_operation_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT provider_operation_store_id_charge_key_key UNIQUE (store_id, charge_key),
  CONSTRAINT provider_operation_store_id_charge_id_fkey FOREIGN KEY (store_id, charge_id) REFERENCES provider_operation (store_id, id),
  -- `captured` and `refunded` are the charge's sums as the operation left them. A charge captures no more than was asked for, unless nobody wants its money.
  CONSTRAINT provider_operation_amount_check CHECK (amount >= 0 AND (amount > 0 OR kind = 'void') AND captured >= 0 AND refunded >= 0 AND refunding >= 0 AND (kind <> 'authorize' OR (refunded <= captured AND refunding <= captured AND (captured <= amount OR state IN ('refund_due', 'refunded'))))),
  -- One that makes a charge has its key; one on a charge names it.
  CONSTRAINT provider_operation_charge_check CHECK ((kind = 'authorize') = (charge_key IS NOT NULL) AND (kind = 'authorize') = (charge_id IS NULL)),
  CONSTRAINT provider_operation_kind_check CHECK (kind IN ('authorize', 'capture', 'void', 'refund')),
  CONSTRAINT provider_operation_state_check CHECK (state IN ('calling', 'succeeded', 'declined', 'failed', 'absent', 'refund_due', 'refunded') AND (kind = 'authorize' OR state IN ('calling', 'succeeded', 'failed')))
);
CREATE INDEX provider_operation_store_id_ask_at_idx ON provider_operation (store_id, (coalesce(ask_at, created_at))) WHERE kind = 'authorize' AND state = 'succeeded' AND captured < amount AND final_at IS NULL;
CREATE INDEX provider_operation_store_id_charge_id_idx ON provider_operation (store_id, charge_id) WHERE charge_id IS NOT NULL;
CREATE INDEX provider_operation_store_id_check_at_idx ON provider_operation (store_id, check_at) WHERE (check_at IS NOT NULL);
CREATE INDEX provider_operation_store_id_subject_id_idx ON provider_operation (store_id, subject_id);
SELECT tenant_table('provider_operation');

-- The inbox of what providers tell: kept before it is acted on, acted on once.
CREATE TABLE provider_event (
  store_id text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  notice jsonb NOT NULL,
  received_at timestamptz NOT NULL,
  applied_at timestamptz,
  -- A notice that could not be acted on is tried again at `check_at`, less and less often, and stands in nobody's way meanwhile; without one it is due at once.
  check_at timestamptz,
  checks int NOT NULL DEFAULT 0,
  -- A notice that this release cannot read is set aside, with the reason, and nobody is kept waiting by it.
  set_aside text,
  CONSTRAINT provider_event_pkey PRIMARY KEY (store_id, provider, event_id),
  CONSTRAINT provider_event_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id)
);
CREATE INDEX provider_event_store_id_check_at_idx ON provider_event (store_id, (coalesce(check_at, received_at))) WHERE applied_at IS NULL;
SELECT tenant_table('provider_event');

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
  CONSTRAINT test_charge_amount_check CHECK (captured BETWEEN 0 AND amount AND refunded BETWEEN 0 AND captured),
  CONSTRAINT test_charge_status_check CHECK (status IN ('processing', 'pending', 'captured', 'declined', 'failed', 'voided'))
);
CREATE INDEX test_charge_store_id_checkout_id_idx ON test_charge (store_id, checkout_id, created_at);
SELECT tenant_table('test_charge');
