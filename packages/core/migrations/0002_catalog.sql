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
  CONSTRAINT category_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT category_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT category_store_id_parent_id_fkey FOREIGN KEY (store_id, parent_id) REFERENCES category (store_id, id),
  CONSTRAINT category_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT category_tax_behavior_check CHECK (tax_behavior IN ('taxable', 'exempt'))
);
CREATE UNIQUE INDEX category_store_id_slug_key ON category (store_id, slug) WHERE deleted_at IS NULL;
CREATE INDEX category_store_id_parent_id_idx ON category (store_id, parent_id);

-- base_price, sale_price, cost_price are minor units of the store's currency. price_min, price_max: the range over active variants
-- (or the product's own price), kept in the writing transaction; they carry list filters and sorting, never a charge.
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
  CONSTRAINT product_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT product_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT product_type_check CHECK (type IN ('SIMPLE', 'VARIABLE', 'KIT')),
  CONSTRAINT product_status_check CHECK (status IN ('active', 'draft')),
  CONSTRAINT product_base_price_check CHECK (base_price >= 0 AND (sale_price IS NULL OR sale_price BETWEEN 0 AND base_price)),
  CONSTRAINT product_sale_window_check CHECK ((sale_price_starts_at IS NULL) = (sale_price_ends_at IS NULL))
);
CREATE UNIQUE INDEX product_store_id_slug_key ON product (store_id, slug) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX product_store_id_external_source_id_key ON product (store_id, external_source_id) WHERE deleted_at IS NULL;
CREATE INDEX product_store_id_menu_order_idx ON product (store_id, menu_order, id) WHERE deleted_at IS NULL;
CREATE INDEX product_store_id_created_at_idx ON product (store_id, created_at, id) WHERE deleted_at IS NULL;

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
  CONSTRAINT product_variant_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT product_variant_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product (store_id, id),
  CONSTRAINT product_variant_store_id_product_id_attributes_key UNIQUE (store_id, product_id, attributes),
  CONSTRAINT product_variant_status_check CHECK (status IN ('active', 'draft')),
  CONSTRAINT product_variant_price_check CHECK (price >= 0 AND (sale_price IS NULL OR sale_price BETWEEN 0 AND price))
);
CREATE INDEX product_variant_store_id_product_id_idx ON product_variant (store_id, product_id, position, id);

CREATE TABLE product_category (
  store_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  category_id text COLLATE "C" NOT NULL,
  position int NOT NULL DEFAULT 0,
  CONSTRAINT product_category_pkey PRIMARY KEY (store_id, product_id, category_id),
  CONSTRAINT product_category_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product (store_id, id),
  CONSTRAINT product_category_store_id_category_id_fkey FOREIGN KEY (store_id, category_id) REFERENCES category (store_id, id)
);
CREATE INDEX product_category_store_id_category_id_idx ON product_category (store_id, category_id, product_id);

-- One row per thing that is counted: the product, or each variant of a VARIABLE product. `key` = variant id, or product id.
-- available = total - reserved. Every change of `total` has a stock_movement; `reserved` = sum of open reservations.
CREATE TABLE stock (
  store_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  variant_id text COLLATE "C",
  tracking_mode text NOT NULL DEFAULT 'TRACKED',
  backorder_mode text NOT NULL DEFAULT 'DENY',
  backorder_limit int,
  total int NOT NULL DEFAULT 0,
  reserved int NOT NULL DEFAULT 0,
  low_stock_threshold int,
  last_inventory_sync_at timestamptz,
  updated_at timestamptz NOT NULL,
  CONSTRAINT stock_pkey PRIMARY KEY (store_id, key),
  CONSTRAINT stock_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product (store_id, id),
  CONSTRAINT stock_store_id_variant_id_fkey FOREIGN KEY (store_id, variant_id) REFERENCES product_variant (store_id, id) ON DELETE CASCADE,
  CONSTRAINT stock_tracking_mode_check CHECK (tracking_mode IN ('TRACKED', 'UNTRACKED', 'DISABLED')),
  CONSTRAINT stock_backorder_mode_check CHECK (backorder_mode IN ('DENY', 'ALLOW', 'LIMITED')),
  CONSTRAINT stock_reserved_check CHECK (reserved >= 0),
  CONSTRAINT stock_available_check CHECK (
    tracking_mode <> 'TRACKED' OR backorder_mode = 'ALLOW' OR total - reserved >= -(CASE backorder_mode WHEN 'LIMITED' THEN coalesce(backorder_limit, 0) ELSE 0 END)
  )
) WITH (fillfactor = 80);
CREATE INDEX stock_store_id_product_id_idx ON stock (store_id, product_id);

CREATE TABLE stock_movement (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  variant_id text COLLATE "C",
  delta int NOT NULL,
  reason text NOT NULL,
  reference text,
  created_at timestamptz NOT NULL,
  CONSTRAINT stock_movement_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT stock_movement_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product (store_id, id)
);
CREATE INDEX stock_movement_store_id_key_idx ON stock_movement (store_id, key, created_at DESC, id DESC);

-- Units held for a cart line or a checkout until `expires_at`. The row goes when they are sold or given back.
CREATE TABLE reservation (
  store_id text COLLATE "C" NOT NULL,
  holder_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  quantity int NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT reservation_pkey PRIMARY KEY (store_id, holder_id, key),
  CONSTRAINT reservation_store_id_key_fkey FOREIGN KEY (store_id, key) REFERENCES stock (store_id, key) ON DELETE CASCADE,
  CONSTRAINT reservation_quantity_check CHECK (quantity > 0)
);
CREATE INDEX reservation_store_id_key_idx ON reservation (store_id, key);
CREATE INDEX reservation_store_id_expires_at_idx ON reservation (store_id, expires_at);
