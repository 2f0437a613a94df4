-- How a discount was worked out, how many units of its line it concerns, and discounts on shipping.
ALTER TABLE order_adjustment ADD COLUMN type text;
ALTER TABLE order_adjustment ADD COLUMN value text;
ALTER TABLE order_adjustment ADD COLUMN units int NOT NULL DEFAULT 0;
ALTER TABLE order_adjustment ADD CONSTRAINT order_adjustment_units_check CHECK (units >= 0);
ALTER TABLE order_adjustment DROP CONSTRAINT order_adjustment_part_check;
ALTER TABLE order_adjustment ADD CONSTRAINT order_adjustment_part_check
  CHECK (part IN ('rule_discount', 'discount', 'shipping_discount', 'shipping', 'tax', 'surcharge'));
