-- A customer of one store. Deleting one clears every personal column and leaves the row, so that orders keep pointing at somebody: `email` is then
-- null and free again. `password_version` is part of every token: raising it ends those issued before. `announced` says that customer.created was told.
CREATE TABLE customer (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  email text COLLATE "C",
  first_name text,
  last_name text,
  phone text,
  password_hash text,
  password_version int NOT NULL DEFAULT 1,
  email_verified boolean NOT NULL DEFAULT false,
  accepts_marketing boolean NOT NULL DEFAULT false,
  birth_month int,
  birth_day int,
  referral_code text,
  privacy_policy_accepted_at timestamptz,
  announced boolean NOT NULL DEFAULT true,
  deleted_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- Customers and shipping classes may carry the merchant's own id, by which a store description finds them again.
  external_id text COLLATE "C",
  CONSTRAINT customer_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT customer_store_id_email_key UNIQUE (store_id, email),
  CONSTRAINT customer_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT customer_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT customer_birth_check CHECK ((birth_month IS NULL) = (birth_day IS NULL) AND birth_month BETWEEN 1 AND 12 AND birth_day BETWEEN 1 AND 31),
  CONSTRAINT customer_email_check CHECK ((email IS NULL) = (deleted_at IS NOT NULL))
);
SELECT tenant_table('customer');

-- One default at most. The rule is judged at the end of each statement, so that one statement moves the default from one row to another.
CREATE TABLE customer_address (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  label text,
  is_default boolean NOT NULL,
  address jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT customer_address_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT customer_address_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id) REFERENCES customer (store_id, id),
  CONSTRAINT customer_address_store_id_customer_id_excl EXCLUDE USING btree (store_id WITH =, customer_id WITH =) WHERE (is_default) DEFERRABLE INITIALLY IMMEDIATE
);
CREATE INDEX customer_address_store_id_customer_id_idx ON customer_address (store_id, customer_id, created_at, id);
SELECT tenant_table('customer_address');

-- Tokens that travel by mail, as their SHA-256. Using one deletes it.
CREATE TABLE customer_token (
  store_id text COLLATE "C" NOT NULL,
  token_hash text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  purpose text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT customer_token_pkey PRIMARY KEY (store_id, token_hash),
  CONSTRAINT customer_token_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id) REFERENCES customer (store_id, id),
  CONSTRAINT customer_token_purpose_check CHECK (purpose IN ('verification', 'reset'))
);
CREATE INDEX customer_token_store_id_customer_id_idx ON customer_token (store_id, customer_id, purpose, created_at);
SELECT tenant_table('customer_token');

-- Customer JWTs that were logged out, by their `jti`, until they would have ended by themselves.
CREATE TABLE customer_logout (
  store_id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  jti text COLLATE "C" NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT customer_logout_pkey PRIMARY KEY (store_id, customer_id, jti),
  CONSTRAINT customer_logout_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id) REFERENCES customer (store_id, id)
);
SELECT tenant_table('customer_logout');
