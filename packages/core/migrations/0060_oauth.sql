-- How customers of a store sign in by other services: one row for each provider that the store has set up.
CREATE TABLE oauth_provider (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- GOOGLE, FACEBOOK, GITHUB, or CUSTOM: and a slug.
  provider text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  -- Sealed for this row.
  client_secret text NOT NULL,
  is_enabled boolean NOT NULL,
  -- { issuer?, scopes?, tenant? }
  provider_config jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT oauth_provider_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT oauth_provider_store_id_provider_key UNIQUE (store_id, provider),
  CONSTRAINT oauth_provider_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id)
);
SELECT tenant_table('oauth_provider');

-- Accounts at providers by which customers sign in. The issuer is part of the key: the same subject at another issuer
-- is somebody else.
CREATE TABLE oauth_identity (
  store_id text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL,
  issuer text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  -- For an identity that signed up with an address that nobody had verified: it is good while the password has this
  -- version. Who chooses a password by the mailbox ends it.
  until_password_version int,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL,
  CONSTRAINT oauth_identity_pkey PRIMARY KEY (store_id, provider, issuer, subject),
  CONSTRAINT oauth_identity_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id)
    REFERENCES customer (store_id, id)
);
CREATE INDEX oauth_identity_store_id_customer_id_idx ON oauth_identity (store_id, customer_id);
SELECT tenant_table('oauth_identity');

-- States of sign-ins that have come back, as SHA-256, until they would have expired by themselves: each works once.
-- A sign-in that only began has no row.
CREATE TABLE oauth_used_state (
  store_id text COLLATE "C" NOT NULL,
  state_hash text COLLATE "C" NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT oauth_used_state_pkey PRIMARY KEY (store_id, state_hash),
  CONSTRAINT oauth_used_state_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id)
);
CREATE INDEX oauth_used_state_store_id_expires_at_idx ON oauth_used_state (store_id, expires_at);
SELECT tenant_table('oauth_used_state');
