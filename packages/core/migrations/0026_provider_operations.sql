-- Every operation that a payment provider is asked for, authorize, capture, void and refund, is a row of one table, which the payment room alone writes.
-- The table of attempts to pay becomes it: its rows, keys and leases stay where they are. `details` (it was `draft`) is what the subject's room keeps with an
-- operation, for whoever settles it later.
ALTER TABLE payment_attempt RENAME TO provider_operation;
ALTER TABLE provider_operation RENAME CONSTRAINT payment_attempt_pkey TO provider_operation_pkey;
ALTER TABLE provider_operation RENAME CONSTRAINT payment_attempt_store_id_checkout_id_fkey TO provider_operation_store_id_checkout_id_fkey;
ALTER TABLE provider_operation RENAME CONSTRAINT payment_attempt_store_id_charge_key_key TO provider_operation_store_id_charge_key_key;
ALTER TABLE provider_operation RENAME CONSTRAINT payment_attempt_status_check TO provider_operation_status_check;
ALTER INDEX payment_attempt_store_id_checkout_id_idx RENAME TO provider_operation_store_id_checkout_id_idx;
ALTER INDEX payment_attempt_store_id_check_at_idx RENAME TO provider_operation_store_id_check_at_idx;
ALTER TABLE provider_operation RENAME COLUMN draft TO details;
ALTER TABLE provider_operation
  ALTER COLUMN details DROP NOT NULL,
  ALTER COLUMN charge_key DROP NOT NULL,
  ALTER COLUMN status DROP NOT NULL,
  ALTER COLUMN attempt DROP NOT NULL,
  ALTER COLUMN checkout_id DROP NOT NULL,
  ADD COLUMN kind text NOT NULL DEFAULT 'authorize',
  ADD COLUMN subject_type text NOT NULL DEFAULT 'checkout',
  ADD COLUMN subject_id text COLLATE "C",
  -- The operation that made the charge; NULL where this one does.
  ADD COLUMN charge_id text COLLATE "C",
  ADD COLUMN state text,
  DROP CONSTRAINT payment_attempt_amount_check,
  DROP CONSTRAINT payment_attempt_refunded_check;

-- Who migrates is not always a superuser, and without this finds no row.
ALTER TABLE provider_operation NO FORCE ROW LEVEL SECURITY;
UPDATE provider_operation SET subject_id = checkout_id, state = CASE status WHEN 'ordered' THEN 'succeeded' ELSE status END;
ALTER TABLE provider_operation FORCE ROW LEVEL SECURITY;

ALTER TABLE provider_operation
  ALTER COLUMN subject_id SET NOT NULL,
  ALTER COLUMN state SET NOT NULL,
  ADD CONSTRAINT provider_operation_store_id_charge_id_fkey FOREIGN KEY (store_id, charge_id) REFERENCES provider_operation (store_id, id),
  ADD CONSTRAINT provider_operation_kind_check CHECK (kind IN ('authorize', 'capture', 'void', 'refund')),
  -- One that makes a charge has its key; one on a charge names it.
  ADD CONSTRAINT provider_operation_charge_check CHECK ((kind = 'authorize') = (charge_key IS NOT NULL) AND (kind = 'authorize') = (charge_id IS NULL)),
  ADD CONSTRAINT provider_operation_state_check CHECK (state IN ('calling', 'succeeded', 'declined', 'failed', 'absent', 'refund_due', 'refunded')
    AND (kind = 'authorize' OR state IN ('calling', 'succeeded', 'failed'))),
  -- `captured` and `refunded` are the charge's sums as the operation left them. A charge captures no more than was asked for, unless nobody wants its money.
  ADD CONSTRAINT provider_operation_amount_check CHECK (amount >= 0 AND (amount > 0 OR kind = 'void') AND captured >= 0 AND refunded >= 0 AND refunding >= 0
    AND (kind <> 'authorize' OR (refunded <= captured AND refunding <= captured AND (captured <= amount OR state IN ('refund_due', 'refunded')))));
CREATE INDEX provider_operation_store_id_subject_id_idx ON provider_operation (store_id, subject_id);
CREATE INDEX provider_operation_store_id_charge_id_idx ON provider_operation (store_id, charge_id) WHERE charge_id IS NOT NULL;

-- A process of the release before goes on writing attempts to pay: through a view it finds the same rows under their old names, and what either release writes
-- the other reads. A later release drops the view, the trigger, the columns status, attempt and checkout_id, and the defaults of kind and subject_type.
CREATE FUNCTION provider_operation_as_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' AND NEW.subject_id IS NULL THEN
    NEW.subject_id := NEW.checkout_id;
    NEW.state := NEW.status;
  ELSIF TG_OP = 'INSERT' THEN
    IF NEW.kind = 'authorize' AND NEW.subject_type = 'checkout' THEN
      NEW.checkout_id := NEW.subject_id;
      NEW.attempt := split_part(NEW.charge_key, ':', 3)::int;
      NEW.status := NEW.state;
    END IF;
  ELSIF NEW.status IS DISTINCT FROM OLD.status THEN
    NEW.state := CASE NEW.status WHEN 'ordered' THEN 'succeeded' ELSE NEW.status END;
  ELSIF NEW.status IS NOT NULL THEN
    NEW.status := CASE NEW.state WHEN 'succeeded' THEN 'ordered' ELSE NEW.state END;
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER provider_operation_as_attempt BEFORE INSERT OR UPDATE ON provider_operation FOR EACH ROW EXECUTE FUNCTION provider_operation_as_attempt();
CREATE VIEW payment_attempt WITH (security_invoker = true) AS
  SELECT store_id, id, checkout_id, attempt, charge_key, provider, status, external_id, amount, captured, refunded, refunding, currency, error, details AS draft,
    check_at, checks, created_at, updated_at
  FROM provider_operation WHERE kind = 'authorize' AND subject_type = 'checkout';
GRANT SELECT, INSERT, UPDATE ON payment_attempt TO commerce_app;

-- A notice that this release cannot read is set aside, with the reason, and nobody is kept waiting by it.
ALTER TABLE provider_event ADD COLUMN set_aside text;
