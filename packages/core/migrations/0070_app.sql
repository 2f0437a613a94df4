-- Apps that a merchant has installed. One that is removed stays, without its token and its secrets, until the worker has deleted its mappings and events.
CREATE TABLE app_installation (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  -- The name in addresses: which app it is. A store has an app once.
  slug text COLLATE "C" NOT NULL,
  tier text NOT NULL,
  scopes text[] NOT NULL,
  -- The first characters of its token, for people.
  token_prefix text NOT NULL,
  -- The version of its secrets.
  secrets_updated_at timestamptz NOT NULL,
  -- What it has of rows in app_mapping, and of bytes there and in app_inbound: the sums of `charge`.
  mappings int NOT NULL DEFAULT 0,
  mapping_bytes bigint NOT NULL DEFAULT 0,
  inbound_bytes bigint NOT NULL DEFAULT 0,
  deleted_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT app_installation_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT app_installation_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT app_installation_tier_check CHECK (tier IN ('first-party', 'connector', 'other')),
  CONSTRAINT app_installation_mappings_check CHECK (mappings >= 0 AND mapping_bytes >= 0 AND inbound_bytes >= 0)
);
CREATE UNIQUE INDEX app_installation_store_id_slug_key ON app_installation (store_id, slug) WHERE deleted_at IS NULL;
CREATE INDEX app_installation_store_id_deleted_at_idx ON app_installation (store_id, deleted_at) WHERE deleted_at IS NOT NULL;
SELECT tenant_table('app_installation');

-- Whose a token is: a request shows it before its store is known. Only its SHA-256 is kept.
CREATE TABLE app_token (
  token_hash text COLLATE "C" NOT NULL,
  store_id text COLLATE "C" NOT NULL,
  installation_id text COLLATE "C" NOT NULL,
  CONSTRAINT app_token_pkey PRIMARY KEY (token_hash),
  CONSTRAINT app_token_store_id_installation_id_key UNIQUE (store_id, installation_id),
  CONSTRAINT app_token_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id)
);

-- What an app keeps with the store: sealed (AES-256-GCM), and returned by no route.
CREATE TABLE app_secret (
  store_id text COLLATE "C" NOT NULL,
  installation_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  value text NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT app_secret_pkey PRIMARY KEY (store_id, installation_id, key),
  CONSTRAINT app_secret_store_id_installation_id_fkey FOREIGN KEY (store_id, installation_id) REFERENCES app_installation (store_id, id)
);
SELECT tenant_table('app_secret');

-- What a resource of the store is called on a platform that an app connects. `charge` is what it counts for.
CREATE TABLE app_mapping (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  installation_id text COLLATE "C" NOT NULL,
  resource_type text NOT NULL,
  internal_id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C" NOT NULL,
  external_url text,
  platform_code text COLLATE "C" NOT NULL,
  sync_status text NOT NULL,
  last_synced_at timestamptz,
  last_sync_error text,
  metadata jsonb NOT NULL,
  charge int NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT app_mapping_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT app_mapping_key UNIQUE (store_id, installation_id, internal_id, resource_type, platform_code),
  CONSTRAINT app_mapping_store_id_installation_id_fkey FOREIGN KEY (store_id, installation_id) REFERENCES app_installation (store_id, id),
  CONSTRAINT app_mapping_resource_type_check CHECK (resource_type IN ('product', 'variant', 'order', 'customer', 'category', 'brand', 'tag', 'coupon')),
  CONSTRAINT app_mapping_sync_status_check CHECK (sync_status IN ('synced', 'pending', 'error', 'stale'))
);
CREATE INDEX app_mapping_store_id_installation_id_created_at_idx ON app_mapping (store_id, installation_id, created_at, id);
-- The platforms of an app are found by it, one probe each.
CREATE INDEX app_mapping_store_id_installation_id_platform_code_idx ON app_mapping (store_id, installation_id, platform_code);
SELECT tenant_table('app_mapping');

-- What other systems send to an app, as it came. `charge` is what it counts for; `shown` is how many bytes of JSON it is in a list.
CREATE TABLE app_inbound (
  store_id text COLLATE "C" NOT NULL,
  installation_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  topic text COLLATE "C" NOT NULL,
  content_type text,
  body bytea NOT NULL,
  charge int NOT NULL,
  shown int NOT NULL,
  received_at timestamptz NOT NULL,
  CONSTRAINT app_inbound_pkey PRIMARY KEY (store_id, installation_id, id),
  CONSTRAINT app_inbound_store_id_installation_id_fkey FOREIGN KEY (store_id, installation_id) REFERENCES app_installation (store_id, id),
  CONSTRAINT app_inbound_body_check CHECK (octet_length(body) <= 1048576)
);
CREATE INDEX app_inbound_store_id_installation_id_topic_idx ON app_inbound (store_id, installation_id, topic, id) INCLUDE (shown);
CREATE INDEX app_inbound_store_id_received_at_idx ON app_inbound (store_id, received_at);
SELECT tenant_table('app_inbound');
