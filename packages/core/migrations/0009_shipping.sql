-- A shipping class: goods that cost the same to send on top of a rate ("Bulky"). A product or variant names one; null is none.
CREATE TABLE shipping_class (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  slug text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  external_id text COLLATE "C",
  CONSTRAINT shipping_class_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT shipping_class_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT shipping_class_store_id_name_key UNIQUE (store_id, name),
  CONSTRAINT shipping_class_store_id_slug_key UNIQUE (store_id, slug),
  CONSTRAINT shipping_class_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id)
);
SELECT tenant_table('shipping_class');

CREATE TABLE shipping_zone (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  name text NOT NULL,
  countries text[] NOT NULL,
  regions jsonb NOT NULL DEFAULT '{}',
  postal_codes jsonb NOT NULL DEFAULT '{}',
  geometry jsonb,
  geometry_labels text[] NOT NULL DEFAULT '{}',
  region_ids text[] NOT NULL DEFAULT '{}',
  sales_channel_ids text[] NOT NULL DEFAULT '{}',
  priority int NOT NULL DEFAULT 0,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT shipping_zone_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT shipping_zone_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT shipping_zone_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT shipping_zone_priority_check CHECK (priority >= 0)
);
CREATE INDEX shipping_zone_store_id_priority_idx ON shipping_zone (store_id, priority, created_at, id);
SELECT tenant_table('shipping_zone');

CREATE TABLE shipping_rate (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  zone_id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  name text NOT NULL,
  description text,
  type text NOT NULL,
  rate_config jsonb NOT NULL DEFAULT '{}',
  min_delivery_days int,
  max_delivery_days int,
  handling_time int,
  tax_status text NOT NULL DEFAULT 'taxable',
  min_order_amount bigint,
  max_cost bigint,
  class_costs jsonb NOT NULL DEFAULT '{}',
  class_calculation_type text NOT NULL DEFAULT 'PER_CLASS',
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT shipping_rate_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT shipping_rate_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT shipping_rate_store_id_zone_id_fkey FOREIGN KEY (store_id, zone_id) REFERENCES shipping_zone (store_id, id) ON DELETE CASCADE,
  CONSTRAINT shipping_rate_tax_status_check CHECK (tax_status IN ('taxable', 'none')),
  CONSTRAINT shipping_rate_type_check CHECK (type IN ('FLAT', 'FREE', 'BY_WEIGHT', 'BY_PRICE', 'BY_ITEM', 'PICKUP'))
);
CREATE INDEX shipping_rate_store_id_zone_id_idx ON shipping_rate (store_id, zone_id, created_at, id);
SELECT tenant_table('shipping_rate');

SELECT shared_table('shipping_class');
