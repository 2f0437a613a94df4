-- Fields of the merchant's own. A definition says what kind of value products have of it, or shoppers give for it; a value is
-- a row, so that filters and counts are exact. `size` is the bytes of what readers keep of a definition.
CREATE TABLE metafield_definition (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  key text COLLATE "C" NOT NULL,
  name text NOT NULL,
  description text,
  type text NOT NULL,
  required boolean NOT NULL,
  is_customer_input boolean NOT NULL,
  applies_to_all_products boolean NOT NULL,
  filterable boolean NOT NULL,
  min_length int,
  max_length int,
  min_value numeric,
  max_value numeric,
  date_availability jsonb,
  enum_values jsonb NOT NULL,
  default_value jsonb,
  position int NOT NULL,
  is_active boolean NOT NULL,
  source text NOT NULL,
  translations jsonb NOT NULL,
  size int NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT metafield_definition_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT metafield_definition_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT metafield_definition_store_id_key_key UNIQUE (store_id, key),
  CONSTRAINT metafield_definition_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT metafield_definition_type_check CHECK ((type = ANY (ARRAY['TEXT', 'TEXTAREA', 'NUMBER', 'BOOLEAN', 'DATE', 'SELECT', 'MULTI_SELECT', 'COLOR', 'URL', 'IMAGE', 'GALLERY', 'JSON'])))
);
SELECT tenant_table('metafield_definition');

-- The products that have a field which not all products have.
CREATE TABLE metafield_definition_product (
  store_id text COLLATE "C" NOT NULL,
  definition_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  CONSTRAINT metafield_definition_product_pkey PRIMARY KEY (store_id, definition_id, product_id),
  CONSTRAINT metafield_definition_product_store_id_definition_id_fkey FOREIGN KEY (store_id, definition_id) REFERENCES metafield_definition (store_id, id)
);
CREATE INDEX metafield_definition_product_store_id_product_id_idx ON metafield_definition_product (store_id, product_id);
SELECT tenant_table('metafield_definition_product');

-- `source` is the platform that wrote the value last; null is the merchant.
CREATE TABLE metafield_value (
  store_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  definition_id text COLLATE "C" NOT NULL,
  value jsonb NOT NULL,
  source text COLLATE "C",
  updated_at timestamptz NOT NULL,
  CONSTRAINT metafield_value_pkey PRIMARY KEY (store_id, product_id, definition_id),
  CONSTRAINT metafield_value_store_id_definition_id_fkey FOREIGN KEY (store_id, definition_id) REFERENCES metafield_definition (store_id, id)
);
CREATE INDEX metafield_value_store_id_definition_id_idx ON metafield_value (store_id, definition_id);
SELECT tenant_table('metafield_value');

-- A platform sent another value than the one that somebody else wrote. `current_value` is what there was when it was settled.
CREATE TABLE metafield_conflict (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  definition_id text COLLATE "C" NOT NULL,
  source_platform text COLLATE "C" NOT NULL,
  source_value jsonb,
  current_value jsonb,
  status text NOT NULL DEFAULT 'PENDING',
  resolution text,
  resolved_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT metafield_conflict_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT metafield_conflict_store_id_definition_id_fkey FOREIGN KEY (store_id, definition_id) REFERENCES metafield_definition (store_id, id),
  CONSTRAINT metafield_conflict_resolution_check CHECK ((resolution = ANY (ARRAY['accept_source', 'keep_current', 'custom']))),
  CONSTRAINT metafield_conflict_status_check CHECK ((status = ANY (ARRAY['PENDING', 'RESOLVED', 'IGNORED'])))
);
-- One open conflict of a value with a platform: a later value of the platform replaces it.
CREATE UNIQUE INDEX metafield_conflict_open_key ON metafield_conflict (store_id, product_id, definition_id, source_platform) WHERE status = 'PENDING';
CREATE INDEX metafield_conflict_store_id_created_at_idx ON metafield_conflict (store_id, created_at, id);
CREATE INDEX metafield_conflict_store_id_definition_id_idx ON metafield_conflict (store_id, definition_id);
CREATE INDEX metafield_conflict_store_id_product_id_idx ON metafield_conflict (store_id, product_id, definition_id, source_platform, created_at);
SELECT tenant_table('metafield_conflict');

SELECT shared_table('metafield_definition');
