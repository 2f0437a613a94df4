-- Row-level security on every tenant table, enabled and forced. Reads are open (their predicate carries store_id);
-- a write needs the transaction's app.store_id to be the row's store. A new tenant table calls tenant_table() in its migration.
CREATE FUNCTION tenant_table(name regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', name);
  EXECUTE format('CREATE POLICY tenant_read ON %s FOR SELECT USING (true)', name);
  EXECUTE format('CREATE POLICY tenant_insert ON %s FOR INSERT WITH CHECK (store_id = current_setting(''app.store_id'', true))', name);
  EXECUTE format('CREATE POLICY tenant_update ON %s FOR UPDATE USING (store_id = current_setting(''app.store_id'', true))', name);
  EXECUTE format('CREATE POLICY tenant_delete ON %s FOR DELETE USING (store_id = current_setting(''app.store_id'', true))', name);
END
$$;

SELECT tenant_table(t::regclass) FROM unnest(ARRAY[
  'category', 'product', 'product_variant', 'product_category', 'stock', 'stock_movement', 'reservation',
  'tax_class', 'tax_rate', 'shipping_zone', 'shipping_rate',
  'cart', 'cart_item', 'checkout', 'checkout_line', 'orders', 'order_item', 'payment', 'event'
]) AS t;
