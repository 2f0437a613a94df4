-- The condition of a trigger is planned anew by each statement that asks it, and a function in SQL is parsed again each time: conditions are written out here.
CREATE OR REPLACE FUNCTION noted_table(name regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  how text;
  -- `composing`, of 0041: what the transaction composes itself needs no note.
  shown_otherwise constant text := 'current_setting(''app.composing'', true) IS DISTINCT FROM ''on'' OR pg_trigger_depth() > 0';
BEGIN
  FOREACH how IN ARRAY ARRAY['insert', 'update', 'delete'] LOOP
    EXECUTE format('CREATE OR REPLACE TRIGGER %s_%sd_stale AFTER %s ON %s REFERENCING %s TABLE AS changed FOR EACH STATEMENT
      WHEN (%s) EXECUTE FUNCTION %s_noted()', name, CASE how WHEN 'insert' THEN 'inserte' ELSE how END, how, name,
      CASE how WHEN 'delete' THEN 'OLD' ELSE 'NEW' END, shown_otherwise, name);
  END LOOP;
END
$$;
SELECT noted_table(t.tgrelid::regclass) FROM pg_trigger t WHERE t.tgname = replace(t.tgrelid::regclass::text, '"', '') || '_inserted_stale';

-- What `stock_sells` says of a row; stock is written by every reservation.
CREATE OR REPLACE TRIGGER stock_began AFTER INSERT ON stock FOR EACH ROW
  WHEN (NEW.tracking_mode <> 'DISABLED' AND (NEW.tracking_mode = 'UNTRACKED' OR NEW.backorder_mode = 'ALLOW'
      OR NEW.total - NEW.reserved + CASE NEW.backorder_mode WHEN 'LIMITED' THEN coalesce(NEW.backorder_limit, 0) ELSE 0 END > 0)
    AND (current_setting('app.composing', true) IS DISTINCT FROM 'on' OR pg_trigger_depth() > 0))
  EXECUTE FUNCTION stock_flipped();
CREATE OR REPLACE TRIGGER stock_flipped AFTER UPDATE ON stock FOR EACH ROW
  WHEN ((OLD.tracking_mode <> 'DISABLED' AND (OLD.tracking_mode = 'UNTRACKED' OR OLD.backorder_mode = 'ALLOW'
      OR OLD.total - OLD.reserved + CASE OLD.backorder_mode WHEN 'LIMITED' THEN coalesce(OLD.backorder_limit, 0) ELSE 0 END > 0))
    <> (NEW.tracking_mode <> 'DISABLED' AND (NEW.tracking_mode = 'UNTRACKED' OR NEW.backorder_mode = 'ALLOW'
      OR NEW.total - NEW.reserved + CASE NEW.backorder_mode WHEN 'LIMITED' THEN coalesce(NEW.backorder_limit, 0) ELSE 0 END > 0)))
  EXECUTE FUNCTION stock_flipped();
DROP FUNCTION composing();

-- Whoever is held to one store by the policies writes rows of that store alone, and raises its version by one statement. What kinds there are, the triggers say.
ALTER TABLE catalog_version DROP CONSTRAINT catalog_version_kind_check;
CREATE OR REPLACE FUNCTION catalog_version_raised() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  store text;
BEGIN
  -- In a transaction of one snapshot a row that another has raised since could not be taken: it adds its own.
  IF row_security_active(TG_RELID) AND current_setting('transaction_isolation') = 'read committed' THEN
    store := current_setting('app.store_id', true);
    UPDATE catalog_version v SET version = v.version + 1
    WHERE v.store_id = store AND v.kind = TG_ARGV[0] AND EXISTS (SELECT FROM changed) AND v.slot = (
      SELECT f.slot FROM catalog_version f WHERE f.store_id = store AND f.kind = TG_ARGV[0] LIMIT 1 FOR UPDATE SKIP LOCKED);
    IF FOUND THEN RETURN NULL; END IF;
  END IF;
  FOR store IN SELECT DISTINCT c.store_id FROM changed c LOOP
    PERFORM raise_catalog_version(store, TG_ARGV[0]);
  END LOOP;
  RETURN NULL;
END
$$;
SELECT pin_function('catalog_version_raised');

-- As before, in a language whose statements are planned once by each connection.
CREATE OR REPLACE FUNCTION search_keys(store text, word text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF length(word) NOT BETWEEN 3 AND 40 OR word ~ '^[0-9]+$' THEN RETURN '{}'; END IF;
  RETURN ARRAY(
    SELECT DISTINCT search_mark(store) || k FROM (
      SELECT '-' || word UNION ALL SELECT '-' || left(word, i - 1) || substr(word, i + 1) FROM generate_series(1, length(word)) AS i
      UNION ALL SELECT '~' || substr('  ' || word || ' ', i, 3) FROM generate_series(1, length(word) + 1) AS i) AS made (k));
END
$$;
