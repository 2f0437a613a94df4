-- Sales channels that something is published to. NULL is all of them, and every one that is made later; an empty array is none. The id of a channel that was
-- deleted stays and means nothing: ids are never given again.
ALTER TABLE product ADD COLUMN channel_ids text[] COLLATE "C";
ALTER TABLE category ADD COLUMN channel_ids text[] COLLATE "C";
ALTER TABLE brand ADD COLUMN channel_ids text[] COLLATE "C";
ALTER TABLE product_listing ADD COLUMN channel_ids text[] COLLATE "C";
-- As the other columns of the row that are not moved out of it (0030).
ALTER TABLE product_listing ALTER COLUMN channel_ids SET STORAGE MAIN;

-- A list without filters, and its number of products, is read from this index alone, as before.
DROP INDEX product_listing_store_id_menu_order_idx;
CREATE INDEX product_listing_store_id_menu_order_idx ON product_listing (store_id, menu_order, product_id) INCLUDE (channel_ids)
  WHERE status = 'active';

-- An alert waits while the product is not shown on the channel where it was asked for.
CREATE OR REPLACE FUNCTION stock_watch_is_available(w stock_watch, at timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce((
    SELECT p.status = 'active' AND p.deleted_at IS NULL AND (p.channel_ids IS NULL OR w.sales_channel_id = ANY(p.channel_ids))
      AND CASE WHEN w.variant_id IS NULL THEN listing_buyable_at(w.store_id, w.product_id, p.type, at)
      ELSE p.type = 'VARIABLE' AND EXISTS (SELECT FROM product_variant v JOIN stock s ON s.store_id = v.store_id AND s.key = v.id
        WHERE v.store_id = w.store_id AND v.id = w.variant_id AND v.product_id = p.id AND v.status = 'active' AND stock_sells_at(s, at)) END
    FROM product p WHERE p.store_id = w.store_id AND p.id = w.product_id), false)
$$;
