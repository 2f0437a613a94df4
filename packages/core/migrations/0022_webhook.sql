-- Webhooks: who wants to hear of which events, and one delivery per event and subscription.
CREATE TABLE webhook_subscription (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  description text,
  is_active boolean NOT NULL,
  -- The signing secret, sealed; the prefix is what people recognise it by.
  secret text NOT NULL,
  secret_prefix text NOT NULL,
  -- The circuit: closed while opened_at is null, half-open while a probe is under way.
  failure_count int NOT NULL DEFAULT 0,
  circuit_opened_at timestamptz,
  probing_since timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT webhook_subscription_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT webhook_subscription_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT webhook_subscription_failure_count_check CHECK (failure_count >= 0),
  CONSTRAINT webhook_subscription_probing_since_check CHECK (probing_since IS NULL OR circuit_opened_at IS NOT NULL)
);
CREATE INDEX webhook_subscription_store_id_created_at_idx ON webhook_subscription (store_id, created_at, id);
SELECT tenant_table('webhook_subscription');

-- `due_at` is null at rest. A claimed row is due again when its lease ends, so what a killed worker held comes back by itself;
-- `lease` names the claim, and only the claim's own result is recorded. `repeat` counts replays of the same event.
-- No foreign keys: whoever inserts holds subscription and event, whoever deletes one of those deletes its deliveries first. Checking
-- each row again would be a quarter of what a delivery costs.
CREATE TABLE webhook_delivery (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  repeat int NOT NULL DEFAULT 0,
  status text NOT NULL,
  is_probe boolean NOT NULL DEFAULT false,
  attempt_count int NOT NULL DEFAULT 0,
  attempts jsonb NOT NULL DEFAULT '[]',
  due_at timestamptz,
  lease text,
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  CONSTRAINT webhook_delivery_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT webhook_delivery_store_id_event_id_subscription_id_repeat_key UNIQUE (store_id, event_id, subscription_id, repeat),
  CONSTRAINT webhook_delivery_due_at_check CHECK ((due_at IS NULL) = (status <> 'pending')),
  CONSTRAINT webhook_delivery_status_check CHECK (status IN ('pending', 'delivered', 'abandoned', 'blocked', 'cancelled'))
);
-- A delivery is in the queue's index or in the log's, never in both: neither is read for the other's questions.
CREATE INDEX webhook_delivery_due_idx ON webhook_delivery (store_id, subscription_id, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_delivery_finished_idx ON webhook_delivery (store_id, subscription_id, created_at, id) WHERE due_at IS NULL;
SELECT tenant_table('webhook_delivery');
