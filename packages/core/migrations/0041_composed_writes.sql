-- Whoever writes a product's rows and composes it in the same transaction says so from the one to the other: what its own statements change needs no note, which
-- would be written to be removed. What triggers of a host change beneath them is noted as ever, and so is what a process of the release before writes.
CREATE FUNCTION composing() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(current_setting('app.composing', true), '') = 'on' AND pg_trigger_depth() = 0
$$;

CREATE OR REPLACE FUNCTION composed_table(name regclass, product_column text DEFAULT 'product_id') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE FUNCTION %s_noted() RETURNS trigger LANGUAGE plpgsql AS $body$
    BEGIN
      INSERT INTO product_stale (store_id, product_id, cause) SELECT DISTINCT c.store_id, c.%I, ''rows'' FROM changed c;
      RETURN NULL;
    END
    $body$', name, product_column);
  PERFORM pin_function(name || '_noted');
  PERFORM noted_table(name);
END
$$;
CREATE FUNCTION noted_table(name regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE OR REPLACE TRIGGER %s_inserted_stale AFTER INSERT ON %s REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
    WHEN (NOT composing()) EXECUTE FUNCTION %s_noted()', name, name, name);
  EXECUTE format('CREATE OR REPLACE TRIGGER %s_updated_stale AFTER UPDATE ON %s REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
    WHEN (NOT composing()) EXECUTE FUNCTION %s_noted()', name, name, name);
  EXECUTE format('CREATE OR REPLACE TRIGGER %s_deleted_stale AFTER DELETE ON %s REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
    WHEN (NOT composing()) EXECUTE FUNCTION %s_noted()', name, name, name);
END
$$;
SELECT noted_table(t.tgrelid::regclass) FROM pg_trigger t WHERE t.tgname = replace(t.tgrelid::regclass::text, '"', '') || '_inserted_stale';

CREATE OR REPLACE TRIGGER stock_began AFTER INSERT ON stock FOR EACH ROW
  WHEN (stock_sells(NEW.tracking_mode, NEW.backorder_mode, NEW.backorder_limit, NEW.total, NEW.reserved) AND NOT composing())
  EXECUTE FUNCTION stock_flipped();


-- Triggers also run beneath statements of a host, whose search_path need not name this schema: their functions look for tables where they are themselves. Call this for
-- each function of a trigger that a migration makes or replaces.
CREATE FUNCTION pin_function(name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER FUNCTION %I() SET search_path = %I, pg_temp', name, current_schema());
END
$$;
SELECT pin_function(f) FROM unnest(ARRAY[
  'catalog_version_raised', 'kit_component_noted', 'metafield_definition_product_noted', 'metafield_definition_refiltered', 'metafield_value_noted',
  'order_item_stated_discount', 'product_attribute_noted', 'product_brand_noted', 'product_category_noted', 'product_modifier_group_noted',
  'product_noted', 'product_rating_noted', 'product_variant_noted', 'provider_operation_as_attempt', 'search_name_changed', 'search_name_published',
  'stock_fell_low', 'stock_flipped', 'store_order_counter'
]) AS f;
