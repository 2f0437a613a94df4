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

-- Servers of an earlier release take numbers and count no month while they still run: then it is counted here. A later migration may drop this.
CREATE FUNCTION order_month_counted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  current text := to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM');
BEGIN
  NEW.month_orders := CASE WHEN NEW.month >= current THEN NEW.month_orders + 1 ELSE 1 END;
  NEW.month := greatest(NEW.month, current);
  RETURN NEW;
END
$$;
SELECT pin_function('order_month_counted');
CREATE TRIGGER order_month_begun BEFORE INSERT ON order_counter FOR EACH ROW
  WHEN (NEW.month = '') EXECUTE FUNCTION order_month_counted();
CREATE TRIGGER order_month_counted BEFORE UPDATE OF last_number ON order_counter FOR EACH ROW
  WHEN (NEW.last_number > OLD.last_number AND NEW.month = OLD.month AND NEW.month_orders = OLD.month_orders)
  EXECUTE FUNCTION order_month_counted();
