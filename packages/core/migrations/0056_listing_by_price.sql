-- Lists by price are counted and sorted by an index alone, which holds what else is asked of a row whose price is the one that was written.
-- Pages that were written are read by such a count too, until VACUUM has marked them: it comes for each fiftieth of the rows.
DROP INDEX product_listing_store_id_price_idx;
CREATE INDEX product_listing_store_id_price_idx ON product_listing (store_id, price, product_id) INCLUDE (status, channel_ids, price_since, price_until);
ALTER TABLE product_listing SET (autovacuum_vacuum_scale_factor = 0.02);
