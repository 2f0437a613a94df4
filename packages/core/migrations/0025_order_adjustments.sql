-- Where the discounts, surcharges and stated amounts of an order come from, each with its source and its target. The audit compares them with the order's sums.
CREATE TABLE order_adjustment (
  store_id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  position int NOT NULL,
  item_id text COLLATE "C",
  target text NOT NULL,
  part text NOT NULL,
  kind text NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  amount bigint NOT NULL,
  reason text,
  CONSTRAINT order_adjustment_pkey PRIMARY KEY (store_id, order_id, position),
  CONSTRAINT order_adjustment_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES orders (store_id, id),
  CONSTRAINT order_adjustment_store_id_order_id_item_id_fkey FOREIGN KEY (store_id, order_id, item_id) REFERENCES order_item (store_id, order_id, id),
  CONSTRAINT order_adjustment_target_check CHECK (target IN ('line', 'shipping', 'order') AND (target = 'line') = (item_id IS NOT NULL)),
  CONSTRAINT order_adjustment_part_check CHECK (part IN ('rule_discount', 'discount', 'shipping', 'tax', 'surcharge')),
  CONSTRAINT order_adjustment_kind_check CHECK (kind <> '' AND source_id <> ''),
  CONSTRAINT order_adjustment_amount_check CHECK (amount > 0)
);

-- Until now the only discount of an order was the one that its caller stated, split over the lines.
INSERT INTO order_adjustment (store_id, order_id, position, item_id, target, part, kind, source_id, amount)
SELECT store_id, order_id, position, id, 'line', 'discount', 'manual_discount', 'discountAmount', discount FROM order_item WHERE discount > 0;

SELECT tenant_table('order_adjustment');
