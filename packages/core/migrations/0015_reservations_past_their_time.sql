-- Carts, checkouts and shelves leave out what is held past its time: the units of one row that have run out are found without reading those still held.
CREATE INDEX reservation_store_id_key_expires_at_idx ON reservation (store_id, key, expires_at);
DROP INDEX reservation_store_id_key_idx;
