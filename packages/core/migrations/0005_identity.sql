-- The plain key is never kept: `key_hash` is its SHA-256 (the key itself carries 256 random bits).
CREATE TABLE api_key (
  id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  store_id text COLLATE "C",
  name text NOT NULL,
  key_hash text COLLATE "C" NOT NULL,
  key_prefix text NOT NULL,
  scopes text[] NOT NULL,
  tier text NOT NULL DEFAULT 'FREE',
  rate_limit int,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz NOT NULL,
  -- A key has a version like other resources: when it was made, or last given an end.
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT api_key_pkey PRIMARY KEY (id),
  CONSTRAINT api_key_key_hash_key UNIQUE (key_hash),
  CONSTRAINT api_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES account (id),
  CONSTRAINT api_key_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT api_key_tier_check CHECK (tier IN ('FREE', 'PRO', 'GROWTH', 'ENTERPRISE'))
);
CREATE INDEX api_key_account_id_idx ON api_key (account_id, id);
-- The keys of an account and of a store that have not been revoked: to be listed and counted, however many were.
CREATE INDEX api_key_account_id_live_idx ON api_key (account_id, store_id) WHERE revoked_at IS NULL;

CREATE TABLE dashboard_user (
  id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  email text NOT NULL,
  password_hash text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT dashboard_user_pkey PRIMARY KEY (id),
  CONSTRAINT dashboard_user_email_key UNIQUE (email),
  CONSTRAINT dashboard_user_account_id_fkey FOREIGN KEY (account_id) REFERENCES account (id)
);
