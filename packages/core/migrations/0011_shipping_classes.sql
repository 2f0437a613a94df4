-- A shipping class: goods that cost the same to send on top of a rate ("Bulky"). A product or variant names one; null is none.
CREATE TABLE shipping_class (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  slug text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT shipping_class_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT shipping_class_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT shipping_class_store_id_name_key UNIQUE (store_id, name),
  CONSTRAINT shipping_class_store_id_slug_key UNIQUE (store_id, slug)
);
SELECT tenant_table('shipping_class');

-- NOT VALID: rows of before named classes nobody could make; they are held to it when they are next written.
ALTER TABLE product ADD CONSTRAINT product_store_id_shipping_class_id_fkey
  FOREIGN KEY (store_id, shipping_class_id) REFERENCES shipping_class (store_id, id) NOT VALID;
ALTER TABLE product_variant ADD CONSTRAINT product_variant_store_id_shipping_class_id_fkey
  FOREIGN KEY (store_id, shipping_class_id) REFERENCES shipping_class (store_id, id) NOT VALID;
-- Deleting a class asks who names it.
CREATE INDEX product_store_id_shipping_class_id_idx ON product (store_id, shipping_class_id) WHERE shipping_class_id IS NOT NULL;
CREATE INDEX product_variant_store_id_shipping_class_id_idx ON product_variant (store_id, shipping_class_id) WHERE shipping_class_id IS NOT NULL;
