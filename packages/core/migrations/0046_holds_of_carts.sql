-- Until when a cart may hold units of stock, however often that is extended; null until it holds any.
ALTER TABLE cart ADD COLUMN holds_until timestamptz;

UPDATE cart c SET holds_until = now() + 4 * s.reservation_minutes * interval '1 minute' FROM store s
WHERE s.id = c.store_id AND EXISTS (SELECT FROM reservation r WHERE r.store_id = c.store_id AND r.holder_id = c.id);
