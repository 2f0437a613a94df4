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
  CONSTRAINT modifier_group_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT modifier_group_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT modifier_group_policy_check CHECK (free_allocation_policy IN ('CHEAPEST_FREE', 'EXPENSIVE_FREE')),
  CONSTRAINT modifier_group_selection_type_check CHECK (selection_type IN ('SINGLE', 'MULTIPLE')),
  CONSTRAINT modifier_group_selections_check CHECK ( min_selections >= 0 AND max_selections >= greatest(min_selections, 1) AND free_quantity >= 0),
  CONSTRAINT modifier_group_single_check CHECK (selection_type = 'MULTIPLE' OR max_selections = 1),
  CONSTRAINT modifier_group_status_check CHECK (status IN ('active', 'draft'))
);
SELECT tenant_table('modifier_group');

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
  CONSTRAINT modifier_status_check CHECK (status IN ('active', 'draft'))
);
CREATE INDEX modifier_store_id_referenced_product_id_idx ON modifier (store_id, referenced_product_id) WHERE referenced_product_id IS NOT NULL;
SELECT tenant_table('modifier');

SELECT shared_table(t::regclass) FROM unnest(ARRAY['modifier_group', 'modifier']) AS t;
