-- Lists of merchants are found by the listing, like those of shoppers: its orders hold products of every status, and those of the product's own
-- row go.
DROP INDEX product_store_id_base_price_idx;
DROP INDEX product_store_id_created_at_idx;
DROP INDEX product_store_id_menu_order_idx;
DROP INDEX product_store_id_name_idx;
DROP INDEX product_listing_store_id_base_price_idx;
DROP INDEX product_listing_store_id_created_at_idx;
DROP INDEX product_listing_store_id_menu_order_idx;
DROP INDEX product_listing_store_id_name_idx;
CREATE INDEX product_listing_store_id_base_price_idx ON product_listing (store_id, base_price, product_id) INCLUDE (status, channel_ids);
CREATE INDEX product_listing_store_id_created_at_idx ON product_listing (store_id, created_at, product_id) INCLUDE (status, channel_ids);
CREATE INDEX product_listing_store_id_menu_order_idx ON product_listing (store_id, menu_order, product_id) INCLUDE (status, channel_ids);
CREATE INDEX product_listing_store_id_name_idx ON product_listing (store_id, name, product_id) INCLUDE (status, channel_ids);
