-- A charge that its room took in before the provider had all of the money is asked for until its outcome is final, because the notice that tells of it may
-- be lost. Charges of before are open by the same predicate: they are asked for from now on. A process of the release before writes neither column.
ALTER TABLE provider_operation
  -- When the provider is asked next, and how often it was; NULL before the first time.
  ADD COLUMN ask_at timestamptz,
  ADD COLUMN asks int NOT NULL DEFAULT 0,
  -- Since when nothing more is to come of the charge.
  ADD COLUMN final_at timestamptz;
CREATE INDEX provider_operation_store_id_ask_at_idx ON provider_operation (store_id, (coalesce(ask_at, created_at)))
  WHERE kind = 'authorize' AND state = 'succeeded' AND captured < amount AND final_at IS NULL;
