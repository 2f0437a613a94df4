-- Money that no order wants may come, and go back, in several parts. `refunding` is the sum that the refund under way goes up to: it is written before the
-- provider is asked, so that asking again asks for the same.
ALTER TABLE payment_attempt ADD COLUMN refunded bigint NOT NULL DEFAULT 0;
ALTER TABLE payment_attempt ADD COLUMN refunding bigint NOT NULL DEFAULT 0;
ALTER TABLE payment_attempt ADD CONSTRAINT payment_attempt_refunded_check CHECK (refunded BETWEEN 0 AND captured AND refunding BETWEEN 0 AND captured);

-- A notice that could not be acted on is tried again at `check_at`, less and less often, and stands in nobody's way meanwhile; without one it is due at once.
ALTER TABLE provider_event ADD COLUMN check_at timestamptz;
ALTER TABLE provider_event ADD COLUMN checks int NOT NULL DEFAULT 0;
CREATE INDEX provider_event_store_id_check_at_idx ON provider_event (store_id, (coalesce(check_at, received_at))) WHERE applied_at IS NULL;
DROP INDEX provider_event_store_id_received_at_idx;
