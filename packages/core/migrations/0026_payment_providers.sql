-- The payment providers that a store has set up: its own account at a company, or a way to pay by hand under a name of its own.
CREATE TABLE payment_provider (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- The code of an installed provider.
  type text COLLATE "C" NOT NULL,
  name text NOT NULL,
  is_enabled boolean NOT NULL,
  -- The account's id at the company, as the credentials named it; empty where the company has none.
  account text COLLATE "C" NOT NULL,
  -- NULL: the credentials serve both modes.
  mode text,
  -- Sealed; NULL for a provider that needs none. The names of the fields are shown, their values never.
  credentials text,
  credential_fields text[] NOT NULL,
  credentials_updated_at timestamptz NOT NULL,
  -- While credentials are rotated those before are valid too: sealed, and until when.
  previous_credentials text,
  previous_valid_until timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT payment_provider_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT payment_provider_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT payment_provider_mode_check CHECK (mode IN ('test', 'live')),
  CONSTRAINT payment_provider_previous_credentials_check CHECK ((previous_credentials IS NULL) = (previous_valid_until IS NULL))
);
-- One account is set up once; test and live keys of one account are two.
CREATE UNIQUE INDEX payment_provider_store_id_type_account_mode_key ON payment_provider (store_id, type, account, mode) NULLS NOT DISTINCT WHERE account <> '';
CREATE INDEX payment_provider_store_id_created_at_idx ON payment_provider (store_id, created_at, id);
SELECT tenant_table('payment_provider');

-- Whose a payment provider is: a notice names the provider and no store.
CREATE TABLE payment_provider_store (
  provider_id text COLLATE "C" NOT NULL,
  store_id text COLLATE "C" NOT NULL,
  CONSTRAINT payment_provider_store_pkey PRIMARY KEY (provider_id),
  CONSTRAINT payment_provider_store_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id)
);
