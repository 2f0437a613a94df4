-- Platform tables: accounts, stores, sales channels, credentials, counters. Their list stands in
-- src/database/PlatformTables.ts; every other table is a tenant table.
CREATE TABLE account (
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT account_pkey PRIMARY KEY (id)
);

-- `rules_version` rises in the transaction that changes a setting, a tax rate or a shipping zone of the store;
-- compiled evaluators are kept per version and compared with the value that each read brings along.
CREATE TABLE store (
  id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  currency text NOT NULL,
  country text NOT NULL,
  languages text[] NOT NULL DEFAULT '{en}',
  timezone text NOT NULL DEFAULT 'UTC',
  price_includes_tax boolean NOT NULL DEFAULT false,
  tax_rounding text NOT NULL DEFAULT 'line',
  tax_rounding_mode text NOT NULL DEFAULT 'half_up',
  stack_rounding text NOT NULL DEFAULT 'combined',
  reservation_strategy text NOT NULL DEFAULT 'ON_PAYMENT',
  reservation_minutes int NOT NULL DEFAULT 15,
  customer_verification text NOT NULL DEFAULT 'off',
  late_capture text NOT NULL DEFAULT 'create_order',
  cart_lifetime_minutes int NOT NULL DEFAULT 43200,
  checkout_lifetime_minutes int NOT NULL DEFAULT 1440,
  abandoned_after_minutes int NOT NULL DEFAULT 240,
  recovery_after_minutes int NOT NULL DEFAULT 60,
  suspended_at timestamptz,
  rules_version bigint NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- Lists of a store whose pages were found to be larger than a response may be, by the last word of their path: how many rows a page has, and until when.
  list_limits jsonb NOT NULL DEFAULT '{}',
  CONSTRAINT store_pkey PRIMARY KEY (id),
  CONSTRAINT store_account_id_fkey FOREIGN KEY (account_id) REFERENCES account (id),
  CONSTRAINT store_reservation_minutes_check CHECK (reservation_minutes BETWEEN 1 AND 10080),
  CONSTRAINT store_reservation_strategy_check CHECK (reservation_strategy IN ('ON_PAYMENT', 'ON_CART')),
  CONSTRAINT store_stack_rounding_check CHECK (stack_rounding IN ('combined', 'each')),
  CONSTRAINT store_tax_rounding_check CHECK (tax_rounding IN ('line', 'unit', 'order')),
  CONSTRAINT store_tax_rounding_mode_check CHECK (tax_rounding_mode IN ('half_up', 'half_even', 'half_down'))
);
CREATE INDEX store_account_id_idx ON store (account_id);

CREATE TABLE sales_channel (
  id text COLLATE "C" NOT NULL,
  store_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  domain text,
  mode text NOT NULL DEFAULT 'test',
  storefront_read_enabled boolean NOT NULL DEFAULT true,
  cart_enabled boolean NOT NULL DEFAULT true,
  customer_auth_enabled boolean NOT NULL DEFAULT true,
  orders_write_enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT sales_channel_pkey PRIMARY KEY (id),
  CONSTRAINT sales_channel_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT sales_channel_mode_check CHECK (mode IN ('live', 'test'))
);
CREATE INDEX sales_channel_store_id_idx ON sales_channel (store_id, id);

-- A market. price_rounding is minor units of its currency.
CREATE TABLE region (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  name text NOT NULL,
  currency text NOT NULL,
  countries text[] NOT NULL,
  tax_inclusive boolean NOT NULL,
  price_rounding bigint,
  provider_installation_ids text[] NOT NULL,
  is_default boolean NOT NULL,
  is_active boolean NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT region_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT region_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT region_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  -- A constraint and not a unique index: one statement takes the mark from one region and gives it to another.
  CONSTRAINT region_store_id_is_default_excl EXCLUDE USING btree (store_id WITH =) WHERE (is_default) DEFERRABLE INITIALLY IMMEDIATE
);
SELECT tenant_table('region');

-- The countries of active regions: a country belongs to one of them at most.
CREATE TABLE region_country (
  store_id text COLLATE "C" NOT NULL,
  country text COLLATE "C" NOT NULL,
  region_id text COLLATE "C" NOT NULL,
  CONSTRAINT region_country_pkey PRIMARY KEY (store_id, country),
  CONSTRAINT region_country_store_id_region_id_fkey FOREIGN KEY (store_id, region_id) REFERENCES region (store_id, id) ON DELETE CASCADE
);
CREATE INDEX region_country_store_id_region_id_idx ON region_country (store_id, region_id);
SELECT tenant_table('region_country');

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
SELECT tenant_table('shared_size');

-- A moment is written with as many digits as it needs (`.12`, `.123456`): a row that was only touched was some bytes larger at times, and was refused in a store that
-- has more than 8 MiB of shared things. Sizes leave moments out.
CREATE FUNCTION shared_bytes(thing jsonb, deleted_too text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN deleted_too::boolean OR thing ->> 'deleted_at' IS NULL
    THEN octet_length((thing - '{created_at,updated_at,deleted_at}'::text[])::text) ELSE 0 END::bigint
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

-- Call it in the migration that makes a table whose rows are shared things of a store, while it is empty; `deleted_too`: rows that are marked as deleted are read as well.
CREATE FUNCTION shared_table(name regclass, deleted_too boolean DEFAULT false) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER %s_inserted_size AFTER INSERT ON %s REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed(%L)', name, name, deleted_too);
  EXECUTE format('CREATE TRIGGER %s_updated_size AFTER UPDATE ON %s REFERENCING NEW TABLE AS added OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed(%L)', name, name, deleted_too);
  EXECUTE format('CREATE TRIGGER %s_deleted_size AFTER DELETE ON %s REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed(%L)', name, name, deleted_too);
END
$$;

SELECT pin_function('shared_things_changed');
