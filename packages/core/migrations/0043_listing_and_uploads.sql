-- What storefronts read of products, put right in several points. Listing rows hold values of filterable metafields only: facets count every term that there is.
-- A definition that becomes filterable, or ceases to be, has the products with its values composed again; nobody waits for it.
CREATE FUNCTION metafield_definition_refiltered() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO product_stale (store_id, product_id, cause)
  SELECT v.store_id, v.product_id, 'again' FROM metafield_value v WHERE v.store_id = NEW.store_id AND v.definition_id = NEW.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER metafield_definition_refiltered AFTER UPDATE ON metafield_definition FOR EACH ROW WHEN (OLD.filterable <> NEW.filterable)
  EXECUTE FUNCTION metafield_definition_refiltered();

-- Rows that are there, of all stores, hold values of every metafield.
ALTER TABLE product_stale NO FORCE ROW LEVEL SECURITY;
INSERT INTO product_stale (store_id, product_id, cause)
SELECT DISTINCT v.store_id, v.product_id, 'again' FROM metafield_value v
JOIN metafield_definition d ON d.store_id = v.store_id AND d.id = v.definition_id
WHERE NOT d.filterable AND d.type IN ('TEXT', 'NUMBER', 'BOOLEAN', 'DATE', 'SELECT', 'MULTI_SELECT', 'COLOR');
ALTER TABLE product_stale FORCE ROW LEVEL SECURITY;

-- A value or an attachment that goes with its definition changes no answer: documents name definitions by id, and show nothing of one that is gone. So nobody who
-- reads composes the products, which can be all of a store. Triggers run when the statement that deletes the definition with its values is done.
CREATE OR REPLACE FUNCTION metafield_value_noted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO product_stale (store_id, product_id, cause)
  SELECT DISTINCT c.store_id, c.product_id, CASE WHEN TG_OP <> 'DELETE' OR EXISTS (SELECT FROM metafield_definition d
    WHERE d.store_id = c.store_id AND d.id = c.definition_id) THEN 'rows' ELSE 'again' END FROM changed c;
  RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION metafield_definition_product_noted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO product_stale (store_id, product_id, cause)
  SELECT DISTINCT c.store_id, c.product_id, CASE WHEN TG_OP <> 'DELETE' OR EXISTS (SELECT FROM metafield_definition d
    WHERE d.store_id = c.store_id AND d.id = c.definition_id) THEN 'rows' ELSE 'again' END FROM changed c;
  RETURN NULL;
END
$$;

-- Rows that were written by a process whose clock is ahead of a reader's: the reader looks for them each time.
CREATE INDEX product_listing_store_id_price_since_idx ON product_listing (store_id, price_since) WHERE price_since > '-infinity';

-- What shoppers upload for a customization is kept as long as a row needs that names it. `review_at` is when that is asked next; NULL where an order does, or
-- somebody keeps it for good. A process of the release before writes none: its uploads are asked about at once.
ALTER TABLE media_file ADD COLUMN review_at timestamptz DEFAULT now();
CREATE INDEX media_file_store_id_review_at_idx ON media_file (store_id, review_at)
  WHERE purpose = 'customization' AND purge_at IS NULL AND review_at IS NOT NULL;

-- Ids of the files that a JSON text names, by their keys or by addresses that end with one (media/MediaFile.ts).
CREATE FUNCTION media_ids(named jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(DISTINCT 'media_' || m[1]), '{}') FROM regexp_matches(named::text, '[0-9a-f]{32}-([0-9a-z]{26})', 'g') AS m
$$;
-- Found by files, whose ids are unique over all stores. Most lines name none, and are in no index.
CREATE INDEX order_item_customizations_idx ON order_item USING gin (media_ids(customizations)) WHERE customizations <> '{}';
CREATE INDEX checkout_line_customizations_idx ON checkout_line USING gin (media_ids(customizations)) WHERE customizations <> '{}';
CREATE INDEX cart_item_customizations_idx ON cart_item USING gin (media_ids(customizations)) WHERE customizations <> '{}';
