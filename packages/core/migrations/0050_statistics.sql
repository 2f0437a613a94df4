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
REVOKE ALL ON FUNCTION analyze_grown(text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION analyze_grown(text[]) TO commerce_app;
