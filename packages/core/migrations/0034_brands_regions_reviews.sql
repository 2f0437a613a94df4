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
  CONSTRAINT brand_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT brand_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT brand_store_id_external_id_key UNIQUE (store_id, external_id)
);
CREATE UNIQUE INDEX brand_store_id_name_key ON brand (store_id, name) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX brand_store_id_slug_key ON brand (store_id, slug) WHERE deleted_at IS NULL;
SELECT tenant_table('brand');
SELECT vocabulary_table('brand');
SELECT searched_names('brand');

CREATE TABLE product_brand (
  store_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  brand_id text COLLATE "C" NOT NULL,
  position int NOT NULL,
  CONSTRAINT product_brand_pkey PRIMARY KEY (store_id, product_id, brand_id),
  CONSTRAINT product_brand_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product (store_id, id),
  CONSTRAINT product_brand_store_id_brand_id_fkey FOREIGN KEY (store_id, brand_id) REFERENCES brand (store_id, id)
);
CREATE INDEX product_brand_store_id_brand_id_idx ON product_brand (store_id, brand_id, product_id);
SELECT tenant_table('product_brand');
SELECT composed_table('product_brand');

-- A market. price_rounding is minor units of its currency.
CREATE TABLE region (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  name text NOT NULL,
  currency text NOT NULL,
  countries text[] NOT NULL,
  tax_inclusive boolean NOT NULL,
  price_rounding bigint,
  provider_installation_ids text[] NOT NULL,
  is_default boolean NOT NULL,
  is_active boolean NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT region_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT region_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT region_store_id_external_id_key UNIQUE (store_id, external_id),
  -- A constraint and not a unique index: one statement takes the mark from one region and gives it to another.
  CONSTRAINT region_store_id_is_default_excl EXCLUDE USING btree (store_id WITH =) WHERE (is_default)
    DEFERRABLE INITIALLY IMMEDIATE
);
SELECT tenant_table('region');

-- The countries of active regions: a country belongs to one of them at most.
CREATE TABLE region_country (
  store_id text COLLATE "C" NOT NULL,
  country text COLLATE "C" NOT NULL,
  region_id text COLLATE "C" NOT NULL,
  CONSTRAINT region_country_pkey PRIMARY KEY (store_id, country),
  CONSTRAINT region_country_store_id_region_id_fkey FOREIGN KEY (store_id, region_id) REFERENCES region (store_id, id)
    ON DELETE CASCADE
);
CREATE INDEX region_country_store_id_region_id_idx ON region_country (store_id, region_id);
SELECT tenant_table('region_country');

-- What a shopper says of a product. customer_id and author_name are null once the customer is deleted.
CREATE TABLE review (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  product_id text COLLATE "C" NOT NULL,
  variant_id text COLLATE "C",
  customer_id text COLLATE "C",
  author_name text,
  rating smallint NOT NULL,
  title text,
  body text NOT NULL,
  photos jsonb NOT NULL DEFAULT '[]',
  status text NOT NULL,
  verified_purchase boolean NOT NULL,
  reply text,
  locale text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT review_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT review_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product (store_id, id),
  CONSTRAINT review_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id) REFERENCES customer (store_id, id),
  CONSTRAINT review_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT review_store_id_product_id_customer_id_key UNIQUE (store_id, product_id, customer_id),
  CONSTRAINT review_rating_check CHECK (rating BETWEEN 1 AND 5),
  CONSTRAINT review_status_check CHECK (status IN ('PENDING', 'APPROVED', 'REJECTED'))
);
CREATE INDEX review_store_id_product_id_created_at_idx ON review (store_id, product_id, created_at, id)
  WHERE status = 'APPROVED';
CREATE INDEX review_store_id_product_id_rating_idx ON review (store_id, product_id, rating, created_at, id)
  WHERE status = 'APPROVED';
CREATE INDEX review_store_id_created_at_idx ON review (store_id, created_at, id);
CREATE INDEX review_store_id_customer_id_idx ON review (store_id, customer_id) WHERE customer_id IS NOT NULL;
SELECT tenant_table('review');

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
  CONSTRAINT product_rating_stars_check
    CHECK (stars_1 >= 0 AND stars_2 >= 0 AND stars_3 >= 0 AND stars_4 >= 0 AND stars_5 >= 0)
);
SELECT tenant_table('product_rating');
SELECT composed_table('product_rating');
