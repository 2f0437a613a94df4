-- A row of stock that begins or ceases to have something to sell notes its product, and says so to those who wait for it, for any variant of its product, or for
-- a kit that it is in: what was sold out within the five minutes has not stayed available, however soon it came back.
CREATE INDEX stock_watch_store_id_key_idx ON stock_watch (store_id, key);
CREATE OR REPLACE FUNCTION stock_flipped() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO product_stale (store_id, product_id, cause) VALUES (NEW.store_id, NEW.product_id, 'stock');
  UPDATE stock_watch w SET available_since = CASE WHEN w.available_since IS NULL THEN NEW.updated_at END
  WHERE w.store_id = NEW.store_id AND w.key = ANY (ARRAY[NEW.key, NEW.product_id]
      || ARRAY(SELECT c.kit_id FROM kit_component c WHERE c.store_id = NEW.store_id AND c.product_id = NEW.product_id))
    AND (w.available_since IS NOT NULL) <> stock_watch_is_available(w, NEW.updated_at);
  RETURN NULL;
END
$$;
