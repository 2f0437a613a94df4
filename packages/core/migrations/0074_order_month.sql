-- How many orders a store has got in a calendar month (UTC): the month of its newest orders, as YYYY-MM, and their number. It is counted in the statement that takes
-- the number of an order. An order that is placed while the month turns counts in the later month.
ALTER TABLE order_counter
  ADD COLUMN month text COLLATE "C" NOT NULL DEFAULT '',
  ADD COLUMN month_orders bigint NOT NULL DEFAULT 0;
ALTER TABLE order_counter NO FORCE ROW LEVEL SECURITY;
UPDATE order_counter c SET (month, month_orders) = (
  SELECT m.month, (SELECT count(*) FROM orders o WHERE o.store_id = c.store_id AND o.created_at >= (m.month || '-01')::timestamp AT TIME ZONE 'UTC')
  FROM (SELECT to_char(coalesce((SELECT max(o.created_at) FROM orders o WHERE o.store_id = c.store_id), now()) AT TIME ZONE 'UTC', 'YYYY-MM') AS month) m);
ALTER TABLE order_counter FORCE ROW LEVEL SECURITY;
