-- The files that were bought with a line, copied when the order was placed: one row for each file. They are granted while the order is paid, neither cancelled nor
-- refunded in full. `links` are the links that have been counted, each with its expiry in seconds: a link counts once.
CREATE TABLE order_download (
  store_id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  item_id text COLLATE "C" NOT NULL,
  position int NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  product_name text NOT NULL,
  file_id text COLLATE "C" NOT NULL,
  file_name text NOT NULL,
  url text,
  storage_key text,
  mime_type text,
  download_limit int,
  expiry_days int,
  used int NOT NULL DEFAULT 0,
  links jsonb NOT NULL DEFAULT '{}',
  CONSTRAINT order_download_pkey PRIMARY KEY (store_id, order_id, item_id, position),
  CONSTRAINT order_download_store_id_order_id_item_id_fkey FOREIGN KEY (store_id, order_id, item_id) REFERENCES order_item (store_id, order_id, id),
  CONSTRAINT order_download_used_check CHECK (used >= 0 AND used <= download_limit)
);
SELECT tenant_table('order_download');

-- A whole number that was stored as JSON, inside the bounds of int4; NULL for anything else.
CREATE FUNCTION download_number(stored jsonb) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN jsonb_typeof(stored) = 'number' THEN least(greatest(trunc(stored::text::numeric), 0), 2147483647)::int END
$$;

-- The files that come with a product or variant that is sold, and of a kit with those of its components (jsonb: [{productId, variantId}]). A variant's own, or,
-- where it has none, its product's. A component is called by its own name; the sold product by the name of the line (NULL).
CREATE FUNCTION sold_downloads(store text, product text, variant text, components jsonb)
RETURNS TABLE (product_id text, component_name text, file jsonb, download_limit int, expiry_days int) LANGUAGE sql STABLE AS $$
  SELECT p.id, CASE WHEN u.at > 0 THEN p.name END, f.file, download_number(d.data -> 'downloadLimit'), download_number(d.data -> 'downloadExpiry')
  FROM (
    SELECT 0 AS at, product AS product_id, variant AS variant_id
    UNION ALL
    SELECT c.at, c.part ->> 'productId', c.part ->> 'variantId'
    FROM jsonb_array_elements(CASE WHEN jsonb_typeof(components) = 'array' THEN components ELSE '[]' END) WITH ORDINALITY AS c (part, at)
  ) u
  JOIN product p ON p.store_id = store AND p.id = u.product_id
  LEFT JOIN product_variant v ON v.store_id = store AND v.product_id = u.product_id AND v.id = u.variant_id
  CROSS JOIN LATERAL (SELECT coalesce(v.download_data, p.download_data) AS data) d
  CROSS JOIN LATERAL jsonb_array_elements(CASE WHEN jsonb_typeof(d.data -> 'files') = 'array' THEN d.data -> 'files' ELSE '[]' END)
    WITH ORDINALITY AS f (file, at)
  WHERE coalesce(v.is_downloadable, p.is_downloadable) AND jsonb_typeof(f.file) = 'object'
  ORDER BY u.at, f.at
$$;
