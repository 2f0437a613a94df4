-- Versions of the listing by aspect: a write raises those of what it changes alone, so that a list that neither filters nor sorts by prices
-- stays what it is when a price changes. `members`: which products there are, how they are filed, shown and ordered. `text`: names, addresses
-- and words. `price`. `stock`: whether a product can be bought.
DROP TRIGGER product_listing_inserted_version ON product_listing;
DROP TRIGGER product_listing_updated_version ON product_listing;
DROP TRIGGER product_listing_deleted_version ON product_listing;

CREATE FUNCTION product_listing_versions() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  aspect record;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    FOR aspect IN
      SELECT n.store_id,
        bool_or((o.status, o.type, o.channel_ids, o.terms, o.menu_order) IS DISTINCT FROM (n.status, n.type, n.channel_ids, n.terms, n.menu_order)) AS members,
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
CREATE TRIGGER product_listing_inserted_version AFTER INSERT ON product_listing REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION product_listing_versions();
CREATE TRIGGER product_listing_updated_version AFTER UPDATE ON product_listing REFERENCING OLD TABLE AS before NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION product_listing_versions();
CREATE TRIGGER product_listing_deleted_version AFTER DELETE ON product_listing REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION product_listing_versions();

-- An address by language leads to a product as its own does.
SELECT versioned_table('product_slug', 'text');

-- Shared labels: what products show of things that many of them share.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['category', 'shipping_class', 'attribute', 'attribute_option', 'modifier_group', 'modifier', 'brand', 'metafield_definition'] LOOP
    EXECUTE format('DROP TRIGGER %s_inserted_version ON %s', name, name);
    EXECUTE format('DROP TRIGGER %s_updated_version ON %s', name, name);
    EXECUTE format('DROP TRIGGER %s_deleted_version ON %s', name, name);
    PERFORM versioned_table(name::regclass, 'labels');
  END LOOP;
END
$$;
DROP FUNCTION vocabulary_table(regclass);
CREATE FUNCTION label_table(name regclass) RETURNS void LANGUAGE sql AS $$ SELECT versioned_table(name, 'labels') $$;
