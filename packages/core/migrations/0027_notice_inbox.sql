-- Notices as they arrived, until somebody has looked at the charges that they name. A notice to a provider that serves every store belongs to no store before
-- that; the provider's id comes first in the key. What the table before held is looked up by the polls.
DROP TABLE provider_event;
CREATE TABLE provider_notice (
  provider_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  -- The store of a provider of its own.
  store_id text COLLATE "C",
  body bytea NOT NULL,
  -- Of what is stored; a later release may store notices in another way.
  version int NOT NULL DEFAULT 1,
  state text NOT NULL DEFAULT 'open',
  -- Why it is still open, or was set aside.
  reason text,
  received_at timestamptz NOT NULL,
  check_at timestamptz,
  checks int NOT NULL DEFAULT 0,
  attention_at timestamptz,
  CONSTRAINT provider_notice_pkey PRIMARY KEY (provider_id, event_id),
  CONSTRAINT provider_notice_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT provider_notice_body_check CHECK (octet_length(body) <= 262144),
  -- One that is to be interpreted has a time, any other has none.
  CONSTRAINT provider_notice_state_check CHECK (state IN ('open', 'applied', 'foreign', 'set_aside') AND (state = 'open') = (check_at IS NOT NULL))
);
CREATE INDEX provider_notice_provider_id_check_at_idx ON provider_notice (provider_id, check_at) WHERE (state = 'open');
CREATE INDEX provider_notice_received_at_idx ON provider_notice (received_at) WHERE (state IN ('applied', 'foreign'));
CREATE INDEX provider_notice_store_id_idx ON provider_notice (store_id) WHERE (store_id IS NOT NULL);
CREATE INDEX provider_notice_attention_idx ON provider_notice (received_at) WHERE (state = 'set_aside' OR (state = 'open' AND attention_at IS NOT NULL));
