-- Customers and shipping classes may carry the merchant's own id, by which a store description finds them again.
ALTER TABLE customer ADD COLUMN external_id text COLLATE "C", ADD CONSTRAINT customer_store_id_external_id_key UNIQUE (store_id, external_id);
ALTER TABLE shipping_class ADD COLUMN external_id text COLLATE "C", ADD CONSTRAINT shipping_class_store_id_external_id_key UNIQUE (store_id, external_id);
