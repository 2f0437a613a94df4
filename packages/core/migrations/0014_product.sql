-- base_price, sale_price, cost_price are minor units of the store's currency.
CREATE TABLE product (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_source_id text COLLATE "C",
  type text NOT NULL DEFAULT 'SIMPLE',
  status text NOT NULL DEFAULT 'draft',
  name text NOT NULL,
  slug text NOT NULL,
  sku text,
  gtin text,
  mpn text,
  description text,
  description_format text NOT NULL DEFAULT 'html',
  meta_description text,
  base_price bigint NOT NULL DEFAULT 0,
  sale_price bigint,
  cost_price bigint,
  sale_price_starts_at timestamptz,
  sale_price_ends_at timestamptz,
  shipping_weight_value numeric(12, 4),
  shipping_weight_unit text,
  shipping_length_value numeric(12, 4),
  shipping_width_value numeric(12, 4),
  shipping_height_value numeric(12, 4),
  shipping_dimension_unit text,
  shipping_class_id text COLLATE "C",
  tax_behavior text,
  tax_class_id text COLLATE "C",
  is_downloadable boolean NOT NULL DEFAULT false,
  download_data jsonb,
  menu_order int NOT NULL DEFAULT 0,
  tags text[] NOT NULL DEFAULT '{}',
  images jsonb NOT NULL DEFAULT '[]',
  translations jsonb NOT NULL DEFAULT '{}',
  cross_sells text[] NOT NULL DEFAULT '{}',
  upsells text[] NOT NULL DEFAULT '{}',
  related text[] NOT NULL DEFAULT '{}',
  search text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  -- How a KIT is priced: by itself or by its components. NULL for other types.
  kit_pricing_mode text,
  -- Percent off what the components cost together.
  kit_discount_value numeric(5, 2),
  -- Whether rows of product_modifier_group are to be looked for: most products have none, and a cart asks for each line.
  has_modifier_groups boolean NOT NULL DEFAULT false,
  -- Sales channels that something is published to. NULL is all of them, and every one that is made later; an empty array is none. The id of a channel that was
  -- deleted stays and means nothing: ids are never given again.
  channel_ids text[] COLLATE "C",
  CONSTRAINT product_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT product_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT product_store_id_shipping_class_id_fkey FOREIGN KEY (store_id, shipping_class_id) REFERENCES shipping_class (store_id, id),
  CONSTRAINT product_store_id_tax_class_id_fkey FOREIGN KEY (store_id, tax_class_id) REFERENCES tax_class (store_id, id),
  CONSTRAINT product_base_price_check CHECK (base_price >= 0 AND (sale_price IS NULL OR sale_price BETWEEN 0 AND base_price)),
  CONSTRAINT product_kit_discount_value_check CHECK (kit_discount_value BETWEEN 0 AND 100),
  CONSTRAINT product_kit_pricing_mode_check CHECK (kit_pricing_mode IN ('FIXED', 'COMPONENTS')),
  CONSTRAINT product_sale_window_check CHECK ((sale_price_starts_at IS NULL) = (sale_price_ends_at IS NULL)),
  CONSTRAINT product_status_check CHECK (status IN ('active', 'draft')),
  CONSTRAINT product_type_check CHECK (type IN ('SIMPLE', 'VARIABLE', 'KIT'))
);
CREATE UNIQUE INDEX product_store_id_external_source_id_key ON product (store_id, external_source_id) WHERE deleted_at IS NULL;
-- Deleting a class asks who names it.
CREATE INDEX product_store_id_shipping_class_id_idx ON product (store_id, shipping_class_id) WHERE shipping_class_id IS NOT NULL;
-- Stock is counted by the merchant's own numbers (PUT /v1/inventory/bulk with sku): without these each look-up reads the whole catalogue of the store.
CREATE INDEX product_store_id_sku_idx ON product (store_id, sku);
CREATE UNIQUE INDEX product_store_id_slug_key ON product (store_id, slug) WHERE deleted_at IS NULL;
SELECT tenant_table('product');

-- Variants of VARIABLE products. `attributes` maps attribute name to option name; one row per combination.
CREATE TABLE product_variant (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  sku text,
  name text NOT NULL,
  attributes jsonb NOT NULL DEFAULT '{}',
  price bigint NOT NULL,
  sale_price bigint,
  cost_price bigint,
  image text,
  position int NOT NULL DEFAULT 0,
  status text NOT NULL DEFAULT 'active',
  is_downloadable boolean NOT NULL DEFAULT false,
  download_data jsonb,
  shipping_class_id text COLLATE "C",
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- The options of a variant, in the order of its product's attributes. A variant that has some has no words in `attributes`, and where `name` is empty its name
  -- is made of theirs; one without keeps its free-form words.
  option_ids text[] COLLATE "C" NOT NULL DEFAULT '{}',
  CONSTRAINT product_variant_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT product_variant_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product (store_id, id),
  CONSTRAINT product_variant_store_id_shipping_class_id_fkey FOREIGN KEY (store_id, shipping_class_id) REFERENCES shipping_class (store_id, id),
  CONSTRAINT product_variant_price_check CHECK (price >= 0 AND (sale_price IS NULL OR sale_price BETWEEN 0 AND price)),
  CONSTRAINT product_variant_status_check CHECK (status IN ('active', 'draft'))
);
CREATE INDEX product_variant_option_ids_idx ON product_variant USING gin (option_ids) WHERE option_ids <> '{}';
CREATE UNIQUE INDEX product_variant_store_id_product_id_attributes_key ON product_variant (store_id, product_id, attributes) WHERE option_ids = '{}';
CREATE INDEX product_variant_store_id_product_id_idx ON product_variant (store_id, product_id, "position", id);
CREATE UNIQUE INDEX product_variant_store_id_product_id_option_ids_key ON product_variant (store_id, product_id, option_ids) WHERE option_ids <> '{}';
CREATE INDEX product_variant_store_id_shipping_class_id_idx ON product_variant (store_id, shipping_class_id) WHERE shipping_class_id IS NOT NULL;
CREATE INDEX product_variant_store_id_sku_idx ON product_variant (store_id, sku);
SELECT tenant_table('product_variant');

-- Slugs that the translations of a product give it, each in its language. A product has them in no order, and two languages may use the same word.
CREATE TABLE product_slug (
  store_id text COLLATE "C" NOT NULL,
  slug text COLLATE "C" NOT NULL,
  -- The language code in lower case.
  locale text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  CONSTRAINT product_slug_pkey PRIMARY KEY (store_id, slug, locale),
  CONSTRAINT product_slug_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product (store_id, id)
);
CREATE INDEX product_slug_store_id_product_id_idx ON product_slug (store_id, product_id);
SELECT tenant_table('product_slug');

CREATE TABLE product_category (
  store_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  category_id text COLLATE "C" NOT NULL,
  position int NOT NULL DEFAULT 0,
  CONSTRAINT product_category_pkey PRIMARY KEY (store_id, product_id, category_id),
  CONSTRAINT product_category_store_id_category_id_fkey FOREIGN KEY (store_id, category_id) REFERENCES category (store_id, id),
  CONSTRAINT product_category_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product (store_id, id)
);
CREATE INDEX product_category_store_id_category_id_idx ON product_category (store_id, category_id, product_id);
SELECT tenant_table('product_category');

CREATE TABLE product_brand (
  store_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  brand_id text COLLATE "C" NOT NULL,
  position int NOT NULL,
  CONSTRAINT product_brand_pkey PRIMARY KEY (store_id, product_id, brand_id),
  CONSTRAINT product_brand_store_id_brand_id_fkey FOREIGN KEY (store_id, brand_id) REFERENCES brand (store_id, id),
  CONSTRAINT product_brand_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product (store_id, id)
);
CREATE INDEX product_brand_store_id_brand_id_idx ON product_brand (store_id, brand_id, product_id);
SELECT tenant_table('product_brand');

-- The attributes of a product in their order, each with the options that the product uses, in theirs.
CREATE TABLE product_attribute (
  store_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  attribute_id text COLLATE "C" NOT NULL,
  option_ids text[] COLLATE "C" NOT NULL,
  position int NOT NULL,
  CONSTRAINT product_attribute_pkey PRIMARY KEY (store_id, product_id, attribute_id),
  CONSTRAINT product_attribute_store_id_attribute_id_fkey FOREIGN KEY (store_id, attribute_id) REFERENCES attribute (store_id, id),
  CONSTRAINT product_attribute_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product (store_id, id)
);
-- Deleting an attribute or an option asks who names it.
CREATE INDEX product_attribute_store_id_attribute_id_idx ON product_attribute (store_id, attribute_id);
SELECT tenant_table('product_attribute');

-- A group on a product, for all its variants or for one. What is NULL is as the group has it; without
-- `default_modifier_ids` the modifiers are chosen that the group marks.
CREATE TABLE product_modifier_group (
  store_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  group_id text COLLATE "C" NOT NULL,
  variant_id text COLLATE "C",
  position int NOT NULL,
  min_override int,
  max_override int,
  required_override boolean,
  free_quantity_override int,
  free_allocation_policy_override text,
  default_modifier_ids text[] COLLATE "C" NOT NULL DEFAULT '{}',
  CONSTRAINT product_modifier_group_pkey PRIMARY KEY (store_id, product_id, id),
  CONSTRAINT product_modifier_group_store_id_product_id_group_id_key UNIQUE NULLS NOT DISTINCT (store_id, product_id, group_id, variant_id),
  CONSTRAINT product_modifier_group_store_id_group_id_fkey FOREIGN KEY (store_id, group_id) REFERENCES modifier_group (store_id, id),
  CONSTRAINT product_modifier_group_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product (store_id, id),
  CONSTRAINT product_modifier_group_store_id_variant_id_fkey FOREIGN KEY (store_id, variant_id) REFERENCES product_variant (store_id, id) ON DELETE CASCADE
);
CREATE INDEX product_modifier_group_store_id_group_id_idx ON product_modifier_group (store_id, group_id);
CREATE INDEX product_modifier_group_store_id_variant_id_idx ON product_modifier_group (store_id, variant_id) WHERE variant_id IS NOT NULL;
SELECT tenant_table('product_modifier_group');

CREATE TABLE kit_component (
  store_id text COLLATE "C" NOT NULL,
  kit_id text COLLATE "C" NOT NULL,
  position int NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  variant_id text COLLATE "C",
  quantity int NOT NULL,
  CONSTRAINT kit_component_pkey PRIMARY KEY (store_id, kit_id, position),
  CONSTRAINT kit_component_store_id_kit_id_fkey FOREIGN KEY (store_id, kit_id) REFERENCES product (store_id, id),
  CONSTRAINT kit_component_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product (store_id, id),
  CONSTRAINT kit_component_product_id_check CHECK (product_id <> kit_id),
  CONSTRAINT kit_component_quantity_check CHECK (quantity BETWEEN 1 AND 1000)
);
-- The kits that a product is a component of.
CREATE INDEX kit_component_store_id_product_id_idx ON kit_component (store_id, product_id);
SELECT tenant_table('kit_component');

-- How many approved reviews of a product gave it one star, two and so on. Changed in the transaction that approves.
CREATE TABLE product_rating (
  store_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  stars_1 int NOT NULL DEFAULT 0,
  stars_2 int NOT NULL DEFAULT 0,
  stars_3 int NOT NULL DEFAULT 0,
  stars_4 int NOT NULL DEFAULT 0,
  stars_5 int NOT NULL DEFAULT 0,
  CONSTRAINT product_rating_pkey PRIMARY KEY (store_id, product_id),
  CONSTRAINT product_rating_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product (store_id, id),
  CONSTRAINT product_rating_stars_check CHECK (stars_1 >= 0 AND stars_2 >= 0 AND stars_3 >= 0 AND stars_4 >= 0 AND stars_5 >= 0)
);
SELECT tenant_table('product_rating');

-- POST /v1/products/bulk: products to be created one by one by whichever worker comes, each with what became of it.
CREATE TABLE product_import (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  CONSTRAINT product_import_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT product_import_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id)
);
CREATE INDEX product_import_pending_idx ON product_import (store_id, id) WHERE finished_at IS NULL;
SELECT tenant_table('product_import');

-- `product_id` or `error` (a tagged error as JSON) once it is done, neither before.
CREATE TABLE product_import_row (
  store_id text COLLATE "C" NOT NULL,
  import_id text COLLATE "C" NOT NULL,
  index int NOT NULL,
  input jsonb NOT NULL,
  product_id text COLLATE "C",
  error jsonb,
  CONSTRAINT product_import_row_pkey PRIMARY KEY (store_id, import_id, index),
  CONSTRAINT product_import_row_store_id_import_id_fkey FOREIGN KEY (store_id, import_id) REFERENCES product_import (store_id, id) ON DELETE CASCADE,
  CONSTRAINT product_import_row_error_check CHECK (product_id IS NULL OR error IS NULL)
);
CREATE INDEX product_import_row_pending_idx ON product_import_row (store_id, import_id, index) WHERE product_id IS NULL AND error IS NULL;
SELECT tenant_table('product_import_row');

ALTER TABLE metafield_definition_product ADD CONSTRAINT metafield_definition_product_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product (store_id, id);
ALTER TABLE metafield_value ADD CONSTRAINT metafield_value_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product (store_id, id);
ALTER TABLE metafield_conflict ADD CONSTRAINT metafield_conflict_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product (store_id, id);
ALTER TABLE modifier ADD CONSTRAINT modifier_store_id_referenced_product_id_fkey FOREIGN KEY (store_id, referenced_product_id) REFERENCES product (store_id, id);

-- What a variant with options shows in a language, or by the names themselves where `locale` is NULL. Called for such variants only.
CREATE FUNCTION variant_attributes(store text, options text[], locale text) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT json_object_agg(text_in(a.translations, locale, 'name', a.name), text_in(o.translations, locale, 'name', o.name) ORDER BY k.n)
    FROM unnest(options) WITH ORDINALITY AS k (id, n)
    JOIN attribute_option o ON o.store_id = store AND o.id = k.id
    JOIN attribute a ON a.store_id = o.store_id AND a.id = o.attribute_id);
END
$$;

CREATE FUNCTION variant_name(store text, options text[], locale text) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT string_agg(text_in(o.translations, locale, 'name', o.name), ' / ' ORDER BY k.n)
    FROM unnest(options) WITH ORDINALITY AS k (id, n)
    JOIN attribute_option o ON o.store_id = store AND o.id = k.id);
END
$$;

-- The active modifier groups of a product or its variant, as JSON, each with the modifiers that `chosen` names, or with its defaults where that is NULL. A group's modifiers
-- are not read whole: what fifty lines carry is bounded by what was chosen. A function of its own: its plan is begun only for products that have groups.
CREATE FUNCTION offered_modifier_groups(store text, product text, variant text, chosen jsonb, locale text) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce((
    SELECT json_agg(json_build_object('id', g.id, 'name', text_in(g.translations, locale, 'name', g.name), 'selectionType', g.selection_type,
      'minSelections', coalesce(a.min_override, g.min_selections), 'maxSelections', coalesce(a.max_override, g.max_selections),
      'required', coalesce(a.required_override, g.required), 'freeQuantity', coalesce(a.free_quantity_override, g.free_quantity),
      'freeAllocationPolicy', coalesce(a.free_allocation_policy_override, g.free_allocation_policy), 'modifiers', coalesce((
        SELECT json_agg(json_build_object('id', m.id, 'name', text_in(m.translations, locale, 'name', m.name), 'sku', m.sku,
          'priceDelta', m.price_delta::text, 'isAvailable', m.available) ORDER BY m.position, m.id)
        FROM modifier m WHERE m.store_id = g.store_id AND m.group_id = g.id AND m.status = 'active' AND CASE
          WHEN chosen IS NOT NULL THEN m.id IN (SELECT c ->> 'modifierId' FROM jsonb_array_elements(chosen) c)
          WHEN a.default_modifier_ids = '{}' THEN m.is_default
          ELSE m.id = ANY(a.default_modifier_ids) END), '[]'::json)) ORDER BY a.position, a.id)
    FROM product_modifier_group a JOIN modifier_group g ON g.store_id = a.store_id AND g.id = a.group_id
    WHERE a.store_id = store AND a.product_id = product AND g.status = 'active' AND (a.variant_id = variant
      OR a.variant_id IS NULL AND NOT EXISTS (SELECT FROM product_modifier_group o WHERE o.store_id = a.store_id
        AND o.product_id = a.product_id AND o.group_id = a.group_id AND o.variant_id = variant))), '[]'::json);
END
$$;

-- Whether a product, not deleted, can be a component of a kit under the variant that names it: exactly what is sold by variants has one.
CREATE FUNCTION kit_component_fits(variant_id text, product_type text, deleted_at timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT product_type <> 'KIT' AND (product_type = 'VARIABLE') = (variant_id IS NOT NULL) AND deleted_at IS NULL
$$;

-- Whether shoppers can see a component of a kit as it is named; `variant_status` is NULL where the product has no such variant.
CREATE FUNCTION kit_component_is_offered(variant_id text, product_type text, product_status text, deleted_at timestamptz, variant_status text)
RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(kit_component_fits(variant_id, product_type, deleted_at) AND product_status = 'active'
    AND (variant_id IS NULL OR variant_status = 'active'), false)
$$;

-- What one unit costs at `at`: the sale price, where there is one, while its sale lasts, else the price. kernel/SalePrice says the same.
CREATE FUNCTION price_at(price bigint, sale_price bigint, starts_at timestamptz, ends_at timestamptz, at timestamptz)
RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN (starts_at IS NULL OR starts_at <= at) AND (ends_at IS NULL OR ends_at > at)
    THEN coalesce(sale_price, price) ELSE price END
$$;

-- When that changes next after `at`, and when it has changed last; infinity where it does not.
CREATE FUNCTION price_until(starts_at timestamptz, ends_at timestamptz, at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT least(CASE WHEN starts_at > at THEN starts_at END, CASE WHEN ends_at > at THEN ends_at END, 'infinity')
$$;
CREATE FUNCTION price_since(starts_at timestamptz, ends_at timestamptz, at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT greatest(CASE WHEN starts_at <= at THEN starts_at END, CASE WHEN ends_at <= at THEN ends_at END, '-infinity')
$$;

-- What a kit costs at `at` that its components price, rounded half up; NULL of any other product. product/KitPrice says the same.
CREATE FUNCTION kit_price_at(store text, kit text, at timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT round(sum(c.quantity * price_at(coalesce(v.price, p.base_price),
      CASE WHEN v.id IS NULL THEN p.sale_price ELSE v.sale_price END, p.sale_price_starts_at, p.sale_price_ends_at, at)) * (100 - coalesce(k.kit_discount_value, 0)) / 100)::bigint
  FROM product k
  JOIN kit_component c ON c.store_id = k.store_id AND c.kit_id = k.id
  JOIN product p ON p.store_id = c.store_id AND p.id = c.product_id
  LEFT JOIN product_variant v ON v.store_id = c.store_id AND v.id = c.variant_id AND v.product_id = p.id
  WHERE k.store_id = store AND k.id = kit AND k.kit_pricing_mode = 'COMPONENTS'
  GROUP BY k.kit_discount_value
$$;

-- When that changes next after `at`; infinity where no sale of a component begins or ends any more.
CREATE FUNCTION kit_price_until(store text, kit text, at timestamptz) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT coalesce(min(t.moment), 'infinity')
  FROM kit_component c
  JOIN product p ON p.store_id = c.store_id AND p.id = c.product_id
  LEFT JOIN product_variant v ON v.store_id = c.store_id AND v.id = c.variant_id AND v.product_id = p.id
  CROSS JOIN LATERAL (VALUES (p.sale_price_starts_at), (p.sale_price_ends_at)) AS t (moment)
  WHERE c.store_id = store AND c.kit_id = kit AND t.moment > at AND CASE WHEN v.id IS NULL THEN p.sale_price ELSE v.sale_price END IS NOT NULL
$$;
