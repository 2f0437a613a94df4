CREATE TABLE category (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  parent_id text COLLATE "C",
  external_id text COLLATE "C",
  name text NOT NULL,
  slug text NOT NULL,
  description text,
  meta_description text,
  image text,
  image_key text,
  source text NOT NULL DEFAULT 'INTERNAL',
  google_product_category int,
  tax_behavior text NOT NULL DEFAULT 'taxable',
  translations jsonb NOT NULL DEFAULT '{}',
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  channel_ids text[] COLLATE "C",
  CONSTRAINT category_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT category_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT category_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT category_store_id_parent_id_fkey FOREIGN KEY (store_id, parent_id) REFERENCES category (store_id, id),
  CONSTRAINT category_tax_behavior_check CHECK (tax_behavior IN ('taxable', 'exempt'))
);
CREATE INDEX category_store_id_parent_id_idx ON category (store_id, parent_id);
CREATE UNIQUE INDEX category_store_id_slug_key ON category (store_id, slug) WHERE deleted_at IS NULL;
SELECT tenant_table('category');

-- Who made a product. A deleted brand stays as a row, without its external id; its name and slug are free again.
CREATE TABLE brand (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  name text NOT NULL,
  slug text NOT NULL,
  description text,
  logo text,
  logo_key text,
  source text NOT NULL,
  translations jsonb NOT NULL DEFAULT '{}',
  is_active boolean NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  channel_ids text[] COLLATE "C",
  CONSTRAINT brand_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT brand_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT brand_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id)
);
CREATE UNIQUE INDEX brand_store_id_name_key ON brand (store_id, name) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX brand_store_id_slug_key ON brand (store_id, slug) WHERE deleted_at IS NULL;
SELECT tenant_table('brand');

-- Attributes of a store ("Colour") and their options ("Red"): they make the variants of products, and storefronts filter by them. Names are never copied
-- into products or variants: those name the ids. A deleted row stays, with `deleted_at`, while a product or a variant names it.
CREATE TABLE attribute (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  name text NOT NULL,
  display_type text,
  source text NOT NULL DEFAULT 'INTERNAL',
  platform text,
  platform_metadata jsonb NOT NULL DEFAULT '{}',
  translations jsonb NOT NULL DEFAULT '{}',
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  CONSTRAINT attribute_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT attribute_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT attribute_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id)
);
CREATE UNIQUE INDEX attribute_store_id_name_key ON attribute (store_id, lower(name)) WHERE deleted_at IS NULL;
SELECT tenant_table('attribute');

CREATE TABLE attribute_option (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  attribute_id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  name text NOT NULL,
  value text NOT NULL,
  swatch_color text,
  swatch_color2 text,
  swatch_image_url text,
  source text NOT NULL DEFAULT 'INTERNAL',
  platform text,
  platform_metadata jsonb NOT NULL DEFAULT '{}',
  translations jsonb NOT NULL DEFAULT '{}',
  position int NOT NULL DEFAULT 0,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  CONSTRAINT attribute_option_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT attribute_option_store_id_attribute_id_external_id_key UNIQUE (store_id, attribute_id, external_id),
  CONSTRAINT attribute_option_store_id_attribute_id_fkey FOREIGN KEY (store_id, attribute_id) REFERENCES attribute (store_id, id)
);
CREATE UNIQUE INDEX attribute_option_store_id_attribute_id_name_key ON attribute_option (store_id, attribute_id, lower(name)) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX attribute_option_store_id_attribute_id_value_key ON attribute_option (store_id, attribute_id, value) WHERE deleted_at IS NULL;
SELECT tenant_table('attribute_option');

SELECT shared_table(t::regclass) FROM unnest(ARRAY['category', 'brand']) AS t;
SELECT shared_table(t::regclass, true) FROM unnest(ARRAY['attribute', 'attribute_option']) AS t;
