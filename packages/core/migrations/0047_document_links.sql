-- The products that a composed document names by id. Readers leave out those that shoppers cannot see now, which no write of the naming product tells.
ALTER TABLE product_document ADD COLUMN link_ids text[] COLLATE "C" NOT NULL DEFAULT '{}';

-- Documents of before name them as they are, and say nothing of the looks of a kit's components: they are composed again.
INSERT INTO product_stale (store_id, product_id, cause) SELECT p.store_id, p.id, 'rows' FROM product p
WHERE p.deleted_at IS NULL AND (p.type = 'KIT' OR p.cross_sells <> '{}' OR p.upsells <> '{}' OR p.related <> '{}');
