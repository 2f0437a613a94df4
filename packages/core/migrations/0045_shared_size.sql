-- What of a store is small, shared by many of its products and read whole (categories, brands, attributes, modifier groups, definitions of metafields, tax and
-- shipping classes, tax rates) has one bound over its sum: it travels as one value, and a process keeps it. A write that makes the sum larger is refused above it.

-- The bytes of a store's shared things as JSON are the sum of its rows here. As with `catalog_version`, a writer changes a row that nobody else holds, or adds one:
-- writers do not wait for each other, and what they add at the same moment may exceed the bound by what each may add alone.
CREATE TABLE shared_size (
  store_id text COLLATE "C" NOT NULL,
  slot bigint NOT NULL,
  bytes bigint NOT NULL,
  CONSTRAINT shared_size_pkey PRIMARY KEY (store_id, slot)
) WITH (fillfactor = 50);

-- What is deleted is not read, but for what variants go on naming.
CREATE FUNCTION shared_bytes(thing jsonb, deleted_too text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN deleted_too::boolean OR thing ->> 'deleted_at' IS NULL THEN octet_length(thing::text) ELSE 0 END::bigint
$$;

-- Without a thing it is not judged.
CREATE FUNCTION grow_shared(store text, growth bigint, thing name) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- In a transaction of one snapshot a row that another has changed since could not be taken.
  IF current_setting('transaction_isolation') = 'read committed' THEN
    UPDATE shared_size s SET bytes = s.bytes + growth WHERE s.store_id = store AND s.slot = (
      SELECT f.slot FROM shared_size f WHERE f.store_id = store LIMIT 1 FOR UPDATE SKIP LOCKED);
  END IF;
  IF current_setting('transaction_isolation') <> 'read committed' OR NOT FOUND THEN
    INSERT INTO shared_size (store_id, slot, bytes) VALUES (store, floor(random() * 9007199254740992)::bigint, growth);
  END IF;
  IF growth > 0 AND thing IS NOT NULL AND (SELECT sum(s.bytes) FROM shared_size s WHERE s.store_id = store) > 8388608 THEN
    RAISE EXCEPTION 'the shared things of % have more than 8 MiB', store
      USING ERRCODE = 'check_violation', CONSTRAINT = 'shared_size', TABLE = thing;
  END IF;
END
$$;

CREATE FUNCTION shared_things_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  store text;
  growth bigint;
BEGIN
  IF TG_OP = 'INSERT' THEN
    FOR store, growth IN SELECT a.store_id, sum(shared_bytes(to_jsonb(a), TG_ARGV[0])) FROM added a GROUP BY a.store_id LOOP
      PERFORM grow_shared(store, growth, TG_TABLE_NAME);
    END LOOP;
  ELSIF TG_OP = 'DELETE' THEN
    FOR store, growth IN SELECT g.store_id, sum(shared_bytes(to_jsonb(g), TG_ARGV[0])) FROM gone g GROUP BY g.store_id LOOP
      PERFORM grow_shared(store, -growth, TG_TABLE_NAME);
    END LOOP;
  ELSE
    FOR store, growth IN SELECT c.store_id, sum(c.bytes) FROM (
        SELECT a.store_id, shared_bytes(to_jsonb(a), TG_ARGV[0]) AS bytes FROM added a
        UNION ALL SELECT g.store_id, -shared_bytes(to_jsonb(g), TG_ARGV[0]) FROM gone g) c GROUP BY c.store_id HAVING sum(c.bytes) <> 0 LOOP
      -- Options that pass their names on let go of them for the length of a statement.
      PERFORM grow_shared(store, growth, CASE WHEN TG_TABLE_NAME <> 'attribute_option'
        OR EXISTS (SELECT FROM added a WHERE to_jsonb(a) ->> 'name' <> to_jsonb(a) ->> 'id') THEN TG_TABLE_NAME END);
    END LOOP;
  END IF;
  RETURN NULL;
END
$$;
SELECT pin_function('shared_things_changed');

-- Call it in the migration of a table whose rows are shared things of a store; `deleted_too`: rows that are marked as deleted are read as well.
CREATE FUNCTION shared_table(name regclass, deleted_too boolean DEFAULT false) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('INSERT INTO shared_size (store_id, slot, bytes)
    SELECT t.store_id, floor(random() * 9007199254740992)::bigint, sum(shared_bytes(to_jsonb(t), %L)) FROM %s t GROUP BY t.store_id', deleted_too, name);
  EXECUTE format('CREATE TRIGGER %s_inserted_size AFTER INSERT ON %s REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed(%L)', name, name, deleted_too);
  EXECUTE format('CREATE TRIGGER %s_updated_size AFTER UPDATE ON %s REFERENCING NEW TABLE AS added OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed(%L)', name, name, deleted_too);
  EXECUTE format('CREATE TRIGGER %s_deleted_size AFTER DELETE ON %s REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed(%L)', name, name, deleted_too);
END
$$;

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['category', 'brand', 'attribute', 'attribute_option', 'modifier_group', 'modifier', 'metafield_definition', 'tax_class', 'tax_rate',
    'shipping_class'] LOOP
    EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', name);
    PERFORM shared_table(name::regclass, name LIKE 'attribute%');
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
  END LOOP;
END
$$;
SELECT tenant_table('shared_size');
