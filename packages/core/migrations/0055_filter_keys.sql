-- What a listing row is filtered by is called its filter keys: "term" is a word of a search.
ALTER TABLE product_listing RENAME COLUMN terms TO filter_keys;
ALTER INDEX product_listing_terms_idx RENAME TO product_listing_filter_keys_idx;

CREATE OR REPLACE FUNCTION product_listing_versions() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  aspect record;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    FOR aspect IN
      SELECT n.store_id,
        bool_or((o.status, o.type, o.channel_ids, o.filter_keys, o.menu_order)
          IS DISTINCT FROM (n.status, n.type, n.channel_ids, n.filter_keys, n.menu_order)) AS members,
        bool_or((o.name, o.slug, o.sku, o.search) IS DISTINCT FROM (n.name, n.slug, n.sku, n.search)) AS text,
        bool_or((o.base_price, o.price, o.price_since, o.price_until, o.regular_price, o.sale_price, o.sale_starts_at, o.sale_ends_at)
          IS DISTINCT FROM (n.base_price, n.price, n.price_since, n.price_until, n.regular_price, n.sale_price, n.sale_starts_at, n.sale_ends_at)) AS price,
        bool_or(o.buyable IS DISTINCT FROM n.buyable) AS stock
      FROM before o JOIN changed n ON n.store_id = o.store_id AND n.product_id = o.product_id GROUP BY n.store_id
    LOOP
      IF aspect.members THEN PERFORM raise_catalog_version(aspect.store_id, 'members'); END IF;
      IF aspect.text THEN PERFORM raise_catalog_version(aspect.store_id, 'text'); END IF;
      IF aspect.price THEN PERFORM raise_catalog_version(aspect.store_id, 'price'); END IF;
      IF aspect.stock THEN PERFORM raise_catalog_version(aspect.store_id, 'stock'); END IF;
    END LOOP;
    RETURN NULL;
  END IF;
  FOR aspect IN SELECT DISTINCT c.store_id FROM changed c LOOP
    PERFORM raise_catalog_version(aspect.store_id, 'members');
  END LOOP;
  RETURN NULL;
END
$$;
SELECT pin_function('product_listing_versions');
