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
  CONSTRAINT review_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT review_store_id_product_id_customer_id_key UNIQUE (store_id, product_id, customer_id),
  CONSTRAINT review_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id) REFERENCES customer (store_id, id),
  CONSTRAINT review_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product (store_id, id),
  CONSTRAINT review_rating_check CHECK (rating BETWEEN 1 AND 5),
  CONSTRAINT review_status_check CHECK (status IN ('PENDING', 'APPROVED', 'REJECTED'))
);
CREATE INDEX review_store_id_created_at_idx ON review (store_id, created_at, id);
CREATE INDEX review_store_id_customer_id_idx ON review (store_id, customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX review_store_id_product_id_created_at_idx ON review (store_id, product_id, created_at, id) WHERE status = 'APPROVED';
CREATE INDEX review_store_id_product_id_rating_idx ON review (store_id, product_id, rating, created_at, id) WHERE status = 'APPROVED';
SELECT tenant_table('review');
