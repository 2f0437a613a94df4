-- The books of the `test` provider, which stands for a company of its own, grow by what such a company knows of a charge: which reference it was paid by, what is
-- reserved and until when, where the shopper acts, why it was declined, each later change by its id and key, and disputes.
ALTER TABLE test_charge
  ADD COLUMN reference text,
  ADD COLUMN authorized bigint NOT NULL DEFAULT 0,
  ADD COLUMN is_released boolean NOT NULL DEFAULT false,
  ADD COLUMN expires_at timestamptz,
  ADD COLUMN action_url text,
  ADD COLUMN reason text,
  -- Captures, voids and refunds, the oldest first: `{ id, kind, key, amount, status, at, isForgotten }`, amounts as text, `at` in milliseconds.
  ADD COLUMN changes jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN disputes jsonb NOT NULL DEFAULT '[]',
  DROP CONSTRAINT test_charge_status_check,
  ADD CONSTRAINT test_charge_status_check CHECK (status IN ('awaiting_shopper', 'processing', 'pending', 'authorized', 'captured', 'declined', 'failed', 'voided'));
-- Rows of all stores: the policies hold for the owner of a table only while they are forced.
ALTER TABLE test_charge NO FORCE ROW LEVEL SECURITY;
UPDATE test_charge SET
  authorized = captured,
  changes = CASE WHEN refunded = 0 THEN '[]' ELSE jsonb_build_array(jsonb_build_object('id', id || '_refund', 'kind', 'refund', 'key', NULL, 'amount', refunded::text,
    'status', 'succeeded', 'at', 0, 'isForgotten', true)) END;
ALTER TABLE test_charge FORCE ROW LEVEL SECURITY;
ALTER TABLE test_charge DROP COLUMN done_keys;
CREATE UNIQUE INDEX test_charge_store_id_id_key ON test_charge (store_id, id);
-- A notice to all stores names a charge by its id alone.
CREATE INDEX test_charge_id_idx ON test_charge (id);
