-- Charges that live: they wait for shoppers, are watched until they are final, and follow the provider's books. An operation knows whose account it is for, stores
-- the provider's answer before a room sees it, and says when it needs a person.
ALTER TABLE provider_operation
  -- The store's own payment provider, or the code of one that serves every store of the installation.
  ADD COLUMN provider_id text COLLATE "C",
  -- The account at the provider, and whether it moves real money.
  ADD COLUMN account text NOT NULL DEFAULT '',
  ADD COLUMN mode text NOT NULL DEFAULT 'live',
  -- The provider's latest answer: the whole charge, or why nothing was done. Versioned.
  ADD COLUMN answer jsonb,
  -- What the shopper has to do next, sealed.
  ADD COLUMN next_action text,
  -- When what is reserved lapses.
  ADD COLUMN expires_at timestamptz,
  -- How often an answer was applied: an answer that was asked for before another was applied may be the older truth.
  ADD COLUMN looks int NOT NULL DEFAULT 0,
  -- When the request under the present key was first sent: the provider recognises the key for a while from then.
  ADD COLUMN sent_at timestamptz,
  -- The key of the refund under way, where nobody wants the money.
  ADD COLUMN refund_key text,
  -- Since when the uncaptured rest of the charge is wanted no more.
  ADD COLUMN released_at timestamptz,
  -- Since when the operation is in its present open state, and since when it needs a person, with the reason.
  ADD COLUMN open_since timestamptz,
  ADD COLUMN attention text,
  ADD COLUMN attention_at timestamptz;
-- Rows of all stores: the policies hold for the owner of a table only while they are forced.
ALTER TABLE provider_operation NO FORCE ROW LEVEL SECURITY;
UPDATE provider_operation SET provider_id = provider, mode = CASE provider WHEN 'test' THEN 'test' ELSE 'live' END, sent_at = created_at, open_since = updated_at,
  refund_key = CASE WHEN refunding > refunded THEN 'refund:' || id || CASE WHEN refunded > 0 THEN ':' || refunded ELSE '' END END,
  released_at = CASE WHEN kind = 'authorize' AND state = 'succeeded' THEN check_at END,
  -- A charge that was asked for by a schedule of its own goes on by the one there is.
  check_at = CASE WHEN check_at IS NULL AND kind = 'authorize' AND state = 'succeeded' AND captured < amount AND final_at IS NULL THEN coalesce(ask_at, updated_at) ELSE check_at END;
ALTER TABLE provider_operation FORCE ROW LEVEL SECURITY;
DROP INDEX provider_operation_store_id_ask_at_idx;
DROP INDEX provider_operation_store_id_check_at_idx;
ALTER TABLE provider_operation
  ALTER COLUMN provider_id SET NOT NULL,
  ALTER COLUMN sent_at SET NOT NULL,
  ALTER COLUMN open_since SET NOT NULL,
  DROP COLUMN ask_at,
  DROP COLUMN asks,
  DROP COLUMN final_at,
  DROP CONSTRAINT provider_operation_state_check,
  ADD CONSTRAINT provider_operation_mode_check CHECK (mode IN ('test', 'live')),
  ADD CONSTRAINT provider_operation_attention_check CHECK ((attention IS NULL) = (attention_at IS NULL)),
  ADD CONSTRAINT provider_operation_state_check CHECK (
    (kind = 'authorize' AND state IN ('calling', 'awaiting_shopper', 'succeeded', 'declined', 'failed', 'absent', 'refund_due', 'refunded'))
    OR (kind <> 'authorize' AND state IN ('calling', 'pending', 'succeeded', 'failed')));
-- The worker goes from store to store and provider to provider in it, and takes the longest due of each.
CREATE INDEX provider_operation_store_id_provider_id_check_at_idx ON provider_operation (store_id, provider_id, check_at) WHERE (check_at IS NOT NULL);
-- What is in trouble, and has been reported to nobody yet.
CREATE INDEX provider_operation_store_id_open_since_idx ON provider_operation (store_id, open_since) WHERE (attention_at IS NULL AND error IS NOT NULL AND check_at IS NOT NULL);
CREATE INDEX provider_operation_store_id_attention_at_idx ON provider_operation (store_id, attention_at) WHERE (attention_at IS NOT NULL);
CREATE INDEX provider_operation_store_id_external_id_idx ON provider_operation (store_id, external_id) WHERE (kind = 'authorize' AND external_id IS NOT NULL);
