-- Stock is counted by the merchant's own numbers (PUT /v1/inventory/bulk with sku): without these each look-up reads the whole catalogue of the store.
CREATE INDEX product_store_id_sku_idx ON product (store_id, sku);
CREATE INDEX product_variant_store_id_sku_idx ON product_variant (store_id, sku);
