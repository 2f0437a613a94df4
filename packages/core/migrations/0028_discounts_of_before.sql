-- A process of the release before goes on placing orders while an installation is upgraded, and knows of no adjustments. What it takes off a line is the only
-- discount of its time, stated by the caller. This release writes the adjustments of an order in the statement that writes its lines, so that they are there
-- when the trigger looks. A later release drops the trigger.
CREATE FUNCTION order_item_stated_discount() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO order_adjustment (store_id, order_id, position, item_id, target, part, kind, source_id, amount)
  SELECT NEW.store_id, NEW.order_id, NEW.position, NEW.id, 'line', 'discount', 'manual_discount', 'discountAmount', NEW.discount
  WHERE NOT EXISTS (SELECT FROM order_adjustment a WHERE a.store_id = NEW.store_id AND a.order_id = NEW.order_id AND a.item_id = NEW.id);
  RETURN NULL;
END
$$;
CREATE TRIGGER order_item_stated_discount AFTER INSERT ON order_item FOR EACH ROW WHEN (NEW.discount > 0)
  EXECUTE FUNCTION order_item_stated_discount();
