-- How many products a store may have, and how many orders in a calendar month (UTC); NULL is no limit. They are columns of the store, which every request reads anyway.
ALTER TABLE store
  ADD COLUMN max_products int,
  ADD COLUMN max_orders_per_month int,
  ADD CONSTRAINT store_max_products_check CHECK (max_products >= 0),
  ADD CONSTRAINT store_max_orders_per_month_check CHECK (max_orders_per_month >= 0);
