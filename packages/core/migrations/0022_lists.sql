-- A page of products is found by its keys, and how many there are is counted, without a look at the rows: `status` is in the index because storefronts list
-- what is active. Shoppers sort by name and by price too.
DROP INDEX product_store_id_menu_order_idx;
DROP INDEX product_store_id_created_at_idx;
CREATE INDEX product_store_id_menu_order_idx ON product (store_id, menu_order, id) INCLUDE (status) WHERE deleted_at IS NULL;
CREATE INDEX product_store_id_created_at_idx ON product (store_id, created_at, id) INCLUDE (status) WHERE deleted_at IS NULL;
CREATE INDEX product_store_id_name_idx ON product (store_id, name, id) INCLUDE (status) WHERE deleted_at IS NULL;
CREATE INDEX product_store_id_base_price_idx ON product (store_id, base_price, id) INCLUDE (status) WHERE deleted_at IS NULL;
