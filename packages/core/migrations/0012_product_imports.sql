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

SELECT tenant_table(t::regclass) FROM unnest(ARRAY['product_import', 'product_import_row']) AS t;
