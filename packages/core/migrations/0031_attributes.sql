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
  CONSTRAINT attribute_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT attribute_store_id_external_id_key UNIQUE (store_id, external_id)
);
CREATE UNIQUE INDEX attribute_store_id_name_key ON attribute (store_id, lower(name)) WHERE deleted_at IS NULL;

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
  CONSTRAINT attribute_option_store_id_attribute_id_fkey FOREIGN KEY (store_id, attribute_id) REFERENCES attribute (store_id, id),
  CONSTRAINT attribute_option_store_id_attribute_id_external_id_key UNIQUE (store_id, attribute_id, external_id)
);
CREATE UNIQUE INDEX attribute_option_store_id_attribute_id_name_key ON attribute_option (store_id, attribute_id, lower(name)) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX attribute_option_store_id_attribute_id_value_key ON attribute_option (store_id, attribute_id, value) WHERE deleted_at IS NULL;

-- The attributes of a product in their order, each with the options that the product uses, in theirs.
CREATE TABLE product_attribute (
  store_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  attribute_id text COLLATE "C" NOT NULL,
  option_ids text[] COLLATE "C" NOT NULL,
  position int NOT NULL,
  CONSTRAINT product_attribute_pkey PRIMARY KEY (store_id, product_id, attribute_id),
  CONSTRAINT product_attribute_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product (store_id, id),
  CONSTRAINT product_attribute_store_id_attribute_id_fkey FOREIGN KEY (store_id, attribute_id) REFERENCES attribute (store_id, id)
);
-- Deleting an attribute or an option asks who names it.
CREATE INDEX product_attribute_store_id_attribute_id_idx ON product_attribute (store_id, attribute_id);

-- The options of a variant, in the order of its product's attributes. A variant that has some has no words in `attributes`, and where `name` is empty its name
-- is made of theirs; one without keeps its free-form words.
ALTER TABLE product_variant ADD COLUMN option_ids text[] COLLATE "C" NOT NULL DEFAULT '{}';
ALTER TABLE product_variant DROP CONSTRAINT product_variant_store_id_product_id_attributes_key;
CREATE UNIQUE INDEX product_variant_store_id_product_id_attributes_key ON product_variant (store_id, product_id, attributes) WHERE option_ids = '{}';
CREATE UNIQUE INDEX product_variant_store_id_product_id_option_ids_key ON product_variant (store_id, product_id, option_ids) WHERE option_ids <> '{}';
CREATE INDEX product_variant_option_ids_idx ON product_variant USING gin (option_ids) WHERE option_ids <> '{}';

-- What a variant with options shows. Called for such variants only, so that statements of shops without them are planned as before.
CREATE FUNCTION variant_attributes(store text, options text[]) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT json_object_agg(a.name, o.name ORDER BY k.n)
    FROM unnest(options) WITH ORDINALITY AS k (id, n)
    JOIN attribute_option o ON o.store_id = store AND o.id = k.id
    JOIN attribute a ON a.store_id = o.store_id AND a.id = o.attribute_id);
END
$$;
CREATE FUNCTION variant_name(store text, options text[]) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT string_agg(o.name, ' / ' ORDER BY k.n)
    FROM unnest(options) WITH ORDINALITY AS k (id, n)
    JOIN attribute_option o ON o.store_id = store AND o.id = k.id);
END
$$;

SELECT tenant_table(t::regclass) FROM unnest(ARRAY['attribute', 'attribute_option', 'product_attribute']) AS t;
SELECT vocabulary_table(t::regclass) FROM unnest(ARRAY['attribute', 'attribute_option']) AS t;
SELECT searched_names('attribute_option');
SELECT composed_table('product_attribute');
