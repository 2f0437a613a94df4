-- What a provider captured above a payment's amount, and why it failed or voided it.
ALTER TABLE payment ADD COLUMN surplus bigint NOT NULL DEFAULT 0;
ALTER TABLE payment ADD COLUMN failure text;
ALTER TABLE payment ADD CONSTRAINT payment_surplus_check CHECK (surplus >= 0);

-- When an order was first paid in full: order.paid is announced once, also where captured money is withdrawn and comes again.
-- For orders that are paid already it is the time they were placed. Rows of all stores are changed: the policies hold for the owner of a table only while they are forced.
ALTER TABLE orders ADD COLUMN paid_at timestamptz;
ALTER TABLE orders NO FORCE ROW LEVEL SECURITY;
UPDATE orders SET paid_at = created_at WHERE captured_amount >= total_amount;
ALTER TABLE orders FORCE ROW LEVEL SECURITY;

-- A refund is known by its id at the provider ('*': the sum of those beyond the bound) and, where this service asked for it, by its key. succeeded_at stays where
-- it has failed since.
ALTER TABLE refund ADD COLUMN external_id text COLLATE "C";
ALTER TABLE refund ADD COLUMN key text COLLATE "C";
ALTER TABLE refund ADD COLUMN succeeded_at timestamptz;
ALTER TABLE refund NO FORCE ROW LEVEL SECURITY;
UPDATE refund SET succeeded_at = created_at WHERE status = 'succeeded';
ALTER TABLE refund FORCE ROW LEVEL SECURITY;
ALTER TABLE refund ADD CONSTRAINT refund_status_check CHECK (status IN ('pending', 'succeeded', 'failed'));
CREATE UNIQUE INDEX refund_store_id_payment_id_external_id_key ON refund (store_id, payment_id, external_id);
CREATE UNIQUE INDEX refund_store_id_payment_id_key_key ON refund (store_id, payment_id, key);

-- Money of a payment that the shopper's bank has claimed back, as the provider reports it.
CREATE TABLE dispute (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  payment_id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C" NOT NULL,
  amount bigint NOT NULL,
  status text NOT NULL,
  reason text,
  due_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT dispute_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT dispute_store_id_payment_id_external_id_key UNIQUE (store_id, payment_id, external_id),
  CONSTRAINT dispute_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES orders (store_id, id),
  CONSTRAINT dispute_store_id_payment_id_fkey FOREIGN KEY (store_id, payment_id) REFERENCES payment (store_id, id),
  CONSTRAINT dispute_amount_check CHECK (amount >= 0),
  CONSTRAINT dispute_status_check CHECK (status IN ('open', 'won', 'lost'))
);
CREATE INDEX dispute_store_id_order_id_idx ON dispute (store_id, order_id, created_at, id);
SELECT tenant_table('dispute');
