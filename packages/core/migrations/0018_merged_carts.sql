-- A merge now cancels the open checkouts of the cart that it empties. Those that earlier merges left open would buy again what lies in another cart.
-- Who migrates need not be a superuser: the policies of checkout hold for its owner only while they are forced.
ALTER TABLE checkout NO FORCE ROW LEVEL SECURITY;
UPDATE checkout k SET status = 'CANCELLED', updated_at = now()
FROM cart c WHERE c.store_id = k.store_id AND c.id = k.cart_id AND c.status = 'MERGED' AND k.status = 'PENDING';
ALTER TABLE checkout FORCE ROW LEVEL SECURITY;
