CREATE TABLE tax_class (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT tax_class_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT tax_class_store_id_name_key UNIQUE (store_id, name),
  CONSTRAINT tax_class_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id)
);
SELECT tenant_table('tax_class');

-- `rate` is a percentage, 0 to 100, exact. `tax_class_id` NULL is the Standard class.
CREATE TABLE tax_rate (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  name text NOT NULL,
  country text NOT NULL,
  region text,
  postal_code text,
  rate numeric NOT NULL,
  tax_type text,
  is_inclusive boolean NOT NULL DEFAULT false,
  priority int NOT NULL DEFAULT 0,
  stackable boolean NOT NULL DEFAULT false,
  exception_countries text[] NOT NULL DEFAULT '{}',
  is_active boolean NOT NULL DEFAULT true,
  tax_class_id text COLLATE "C",
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT tax_rate_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT tax_rate_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT tax_rate_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT tax_rate_store_id_tax_class_id_fkey FOREIGN KEY (store_id, tax_class_id) REFERENCES tax_class (store_id, id),
  CONSTRAINT tax_rate_rate_check CHECK (rate >= 0 AND rate <= 100)
);
CREATE INDEX tax_rate_store_id_created_at_idx ON tax_rate (store_id, created_at, id);
SELECT tenant_table('tax_rate');

SELECT shared_table(t::regclass) FROM unnest(ARRAY['tax_class', 'tax_rate']) AS t;
