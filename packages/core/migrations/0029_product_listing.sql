-- What storefronts read of the catalogue is prepared when it is written (decision 0024): one row for each product that is not deleted, with what lists filter
-- and sort by, and one document for each active one, with the answer of a storefront but for what changes without a write.

-- `price` is the lowest price that a shopper pays from `price_since` until `price_until`, when a sale begins or ends; at other times it follows from the other
-- price columns: `sale_price` inside of the window (without dates: always) and `regular_price` outside of it. All are minor units.
-- `buyable` is whether one unit can be bought; NULL where that is only decided when it is read. `terms` are ids to filter by.
CREATE TABLE product_listing (
  store_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  status text NOT NULL,
  type text NOT NULL,
  name text NOT NULL,
  slug text NOT NULL,
  sku text,
  menu_order int NOT NULL,
  base_price bigint NOT NULL,
  price bigint NOT NULL,
  price_since timestamptz NOT NULL,
  price_until timestamptz NOT NULL,
  regular_price bigint NOT NULL,
  sale_price bigint NOT NULL,
  sale_starts_at timestamptz,
  sale_ends_at timestamptz,
  buyable boolean,
  terms text[] COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT product_listing_pkey PRIMARY KEY (store_id, product_id),
  CONSTRAINT product_listing_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product (store_id, id)
);
CREATE INDEX product_listing_store_id_slug_idx ON product_listing (store_id, slug) WHERE status = 'active';
CREATE INDEX product_listing_store_id_menu_order_idx ON product_listing (store_id, menu_order, product_id) WHERE status = 'active';
CREATE INDEX product_listing_store_id_created_at_idx ON product_listing (store_id, created_at, product_id) WHERE status = 'active';
CREATE INDEX product_listing_store_id_name_idx ON product_listing (store_id, name, product_id) WHERE status = 'active';
CREATE INDEX product_listing_store_id_base_price_idx ON product_listing (store_id, base_price, product_id) WHERE status = 'active';
CREATE INDEX product_listing_store_id_price_idx ON product_listing (store_id, price, product_id) WHERE status = 'active';
CREATE INDEX product_listing_store_id_price_until_idx ON product_listing (store_id, price_until) WHERE price_until < 'infinity';
CREATE INDEX product_listing_store_id_undecided_idx ON product_listing (store_id) WHERE buyable IS NULL AND status = 'active';
-- Ids are unique over all stores, so the entries of one are one store's.
CREATE INDEX product_listing_terms_idx ON product_listing USING gin (terms) WHERE status = 'active';

-- Found by the ids of a product's page: nothing else is read of it. Documents lie in the row, uncompressed, up to a page: 20 of them are 20 pages and no work.
-- `digest` tells a process whether the document it remembers is still this one.
CREATE TABLE product_document (
  store_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  stock_keys text[] COLLATE "C" NOT NULL,
  document text NOT NULL,
  digest text COLLATE "C" NOT NULL GENERATED ALWAYS AS (md5(document)) STORED,
  CONSTRAINT product_document_pkey PRIMARY KEY (store_id, product_id),
  CONSTRAINT product_document_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product_listing (store_id, product_id) ON DELETE CASCADE
) WITH (toast_tuple_target = 8160);
ALTER TABLE product_document ALTER COLUMN document SET STORAGE EXTERNAL;

-- Products whose listing row may not say what their rows say. Whoever composes a product removes its notes before reading it, so what remains was written by
-- somebody who does not compose: a release before, or a host's own SQL (`rows`). `stock`: only `buyable` may differ. `again`: nothing differs as far as anybody
-- knows, and it is to be composed again. Rows are only added and removed, never changed: nobody waits for anybody here.
CREATE TABLE product_stale (
  store_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  cause text NOT NULL,
  CONSTRAINT product_stale_pkey PRIMARY KEY (store_id, product_id, id),
  CONSTRAINT product_stale_cause_check CHECK (cause IN ('rows', 'stock', 'again'))
);

-- The version of a store's listing rows, and of the names that documents show by id (`vocabulary`), is the sum of its rows here. A writer raises one that nobody
-- else holds, or adds one: writers do not wait for each other.
CREATE TABLE catalog_version (
  store_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  slot bigint NOT NULL,
  version bigint NOT NULL,
  CONSTRAINT catalog_version_pkey PRIMARY KEY (store_id, kind, slot),
  CONSTRAINT catalog_version_kind_check CHECK (kind IN ('listing', 'vocabulary'))
) WITH (fillfactor = 50);

-- Products that are there already, of all stores: before these tables belong to one store at a time.
INSERT INTO product_stale (store_id, product_id, cause) SELECT p.store_id, p.id, 'rows' FROM product p WHERE p.deleted_at IS NULL;

SELECT tenant_table(t::regclass) FROM unnest(ARRAY['product_listing', 'product_document', 'product_stale', 'catalog_version']) AS t;

CREATE FUNCTION raise_catalog_version(store text, what text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- In a transaction of one snapshot a row that another has raised since could not be taken: it adds its own.
  IF current_setting('transaction_isolation') = 'read committed' THEN
    UPDATE catalog_version v SET version = v.version + 1
    WHERE v.store_id = store AND v.kind = what AND v.slot = (
      SELECT f.slot FROM catalog_version f WHERE f.store_id = store AND f.kind = what ORDER BY f.slot LIMIT 1 FOR UPDATE SKIP LOCKED);
    IF FOUND THEN RETURN; END IF;
  END IF;
  INSERT INTO catalog_version (store_id, kind, slot, version) VALUES (store, what, floor(random() * 9007199254740992)::bigint, 1);
END
$$;

CREATE FUNCTION catalog_version_of(store text, what text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(v.version), 0)::bigint FROM catalog_version v WHERE v.store_id = store AND v.kind = what
$$;

-- Raises a version for each store of which the statement has changed a row; the trigger's argument says which.
CREATE FUNCTION catalog_version_raised() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE store text;
BEGIN
  FOR store IN SELECT DISTINCT c.store_id FROM changed c LOOP
    PERFORM raise_catalog_version(store, TG_ARGV[0]);
  END LOOP;
  RETURN NULL;
END
$$;

CREATE FUNCTION versioned_table(name regclass, what text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER %s_inserted_version AFTER INSERT ON %s REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised(%L)', name, name, what);
  EXECUTE format('CREATE TRIGGER %s_updated_version AFTER UPDATE ON %s REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised(%L)', name, name, what);
  EXECUTE format('CREATE TRIGGER %s_deleted_version AFTER DELETE ON %s REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised(%L)', name, name, what);
END
$$;

-- Call it in the migration of a table whose rows documents name by id: a change of it raises the version of the store's vocabulary.
CREATE FUNCTION vocabulary_table(name regclass) RETURNS void LANGUAGE sql AS $$ SELECT versioned_table(name, 'vocabulary') $$;

-- Call it in the migration of a table whose rows belong to one product each and are shown with it: a change of it notes the product as stale, until whoever
-- made the change composes it anew.
CREATE FUNCTION composed_table(name regclass, product_column text DEFAULT 'product_id') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE FUNCTION %s_noted() RETURNS trigger LANGUAGE plpgsql AS $body$
    BEGIN
      INSERT INTO product_stale (store_id, product_id, cause) SELECT DISTINCT c.store_id, c.%I, ''rows'' FROM changed c;
      RETURN NULL;
    END
    $body$', name, product_column);
  EXECUTE format('CREATE TRIGGER %s_inserted_stale AFTER INSERT ON %s REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION %s_noted()', name, name, name);
  EXECUTE format('CREATE TRIGGER %s_updated_stale AFTER UPDATE ON %s REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION %s_noted()', name, name, name);
  EXECUTE format('CREATE TRIGGER %s_deleted_stale AFTER DELETE ON %s REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION %s_noted()', name, name, name);
END
$$;

SELECT versioned_table('product_listing', 'listing');
SELECT vocabulary_table(t::regclass) FROM unnest(ARRAY['category', 'shipping_class']) AS t;
SELECT composed_table('product', 'id');
SELECT composed_table('product_variant');
SELECT composed_table('product_category');

-- Whether a row of stock has a unit to sell, by the rule of kernel/Availability.
CREATE FUNCTION stock_sells(tracking_mode text, backorder_mode text, backorder_limit int, total int, reserved int) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT tracking_mode <> 'DISABLED' AND (tracking_mode = 'UNTRACKED' OR backorder_mode = 'ALLOW'
    OR total - reserved + CASE backorder_mode WHEN 'LIMITED' THEN coalesce(backorder_limit, 0) ELSE 0 END > 0)
$$;

-- Whether a unit of the product can be bought, by the rows of stock alone. A KIT has none of its own: that is decided when it is read.
CREATE FUNCTION listing_buyable(store text, product text, product_type text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT CASE product_type
    WHEN 'KIT' THEN NULL
    WHEN 'VARIABLE' THEN EXISTS (SELECT 1 FROM product_variant v JOIN stock s ON s.store_id = v.store_id AND s.key = v.id
      WHERE v.store_id = store AND v.product_id = product AND v.status = 'active'
        AND stock_sells(s.tracking_mode, s.backorder_mode, s.backorder_limit, s.total, s.reserved))
    ELSE EXISTS (SELECT 1 FROM stock s WHERE s.store_id = store AND s.key = product
      AND stock_sells(s.tracking_mode, s.backorder_mode, s.backorder_limit, s.total, s.reserved))
  END
$$;

-- The same as it is at `at`: what is held past its time is free again, before the worker has written that down.
CREATE FUNCTION stock_sells_at(s stock, at timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT stock_sells(s.tracking_mode, s.backorder_mode, s.backorder_limit, s.total, CASE WHEN s.reserved = 0 THEN 0 ELSE s.reserved - coalesce((
    SELECT sum(r.quantity)::int FROM reservation r WHERE r.store_id = s.store_id AND r.key = s.key AND r.expires_at <= at), 0) END)
$$;
CREATE FUNCTION listing_buyable_at(store text, product text, product_type text, at timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT CASE product_type
    WHEN 'KIT' THEN false
    WHEN 'VARIABLE' THEN EXISTS (SELECT 1 FROM product_variant v JOIN stock s ON s.store_id = v.store_id AND s.key = v.id
      WHERE v.store_id = store AND v.product_id = product AND v.status = 'active' AND stock_sells_at(s, at))
    ELSE EXISTS (SELECT 1 FROM stock s WHERE s.store_id = store AND s.key = product AND stock_sells_at(s, at))
  END
$$;

-- A row of stock that begins or ceases to have something to sell notes its product; a sale that leaves something pays nothing for it, and nobody waits.
CREATE FUNCTION stock_flipped() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO product_stale (store_id, product_id, cause) VALUES (NEW.store_id, NEW.product_id, 'stock');
  RETURN NULL;
END
$$;
CREATE TRIGGER stock_began AFTER INSERT ON stock FOR EACH ROW
  WHEN (stock_sells(NEW.tracking_mode, NEW.backorder_mode, NEW.backorder_limit, NEW.total, NEW.reserved)) EXECUTE FUNCTION stock_flipped();
CREATE TRIGGER stock_flipped AFTER UPDATE ON stock FOR EACH ROW
  WHEN (stock_sells(OLD.tracking_mode, OLD.backorder_mode, OLD.backorder_limit, OLD.total, OLD.reserved)
    <> stock_sells(NEW.tracking_mode, NEW.backorder_mode, NEW.backorder_limit, NEW.total, NEW.reserved)) EXECUTE FUNCTION stock_flipped();
