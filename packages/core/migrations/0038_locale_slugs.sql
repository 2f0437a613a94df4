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

-- Until now translations could say anything: of two products with the same slug in a language the older one has it.
INSERT INTO product_slug (store_id, slug, locale, product_id)
SELECT p.store_id, t.value ->> 'slug', lower(t.key), p.id
FROM product p CROSS JOIN LATERAL jsonb_each(p.translations) AS t
WHERE p.deleted_at IS NULL AND jsonb_typeof(t.value -> 'slug') = 'string'
  AND length(t.value ->> 'slug') <= 190 AND t.value ->> 'slug' ~ '^[[:alnum:]-]+$'
ORDER BY p.created_at, p.id
ON CONFLICT DO NOTHING;

SELECT tenant_table('product_slug');
