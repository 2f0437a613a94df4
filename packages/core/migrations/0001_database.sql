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

-- Triggers also run beneath statements of a host, whose search_path need not name this schema: their functions look for tables where they are themselves. Call this for
-- each function of a trigger that a migration makes or replaces.
CREATE FUNCTION pin_function(name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER FUNCTION %I() SET search_path = %I, pg_temp', name, current_schema());
END
$$;

-- PostgreSQL plans by what it last counted in a table. Autovacuum comes a minute after a load or later, and never to what grows slowly from nothing: until then a search
-- reads every product, and a plan that a connection made while a table was empty is kept. Whoever has loaded much calls this, and a worker does every few seconds:
-- it analyses the largest table that has grown by a fifth, and by two pages, since it was last analysed, and returns its name. Analysing makes connections plan anew.
-- NULL where none has grown, and while another session is at it. `done` are tables that the caller has had already. Only an owner may analyse, so this runs as one.
CREATE FUNCTION analyze_grown(done text[]) RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  grown regclass;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7165064744911531880) THEN RETURN NULL; END IF;
  -- A migration that makes an index counts the pages of its table and nothing else, and upgrading the server forgets what was counted.
  SELECT t.oid INTO grown FROM (
    SELECT c.oid, pg_relation_size(c.oid) / current_setting('block_size')::int AS pages,
      CASE WHEN pg_stat_get_analyze_count(c.oid) + pg_stat_get_autoanalyze_count(c.oid) = 0 THEN 0 ELSE c.relpages END AS counted
    FROM pg_class c WHERE c.relkind = 'r' AND has_table_privilege('commerce_app', c.oid, 'INSERT') AND pg_has_role(c.relowner, 'USAGE')
      AND c.oid::regclass::text <> ALL(done) OFFSET 0) AS t
  WHERE t.pages >= t.counted + greatest(2, t.counted / 5)
  ORDER BY t.pages DESC LIMIT 1;
  IF grown IS NULL THEN RETURN NULL; END IF;
  EXECUTE format('ANALYZE (SKIP_LOCKED) %s', grown);
  -- Entries that wait for their place in an index are read by every search, and make the index look expensive.
  PERFORM gin_clean_pending_list(x.oid) FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam
  WHERE i.indrelid = grown AND m.amname = 'gin';
  RETURN grown;
END
$$;

-- The text of a thing in a language: by the whole tag, else by its language alone (`de-AT` reads what is in `de`), else its own. As `textIn` of kernel/Locale.
CREATE FUNCTION text_in(translations jsonb, locale text, field text, own text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  texts jsonb;
BEGIN
  IF locale IS NULL OR translations = '{}' THEN
    RETURN own;
  END IF;
  SELECT t.value INTO texts FROM jsonb_each(translations) AS t
  WHERE lower(t.key) IN (lower(locale), split_part(lower(locale), '-', 1)) AND jsonb_typeof(t.value) = 'object'
  ORDER BY lower(t.key) = lower(locale) DESC LIMIT 1;
  RETURN coalesce(CASE WHEN jsonb_typeof(texts -> field) = 'string' THEN nullif(texts ->> field, '') END, own);
END
$$;

REVOKE ALL ON FUNCTION analyze_grown(text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION analyze_grown(text[]) TO commerce_app;
