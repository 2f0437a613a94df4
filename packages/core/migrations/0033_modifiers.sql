-- What shoppers can add to products: groups of modifiers, and the products that they are attached to.
CREATE TABLE modifier_group (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  name text NOT NULL,
  internal_name text,
  description text,
  translations jsonb NOT NULL DEFAULT '{}',
  selection_type text NOT NULL,
  min_selections int NOT NULL,
  max_selections int,
  required boolean NOT NULL,
  free_quantity int NOT NULL,
  free_allocation_policy text NOT NULL,
  status text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT modifier_group_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT modifier_group_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT modifier_group_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT modifier_group_selection_type_check CHECK (selection_type IN ('SINGLE', 'MULTIPLE')),
  CONSTRAINT modifier_group_selections_check CHECK (
    min_selections >= 0 AND max_selections >= greatest(min_selections, 1) AND free_quantity >= 0),
  CONSTRAINT modifier_group_single_check CHECK (selection_type = 'MULTIPLE' OR max_selections = 1),
  CONSTRAINT modifier_group_policy_check CHECK (free_allocation_policy IN ('CHEAPEST_FREE', 'EXPENSIVE_FREE')),
  CONSTRAINT modifier_group_status_check CHECK (status IN ('active', 'draft'))
);
SELECT tenant_table('modifier_group');
SELECT vocabulary_table('modifier_group');

-- `price_delta` in minor units, below zero for what makes a product cheaper.
CREATE TABLE modifier (
  store_id text COLLATE "C" NOT NULL,
  group_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  description text,
  translations jsonb NOT NULL DEFAULT '{}',
  price_delta bigint NOT NULL,
  sku text,
  image text,
  position int NOT NULL,
  is_default boolean NOT NULL,
  available boolean NOT NULL,
  referenced_product_id text COLLATE "C",
  status text NOT NULL,
  CONSTRAINT modifier_pkey PRIMARY KEY (store_id, group_id, id),
  CONSTRAINT modifier_store_id_group_id_fkey FOREIGN KEY (store_id, group_id) REFERENCES modifier_group (store_id, id),
  CONSTRAINT modifier_store_id_referenced_product_id_fkey FOREIGN KEY (store_id, referenced_product_id)
    REFERENCES product (store_id, id),
  CONSTRAINT modifier_status_check CHECK (status IN ('active', 'draft'))
);
CREATE INDEX modifier_store_id_referenced_product_id_idx ON modifier (store_id, referenced_product_id)
  WHERE referenced_product_id IS NOT NULL;
SELECT tenant_table('modifier');
SELECT vocabulary_table('modifier');

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
  CONSTRAINT product_modifier_group_store_id_product_id_group_id_key
    UNIQUE NULLS NOT DISTINCT (store_id, product_id, group_id, variant_id),
  CONSTRAINT product_modifier_group_store_id_product_id_fkey FOREIGN KEY (store_id, product_id)
    REFERENCES product (store_id, id),
  CONSTRAINT product_modifier_group_store_id_group_id_fkey FOREIGN KEY (store_id, group_id)
    REFERENCES modifier_group (store_id, id),
  CONSTRAINT product_modifier_group_store_id_variant_id_fkey FOREIGN KEY (store_id, variant_id)
    REFERENCES product_variant (store_id, id) ON DELETE CASCADE
);
CREATE INDEX product_modifier_group_store_id_group_id_idx ON product_modifier_group (store_id, group_id);
CREATE INDEX product_modifier_group_store_id_variant_id_idx ON product_modifier_group (store_id, variant_id)
  WHERE variant_id IS NOT NULL;
SELECT tenant_table('product_modifier_group');
SELECT composed_table('product_modifier_group');

-- Whether rows of product_modifier_group are to be looked for: most products have none, and a cart asks for each line.
ALTER TABLE product ADD COLUMN has_modifier_groups boolean NOT NULL DEFAULT false;
-- What one unit costs without its modifiers; NULL where it was not recorded.
ALTER TABLE order_item ADD COLUMN base_price bigint;
