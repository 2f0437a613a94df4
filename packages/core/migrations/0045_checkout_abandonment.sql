-- A checkout that was left with an e-mail address: when that was told, and when its shopper is to be reminded (null: no more).
ALTER TABLE checkout ADD COLUMN abandoned_at timestamptz;
ALTER TABLE checkout ADD COLUMN recovery_due_at timestamptz;
CREATE INDEX checkout_store_id_updated_at_idx ON checkout (store_id, updated_at)
  WHERE status IN ('PENDING', 'PROCESSING') AND email IS NOT NULL AND abandoned_at IS NULL;
CREATE INDEX checkout_store_id_recovery_due_at_idx ON checkout (store_id, recovery_due_at) WHERE recovery_due_at IS NOT NULL;
CREATE INDEX cart_store_id_updated_at_idx ON cart (store_id, updated_at) WHERE status = 'ACTIVE';
