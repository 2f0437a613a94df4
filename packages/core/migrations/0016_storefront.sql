-- What storefronts read of products is composed when they are written: one row for each product that is not deleted, with what lists filter and sort by, and one
-- document for each active one, which holds what a storefront shows of it but for what changes without a write (decision 0024).
-- `price` is the lowest price that a shopper pays from `price_since` until `price_until`, when a sale begins or ends; at other times it follows from the other
-- price columns: `sale_price` inside of the window (without dates: always) and `regular_price` outside of it. All are minor units.
-- `buyable` is whether one unit can be bought; NULL where that is only decided when it is read. `filter_keys` are ids to filter by.
CREATE TABLE product_listing (
  -- Columns of one width come first: a list that is counted reads a few of them in each row, and finds these without reading what stands before them.
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  price_since timestamptz NOT NULL,
  price_until timestamptz NOT NULL,
  price bigint NOT NULL,
  regular_price bigint NOT NULL,
  sale_price bigint NOT NULL,
  base_price bigint NOT NULL,
  menu_order int NOT NULL,
  store_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  status text NOT NULL,
  channel_ids text[] COLLATE "C",
  -- The words that a search finds a product by (decision 0025), made by the process that writes it (storefront/internal/searchVector.ts).
  -- It lies outside of the row, so that rows are short: a search for a common word reads all of them to count them. PostgreSQL moves a value out only where the row is
  -- longer than 2 kB, so `filler` makes it so, and is compressed to some 40 bytes once that is done: of the columns that are MAIN none is moved out.
  search tsvector NOT NULL DEFAULT ''::tsvector,
  type text NOT NULL,
  filter_keys text[] COLLATE "C" NOT NULL,
  name text NOT NULL,
  slug text NOT NULL,
  sku text,
  sale_starts_at timestamptz,
  sale_ends_at timestamptz,
  buyable boolean,
  filler text NOT NULL DEFAULT repeat(' ', 2100),
  CONSTRAINT product_listing_pkey PRIMARY KEY (store_id, product_id),
  CONSTRAINT product_listing_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product (store_id, id)
);
CREATE INDEX product_listing_search_idx ON product_listing USING gin (search) WITH (gin_pending_list_limit='512');
CREATE INDEX product_listing_store_id_base_price_idx ON product_listing (store_id, base_price, product_id) INCLUDE (status, channel_ids);
CREATE INDEX product_listing_store_id_created_at_idx ON product_listing (store_id, created_at, product_id) INCLUDE (status, channel_ids);
CREATE INDEX product_listing_store_id_menu_order_idx ON product_listing (store_id, menu_order, product_id) INCLUDE (status, channel_ids);
CREATE INDEX product_listing_store_id_name_idx ON product_listing (store_id, name, product_id) INCLUDE (status, channel_ids);
-- Lists by price are counted and sorted by this index alone. Pages that were written are read by a count too, until VACUUM
-- has marked them: it comes for each fiftieth of the rows.
CREATE INDEX product_listing_store_id_price_idx ON product_listing (store_id, price, product_id)
  INCLUDE (status, channel_ids, price_since, price_until);
ALTER TABLE product_listing SET (autovacuum_vacuum_scale_factor = 0.02);
-- Rows that were written by a process whose clock is ahead of a reader's: the reader looks for them each time.
CREATE INDEX product_listing_store_id_price_since_idx ON product_listing (store_id, price_since) WHERE price_since > '-infinity';
CREATE INDEX product_listing_store_id_price_until_idx ON product_listing (store_id, price_until) WHERE price_until < 'infinity';
CREATE INDEX product_listing_store_id_slug_idx ON product_listing (store_id, slug) WHERE status = 'active';
CREATE INDEX product_listing_store_id_undecided_idx ON product_listing (store_id) WHERE buyable IS NULL AND status = 'active';
-- Ids are unique over all stores, so the entries of one are one store's.
CREATE INDEX product_listing_filter_keys_idx ON product_listing USING gin (filter_keys) WHERE status = 'active';
ALTER TABLE product_listing ALTER COLUMN channel_ids SET STORAGE MAIN;
ALTER TABLE product_listing ALTER COLUMN filler SET STORAGE MAIN;
ALTER TABLE product_listing ALTER COLUMN name SET STORAGE MAIN;
ALTER TABLE product_listing ALTER COLUMN product_id SET STORAGE MAIN;
ALTER TABLE product_listing ALTER COLUMN search SET STORAGE EXTERNAL;
ALTER TABLE product_listing ALTER COLUMN sku SET STORAGE MAIN;
ALTER TABLE product_listing ALTER COLUMN slug SET STORAGE MAIN;
ALTER TABLE product_listing ALTER COLUMN status SET STORAGE MAIN;
ALTER TABLE product_listing ALTER COLUMN store_id SET STORAGE MAIN;
ALTER TABLE product_listing ALTER COLUMN filter_keys SET STORAGE MAIN;
ALTER TABLE product_listing ALTER COLUMN type SET STORAGE MAIN;
SELECT tenant_table('product_listing');

-- Found by the ids of a product's page: nothing else is read of it. Documents lie in the row, uncompressed, up to a page: 20 of them are 20 pages and no work.
-- `digest` tells a process whether the document it remembers is still this one.
CREATE TABLE product_document (
  store_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  stock_keys text[] COLLATE "C" NOT NULL,
  document text NOT NULL,
  digest text COLLATE "C" NOT NULL GENERATED ALWAYS AS (md5(document)) STORED,
  -- The products that a composed document names by id. Readers leave out those that shoppers cannot see now, which no write of the naming product tells.
  link_ids text[] COLLATE "C" NOT NULL DEFAULT '{}',
  CONSTRAINT product_document_pkey PRIMARY KEY (store_id, product_id),
  CONSTRAINT product_document_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product_listing (store_id, product_id) ON DELETE CASCADE
) WITH (toast_tuple_target = 8160);
ALTER TABLE product_document ALTER COLUMN document SET STORAGE EXTERNAL;
SELECT tenant_table('product_document');

-- Marks of products whose listing row or document may not be what their rows say. Composing a product removes its marks before its rows are read, so those that remain
-- are of writers that do not compose: a host's own SQL, or an earlier release (`rows`). `stock`: only `buyable` may differ. `again`: nothing that a reader sees differs.
-- Marks are added and removed, never changed, so that no writer waits for another.
CREATE TABLE product_stale (
  store_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  cause text NOT NULL,
  CONSTRAINT product_stale_pkey PRIMARY KEY (store_id, product_id, id),
  CONSTRAINT product_stale_cause_check CHECK (cause IN ('rows', 'stock', 'again'))
);
SELECT tenant_table('product_stale');

-- Versions of a store, by kind: aspects of its listing (`members`, `text`, `price`, `stock`; see product_listing_versions) and the `labels` that its products share. A
-- version is the sum of the rows of its kind. A writer raises a row that no other writer holds, or adds one, so that writers do not wait for each other.
CREATE TABLE catalog_version (
  store_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  slot bigint NOT NULL,
  version bigint NOT NULL,
  CONSTRAINT catalog_version_pkey PRIMARY KEY (store_id, kind, slot)
) WITH (fillfactor = 50);
SELECT tenant_table('catalog_version');

-- Words that a misspelt one may stand for, with what finds them: the word with each letter left out (-), and its trigrams (~). A word is only ever added, and
-- may be there twice: writers who bring the same word do not wait for each other.
CREATE TABLE search_word (
  store_id text COLLATE "C" NOT NULL,
  word text COLLATE "C" NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  keys text[] COLLATE "C" NOT NULL,
  -- Since when no product uses the word. A writer takes it for absent, a search knows it until SearchWordRepository removes it: a process that remembers the word
  -- may have used it again without writing it.
  unused_since timestamptz,
  CONSTRAINT search_word_pkey PRIMARY KEY (store_id, word, id)
);
CREATE INDEX search_word_keys_idx ON search_word USING gin (keys);
SELECT tenant_table('search_word');

-- Words of the names of things that products are filed under, by the id that a product's search column holds.
CREATE TABLE search_name (
  store_id text COLLATE "C" NOT NULL,
  word text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- Products are found by the names of categories and brands that a channel shows, and not by those that it does not: which words such a name has is nobody's business
  -- there. The channels are kept beside the words, so that a search reads no more rows than before.
  channel_ids text[] COLLATE "C",
  CONSTRAINT search_name_pkey PRIMARY KEY (store_id, word, id)
);
CREATE INDEX search_name_store_id_id_idx ON search_name (store_id, id);
SELECT tenant_table('search_name');

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

-- Raises a version for each store of which the statement has changed a row; the trigger's argument says which.
CREATE FUNCTION catalog_version_raised() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE FUNCTION versioned_table(name regclass, what text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER %s_inserted_version AFTER INSERT ON %s REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised(%L)', name, name, what);
  EXECUTE format('CREATE TRIGGER %s_updated_version AFTER UPDATE ON %s REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised(%L)', name, name, what);
  EXECUTE format('CREATE TRIGGER %s_deleted_version AFTER DELETE ON %s REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised(%L)', name, name, what);
END
$$;

CREATE FUNCTION label_table(name regclass) RETURNS void LANGUAGE sql AS $$ SELECT versioned_table(name, 'labels') $$;

CREATE FUNCTION product_listing_versions() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  aspect record;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    FOR aspect IN
      SELECT n.store_id,
        bool_or((o.status, o.type, o.channel_ids, o.filter_keys, o.menu_order, o.created_at)
          IS DISTINCT FROM (n.status, n.type, n.channel_ids, n.filter_keys, n.menu_order, n.created_at)) AS members,
        bool_or((o.name, o.slug, o.sku, o.search) IS DISTINCT FROM (n.name, n.slug, n.sku, n.search)) AS text,
        bool_or((o.base_price, o.price, o.price_since, o.price_until, o.regular_price, o.sale_price, o.sale_starts_at, o.sale_ends_at)
          IS DISTINCT FROM (n.base_price, n.price, n.price_since, n.price_until, n.regular_price, n.sale_price, n.sale_starts_at, n.sale_ends_at)) AS price,
        bool_or(o.buyable IS DISTINCT FROM n.buyable) AS stock
      FROM before o JOIN changed n ON n.store_id = o.store_id AND n.product_id = o.product_id GROUP BY n.store_id
    LOOP
      IF aspect.members THEN PERFORM raise_catalog_version(aspect.store_id, 'members'); END IF;
      IF aspect.text THEN PERFORM raise_catalog_version(aspect.store_id, 'text'); END IF;
      IF aspect.price THEN PERFORM raise_catalog_version(aspect.store_id, 'price'); END IF;
      IF aspect.stock THEN PERFORM raise_catalog_version(aspect.store_id, 'stock'); END IF;
    END LOOP;
    RETURN NULL;
  END IF;
  FOR aspect IN SELECT DISTINCT c.store_id FROM changed c LOOP
    PERFORM raise_catalog_version(aspect.store_id, 'members');
  END LOOP;
  RETURN NULL;
END
$$;

-- Whether a unit of the product can be bought at `at`: of a KIT all of its components, of a VARIABLE product any variant. OFFSET 0 keeps the planner from asking this of
-- all stock of the store first, as it does where the tables were nearly empty when it planned.
CREATE FUNCTION listing_buyable_at(store text, product text, product_type text, at timestamptz) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT CASE product_type
    WHEN 'KIT' THEN EXISTS (SELECT FROM kit_component c WHERE c.store_id = store AND c.kit_id = product) AND NOT EXISTS (
      SELECT FROM kit_component c JOIN product p ON p.store_id = c.store_id AND p.id = c.product_id
      LEFT JOIN product_variant v ON v.store_id = c.store_id AND v.id = c.variant_id AND v.product_id = p.id
      WHERE c.store_id = store AND c.kit_id = product
        AND NOT (kit_component_is_offered(c.variant_id, p.type, p.status, p.deleted_at, v.status) AND EXISTS (SELECT FROM stock s
          WHERE s.store_id = store AND s.key = coalesce(c.variant_id, c.product_id) AND stock_sells_at(s, c.quantity, at))))
    WHEN 'VARIABLE' THEN EXISTS (SELECT FROM product_variant v WHERE v.store_id = store AND v.product_id = product AND v.status = 'active' AND EXISTS (
      SELECT FROM stock s WHERE s.store_id = v.store_id AND s.key = v.id AND stock_sells_at(s, 1, at) OFFSET 0))
    ELSE EXISTS (SELECT FROM stock s WHERE s.store_id = store AND s.key = product AND stock_sells_at(s, 1, at))
  END
$$;

-- The same by the rows of stock alone, with all that is held in them. A KIT has none of its own: that is decided when it is read.
CREATE FUNCTION listing_buyable(store text, product text, product_type text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT CASE product_type WHEN 'KIT' THEN NULL ELSE listing_buyable_at(store, product, product_type, '-infinity') END
$$;

-- An alert waits while the product is not shown on the channel where it was asked for.
CREATE FUNCTION stock_watch_is_available(w stock_watch, at timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce((
    SELECT p.status = 'active' AND p.deleted_at IS NULL AND (p.channel_ids IS NULL OR w.sales_channel_id = ANY(p.channel_ids))
      AND CASE WHEN w.variant_id IS NULL THEN listing_buyable_at(w.store_id, w.product_id, p.type, at)
      ELSE p.type = 'VARIABLE' AND EXISTS (SELECT FROM product_variant v JOIN stock s ON s.store_id = v.store_id AND s.key = v.id
        WHERE v.store_id = w.store_id AND v.id = w.variant_id AND v.product_id = p.id AND v.status = 'active' AND stock_sells_at(s, 1, at)) END
    FROM product p WHERE p.store_id = w.store_id AND p.id = w.product_id), false)
$$;

-- What storefronts read of products, put right in several points. Listing rows hold values of filterable metafields only: facets count every term that there is.
-- A definition that becomes filterable, or ceases to be, has the products with its values composed again; nobody waits for it.
CREATE FUNCTION metafield_definition_refiltered() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO product_stale (store_id, product_id, cause)
  SELECT v.store_id, v.product_id, 'again' FROM metafield_value v WHERE v.store_id = NEW.store_id AND v.definition_id = NEW.id;
  RETURN NULL;
END
$$;

-- A row of stock that begins or ceases to have something to sell notes its product; a sale that leaves something pays nothing for it, and nobody waits.
CREATE FUNCTION stock_flipped() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO product_stale (store_id, product_id, cause) VALUES (NEW.store_id, NEW.product_id, 'stock');
  UPDATE stock_watch w SET available_since = CASE WHEN w.available_since IS NULL THEN NEW.updated_at END
  WHERE w.store_id = NEW.store_id AND w.key = ANY (ARRAY[NEW.key, NEW.product_id]
      || ARRAY(SELECT c.kit_id FROM kit_component c WHERE c.store_id = NEW.store_id AND c.product_id = NEW.product_id))
    AND (w.available_since IS NOT NULL) <> stock_watch_is_available(w, NEW.updated_at);
  RETURN NULL;
END
$$;

-- Entries of the indexes begin with it, so that stores with the same words do not read each other's.
CREATE FUNCTION search_mark(store text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT substr(encode(sha256(convert_to(store, 'UTF8')), 'hex'), 1, 6) $$;

-- As `fold` of storefront/internal/searchWords.ts: whatever the locale of the database, Latin, Greek and Cyrillic letters have no case.
CREATE FUNCTION search_fold(raw text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT replace(replace(replace(replace(translate(lower(
    regexp_replace(normalize(lower(normalize(raw, NFKD)), NFKD), '[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u07eb-\u07f3\u07fd\u0816-\u0819\u081b-\u0823\u0825-\u0827\u0829-\u082d\u0859-\u085b\u0897-\u089f\u08ca-\u08e1\u08e3-\u0903\u093a-\u093c\u093e-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc\u09be-\u09c4\u09c7\u09c8\u09cb-\u09cd\u09d7\u09e2\u09e3\u09fe\u0a01-\u0a03\u0a3c\u0a3e-\u0a42\u0a47\u0a48\u0a4b-\u0a4d\u0a51\u0a70\u0a71\u0a75\u0a81-\u0a83\u0abc\u0abe-\u0ac5\u0ac7-\u0ac9\u0acb-\u0acd\u0ae2\u0ae3\u0afa-\u0aff\u0b01-\u0b03\u0b3c\u0b3e-\u0b44\u0b47\u0b48\u0b4b-\u0b4d\u0b55-\u0b57\u0b62\u0b63\u0b82\u0bbe-\u0bc2\u0bc6-\u0bc8\u0bca-\u0bcd\u0bd7\u0c00-\u0c04\u0c3c\u0c3e-\u0c44\u0c46-\u0c48\u0c4a-\u0c4d\u0c55\u0c56\u0c62\u0c63\u0c81-\u0c83\u0cbc\u0cbe-\u0cc4\u0cc6-\u0cc8\u0cca-\u0ccd\u0cd5\u0cd6\u0ce2\u0ce3\u0cf3\u0d00-\u0d03\u0d3b\u0d3c\u0d3e-\u0d44\u0d46-\u0d48\u0d4a-\u0d4d\u0d57\u0d62\u0d63\u0d81-\u0d83\u0dca\u0dcf-\u0dd4\u0dd6\u0dd8-\u0ddf\u0df2\u0df3\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u0f18\u0f19\u0f35\u0f37\u0f39\u0f3e\u0f3f\u0f71-\u0f84\u0f86\u0f87\u0f8d-\u0f97\u0f99-\u0fbc\u0fc6\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u108f\u109a-\u109d\u135d-\u135f\u1712-\u1715\u1732-\u1734\u1752\u1753\u1772\u1773\u17b4-\u17d3\u17dd\u180b-\u180d\u180f\u1885\u1886\u18a9\u1920-\u192b\u1930-\u193b\u1a17-\u1a1b\u1a55-\u1a5e\u1a60-\u1a7c\u1a7f\u1ab0-\u1add\u1ae0-\u1aeb\u1b00-\u1b04\u1b34-\u1b44\u1b6b-\u1b73\u1b80-\u1b82\u1ba1-\u1bad\u1be6-\u1bf3\u1c24-\u1c37\u1cd0-\u1cd2\u1cd4-\u1ce8\u1ced\u1cf4\u1cf7-\u1cf9\u1dc0-\u1dff\u20d0-\u20f0\u2cef-\u2cf1\u2d7f\u2de0-\u2dff\u302a-\u302f\u3099\u309a\ua66f-\ua672\ua674-\ua67d\ua69e\ua69f\ua6f0\ua6f1\ua802\ua806\ua80b\ua823-\ua827\ua82c\ua880\ua881\ua8b4-\ua8c5\ua8e0-\ua8f1\ua8ff\ua926-\ua92d\ua947-\ua953\ua980-\ua983\ua9b3-\ua9c0\ua9e5\uaa29-\uaa36\uaa43\uaa4c\uaa4d\uaa7b-\uaa7d\uaab0\uaab2-\uaab4\uaab7\uaab8\uaabe\uaabf\uaac1\uaaeb-\uaaef\uaaf5\uaaf6\uabe3-\uabea\uabec\uabed\ufb1e\ufe00-\ufe0f\ufe20-\ufe2f]', '', 'g')),
    'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯøØđĐðÐłŁħĦŧŦı', 'αβγδεζηθικλμνξοπρστυφχψωσѐёђѓєѕіїјљњћќѝўџабвгдежзийклмнопрстуфхцчшщъыьэюяooddddllhhtti'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
$$;

-- The words of a name: runs of letters and digits, what punctuation joins also as one word, and pairs of neighbours where a script writes no blanks.
CREATE FUNCTION search_words(raw text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  chunk text; parts text[]; part text; words text[] := '{}'; is_unspaced boolean;
  unspaced CONSTANT text := '\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46\u0e50-\u0e59\u0e81\u0e82\u0e84\u0e86-\u0e8a\u0e8c-\u0ea3\u0ea5\u0ea7-\u0eb0\u0eb2\u0eb3\u0ebd\u0ec0-\u0ec4\u0ec6\u0ed0-\u0ed9\u0edc-\u0edf\u1000-\u102a\u103f-\u1049\u1050-\u1055\u105a-\u105d\u1061\u1065\u1066\u106e-\u1070\u1075-\u1081\u108e\u1090-\u1099\u1780-\u17b3\u17d7\u17dc\u17e0-\u17e9\u17f0-\u17f9\u3005\u3007\u3021-\u3029\u3038-\u303b\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fd-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua9e0-\ua9e4\ua9e6-\ua9fe\uaa60-\uaa76\uaa7a\uaa7e\uaa7f\uf900-\ufa6d\ufa70-\ufad9\uff66-\uff6f\uff71-\uff9d\U00020000-\U0003ffff';
  letters CONSTANT text := '\u0030-\u0039\u0041-\u005a\u0061-\u007a\u00aa\u00b2\u00b3\u00b5\u00b9\u00ba\u00bc-\u00be\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02c1\u02c6-\u02d1\u02e0-\u02e4\u02ec\u02ee\u0370-\u0374\u0376\u0377\u037a-\u037d\u037f\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03f5\u03f7-\u0481\u048a-\u052f\u0531-\u0556\u0559\u0560-\u0588\u05d0-\u05ea\u05ef-\u05f2\u0620-\u064a\u0660-\u0669\u066e\u066f\u0671-\u06d3\u06d5\u06e5\u06e6\u06ee-\u06fc\u06ff\u0710\u0712-\u072f\u074d-\u07a5\u07b1\u07c0-\u07ea\u07f4\u07f5\u07fa\u0800-\u0815\u081a\u0824\u0828\u0840-\u0858\u0860-\u086a\u0870-\u0887\u0889-\u088f\u08a0-\u08c9\u0904-\u0939\u093d\u0950\u0958-\u0961\u0966-\u096f\u0971-\u0980\u0985-\u098c\u098f\u0990\u0993-\u09a8\u09aa-\u09b0\u09b2\u09b6-\u09b9\u09bd\u09ce\u09dc\u09dd\u09df-\u09e1\u09e6-\u09f1\u09f4-\u09f9\u09fc\u0a05-\u0a0a\u0a0f\u0a10\u0a13-\u0a28\u0a2a-\u0a30\u0a32\u0a33\u0a35\u0a36\u0a38\u0a39\u0a59-\u0a5c\u0a5e\u0a66-\u0a6f\u0a72-\u0a74\u0a85-\u0a8d\u0a8f-\u0a91\u0a93-\u0aa8\u0aaa-\u0ab0\u0ab2\u0ab3\u0ab5-\u0ab9\u0abd\u0ad0\u0ae0\u0ae1\u0ae6-\u0aef\u0af9\u0b05-\u0b0c\u0b0f\u0b10\u0b13-\u0b28\u0b2a-\u0b30\u0b32\u0b33\u0b35-\u0b39\u0b3d\u0b5c\u0b5d\u0b5f-\u0b61\u0b66-\u0b6f\u0b71-\u0b77\u0b83\u0b85-\u0b8a\u0b8e-\u0b90\u0b92-\u0b95\u0b99\u0b9a\u0b9c\u0b9e\u0b9f\u0ba3\u0ba4\u0ba8-\u0baa\u0bae-\u0bb9\u0bd0\u0be6-\u0bf2\u0c05-\u0c0c\u0c0e-\u0c10\u0c12-\u0c28\u0c2a-\u0c39\u0c3d\u0c58-\u0c5a\u0c5c\u0c5d\u0c60\u0c61\u0c66-\u0c6f\u0c78-\u0c7e\u0c80\u0c85-\u0c8c\u0c8e-\u0c90\u0c92-\u0ca8\u0caa-\u0cb3\u0cb5-\u0cb9\u0cbd\u0cdc-\u0cde\u0ce0\u0ce1\u0ce6-\u0cef\u0cf1\u0cf2\u0d04-\u0d0c\u0d0e-\u0d10\u0d12-\u0d3a\u0d3d\u0d4e\u0d54-\u0d56\u0d58-\u0d61\u0d66-\u0d78\u0d7a-\u0d7f\u0d85-\u0d96\u0d9a-\u0db1\u0db3-\u0dbb\u0dbd\u0dc0-\u0dc6\u0de6-\u0def\u0f00\u0f20-\u0f33\u0f40-\u0f47\u0f49-\u0f6c\u0f88-\u0f8c\u10a0-\u10c5\u10c7\u10cd\u10d0-\u10fa\u10fc-\u1248\u124a-\u124d\u1250-\u1256\u1258\u125a-\u125d\u1260-\u1288\u128a-\u128d\u1290-\u12b0\u12b2-\u12b5\u12b8-\u12be\u12c0\u12c2-\u12c5\u12c8-\u12d6\u12d8-\u1310\u1312-\u1315\u1318-\u135a\u1369-\u137c\u1380-\u138f\u13a0-\u13f5\u13f8-\u13fd\u1401-\u166c\u166f-\u167f\u1681-\u169a\u16a0-\u16ea\u16ee-\u16f8\u1700-\u1711\u171f-\u1731\u1740-\u1751\u1760-\u176c\u176e-\u1770\u1810-\u1819\u1820-\u1878\u1880-\u1884\u1887-\u18a8\u18aa\u18b0-\u18f5\u1900-\u191e\u1946-\u196d\u1970-\u1974\u1980-\u19ab\u19b0-\u19c9\u19d0-\u19da\u1a00-\u1a16\u1a20-\u1a54\u1a80-\u1a89\u1a90-\u1a99\u1aa7\u1b05-\u1b33\u1b45-\u1b4c\u1b50-\u1b59\u1b83-\u1ba0\u1bae-\u1be5\u1c00-\u1c23\u1c40-\u1c49\u1c4d-\u1c7d\u1c80-\u1c8a\u1c90-\u1cba\u1cbd-\u1cbf\u1ce9-\u1cec\u1cee-\u1cf3\u1cf5\u1cf6\u1cfa\u1d00-\u1dbf\u1e00-\u1f15\u1f18-\u1f1d\u1f20-\u1f45\u1f48-\u1f4d\u1f50-\u1f57\u1f59\u1f5b\u1f5d\u1f5f-\u1f7d\u1f80-\u1fb4\u1fb6-\u1fbc\u1fbe\u1fc2-\u1fc4\u1fc6-\u1fcc\u1fd0-\u1fd3\u1fd6-\u1fdb\u1fe0-\u1fec\u1ff2-\u1ff4\u1ff6-\u1ffc\u2070\u2071\u2074-\u2079\u207f-\u2089\u2090-\u209c\u2102\u2107\u210a-\u2113\u2115\u2119-\u211d\u2124\u2126\u2128\u212a-\u212d\u212f-\u2139\u213c-\u213f\u2145-\u2149\u214e\u2150-\u2189\u2460-\u249b\u24ea-\u24ff\u2776-\u2793\u2c00-\u2ce4\u2ceb-\u2cee\u2cf2\u2cf3\u2cfd\u2d00-\u2d25\u2d27\u2d2d\u2d30-\u2d67\u2d6f\u2d80-\u2d96\u2da0-\u2da6\u2da8-\u2dae\u2db0-\u2db6\u2db8-\u2dbe\u2dc0-\u2dc6\u2dc8-\u2dce\u2dd0-\u2dd6\u2dd8-\u2dde\u2e2f\u3006\u3031-\u3035\u303c\u30fc\u3105-\u312f\u3131-\u318e\u3192-\u3195\u31a0-\u31bf\u3220-\u3229\u3248-\u324f\u3251-\u325f\u3280-\u3289\u32b1-\u32bf\ua000-\ua48c\ua4d0-\ua4fd\ua500-\ua60c\ua610-\ua62b\ua640-\ua66e\ua67f-\ua69d\ua6a0-\ua6ef\ua717-\ua71f\ua722-\ua788\ua78b-\ua7dc\ua7f1-\ua801\ua803-\ua805\ua807-\ua80a\ua80c-\ua822\ua830-\ua835\ua840-\ua873\ua882-\ua8b3\ua8d0-\ua8d9\ua8f2-\ua8f7\ua8fb\ua8fd\ua8fe\ua900-\ua925\ua930-\ua946\ua960-\ua97c\ua984-\ua9b2\ua9cf-\ua9d9\uaa00-\uaa28\uaa40-\uaa42\uaa44-\uaa4b\uaa50-\uaa59\uaa80-\uaaaf\uaab1\uaab5\uaab6\uaab9-\uaabd\uaac0\uaac2\uaadb-\uaadd\uaae0-\uaaea\uaaf2-\uaaf4\uab01-\uab06\uab09-\uab0e\uab11-\uab16\uab20-\uab26\uab28-\uab2e\uab30-\uab5a\uab5c-\uab69\uab70-\uabe2\uabf0-\uabf9\uac00-\ud7a3\ud7b0-\ud7c6\ud7cb-\ud7fb\ufb00-\ufb06\ufb13-\ufb17\ufb1d\ufb1f-\ufb28\ufb2a-\ufb36\ufb38-\ufb3c\ufb3e\ufb40\ufb41\ufb43\ufb44\ufb46-\ufbb1\ufbd3-\ufd3d\ufd50-\ufd8f\ufd92-\ufdc7\ufdf0-\ufdfb\ufe70-\ufe74\ufe76-\ufefc\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff70\uff9e-\uffbe\uffc2-\uffc7\uffca-\uffcf\uffd2-\uffd7\uffda-\uffdc\U00010000-\U0001efff';
BEGIN
  FOREACH chunk IN ARRAY regexp_split_to_array(search_fold(raw), '[\s\u0085\u1680\u2028\u2029\ufeff]+') LOOP
    parts := ARRAY(SELECT coalesce(m[1], m[2]) FROM regexp_matches(chunk, '([' || unspaced || ']+)|([' || letters || ']+)', 'g') AS m);
    is_unspaced := false;
    FOREACH part IN ARRAY parts LOOP
      IF part ~ ('^[' || unspaced || ']') THEN
        is_unspaced := true;
        words := words || CASE WHEN length(part) = 1 THEN ARRAY[part] ELSE ARRAY(SELECT substr(part, i, 2) FROM generate_series(1, length(part) - 1) AS i) END;
      ELSE
        words := words || left(part, 64);
      END IF;
    END LOOP;
    IF cardinality(parts) > 1 AND NOT is_unspaced THEN words := words || left(array_to_string(parts, ''), 64); END IF;
  END LOOP;
  RETURN ARRAY(SELECT DISTINCT w FROM unnest(words) AS w ORDER BY w);
END
$$;

-- A search is bounded in what it reads, whatever is typed: an unknown word costs look-ups by an index, and what costs more than that is done for a few words of a search.
-- What finds a word to correct another by: the word with each letter left out (-), and its trigrams (~). Numbers with letters in them share trigrams by the thousand,
-- and one is never meant for another that has little in common with it: they have none.
CREATE FUNCTION search_keys(store text, word text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF length(word) NOT BETWEEN 3 AND 40 OR word ~ '^[0-9]+$' THEN RETURN '{}'; END IF;
  RETURN ARRAY(
    SELECT DISTINCT search_mark(store) || k FROM (
      SELECT '-' || word UNION ALL SELECT '-' || left(word, i - 1) || substr(word, i + 1) FROM generate_series(1, length(word)) AS i
      UNION ALL SELECT '~' || substr('  ' || word || ' ', i, 3) FROM generate_series(1, length(word) + 1) AS i WHERE word !~ '[0-9]') AS made (k));
END
$$;

-- One term of a search at a level (0: whole words of names), as text of a tsquery. `near` stands for its one word, `named` are things it is a name of.
CREATE FUNCTION search_term(mark text, level int, term jsonb, named text[], near text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT (CASE WHEN (term ->> 'excluded')::boolean THEN '!' ELSE '' END) || '(' || concat_ws(' | ',
    (SELECT '(' || string_agg(format('''%s%s%s''%s', mark, at.level, w.value, CASE WHEN at.begins AND w.i = jsonb_array_length(term -> 'words') THEN ':*' ELSE '' END),
      CASE WHEN (term ->> 'quoted')::boolean THEN ' <-> ' ELSE ' & ' END ORDER BY w.i) || ')'
      FROM jsonb_array_elements_text(term -> 'words') WITH ORDINALITY AS w (value, i)),
    (SELECT format('''%s%s%s''%s', mark, at.level, term ->> 'joined', CASE WHEN at.begins THEN ':*' ELSE '' END) WHERE term ->> 'joined' IS NOT NULL),
    (SELECT string_agg(format('''%s%s%s''', mark, at.level, w), ' | ') FROM unnest(near) AS w),
    (SELECT string_agg(format('''%s#%s''', mark, i), ' | ') FROM unnest(named) AS i WHERE at.level > 1)) || ')'
  FROM (SELECT CASE WHEN (term ->> 'excluded')::boolean THEN 3 ELSE greatest(level, 1) END AS level, (term ->> 'begins')::boolean AND level > 0 AS begins) AS at
$$;

-- Adds the words that are new to the store. Call it in the transaction that writes the product or the name.
CREATE FUNCTION search_words_known(store text, words text[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO search_word (store_id, word, keys)
  SELECT store, w, search_keys(store, w) FROM (SELECT DISTINCT unnest(words)) AS new (w)
  WHERE NOT EXISTS (SELECT 1 FROM search_word k WHERE k.store_id = store AND k.word = new.w AND k.unused_since IS NULL)
$$;

-- Keeps the words of a name as they are after a change of its row.
CREATE FUNCTION search_name_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  words text[] := '{}';
  -- Not every table of names has channels.
  published jsonb := to_jsonb(NEW) -> 'channel_ids';
BEGIN
  DELETE FROM search_name n WHERE n.store_id = NEW.store_id AND n.id = NEW.id;
  IF NEW.is_active AND NEW.deleted_at IS NULL THEN
    words := search_words(concat_ws(' ', NEW.name, (SELECT string_agg(t.value ->> 'name', ' ') FROM jsonb_each(NEW.translations) AS t
      WHERE jsonb_typeof(t.value) = 'object')));
    INSERT INTO search_name (store_id, word, id, channel_ids) SELECT NEW.store_id, w, NEW.id, CASE WHEN jsonb_typeof(published) = 'array'
      THEN ARRAY(SELECT jsonb_array_elements_text(published)) END FROM unnest(words) AS w;
    PERFORM search_words_known(NEW.store_id, words);
  END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION search_name_published() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE search_name n SET channel_ids = NEW.channel_ids WHERE n.store_id = NEW.store_id AND n.id = NEW.id;
  RETURN NULL;
END
$$;

-- Call it in the migration of a table with names that products are found by: it has is_active, deleted_at and translations, and its ids are filter keys of products.
CREATE FUNCTION searched_names(name regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER %s_inserted_name AFTER INSERT ON %s FOR EACH ROW EXECUTE FUNCTION search_name_changed()', name, name);
  EXECUTE format('CREATE TRIGGER %s_updated_name AFTER UPDATE ON %s FOR EACH ROW
    WHEN ((OLD.name, OLD.translations, OLD.is_active, OLD.deleted_at) IS DISTINCT FROM (NEW.name, NEW.translations, NEW.is_active, NEW.deleted_at))
    EXECUTE FUNCTION search_name_changed()', name, name);
END
$$;

-- Names of things whose words include all of these, the last of them by its beginning where it is one: `most` at most. search_name_pkey serves.
CREATE FUNCTION search_named(store text, words text[], begins boolean, reader text, most int) RETURNS text[] LANGUAGE plpgsql STABLE AS $$
DECLARE
  first CONSTANT text := words[cardinality(words)];
  last CONSTANT text := CASE WHEN begins THEN first || chr(1114111) ELSE first END;
BEGIN
  RETURN ARRAY(SELECT n.id FROM search_name n WHERE n.store_id = store AND n.word >= first AND n.word <= last
      AND (reader IS NULL OR n.channel_ids IS NULL OR reader = ANY(n.channel_ids))
      AND NOT EXISTS (SELECT 1 FROM unnest(words[1:cardinality(words) - 1]) AS w WHERE NOT EXISTS (
        SELECT 1 FROM search_name o WHERE o.store_id = store AND o.word = w AND o.id = n.id))
    GROUP BY n.id ORDER BY n.id LIMIT most);
END
$$;

-- Whether a name, number, tag or variant has the word, or one that begins with it. search_word_pkey serves.
CREATE FUNCTION search_lists(store text, asked text, begins boolean) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
  last CONSTANT text := CASE WHEN begins THEN asked || chr(1114111) ELSE asked END;
BEGIN
  RETURN EXISTS (SELECT FROM search_word k WHERE k.store_id = store AND k.word >= asked AND k.word <= last);
END
$$;

-- Whether a product has it anywhere. product_listing_search_idx serves, whose entries are the store's own: a planner that hopes to meet such a product soon, or that knows no
-- figures yet, reads all products of the store where there is none. So no other way is left to it: store and status are compared as parts of expressions.
CREATE FUNCTION search_describes(store text, asked text, begins boolean, shown text[]) RETURNS boolean LANGUAGE plpgsql STABLE
  SET enable_seqscan = off SET enable_indexscan = off SET enable_indexonlyscan = off AS $$
BEGIN
  RETURN EXISTS (SELECT FROM product_listing l WHERE l.store_id || '' = store AND l.status || '' = ANY(shown)
    AND l.search @@ (format('''%s3%s''%s', search_mark(store), asked, CASE WHEN begins THEN ':*' ELSE '' END)::tsquery));
END
$$;

-- Corrections of a word of four letters or more, nearest first: words that differ by one letter, one letter too many or two
-- letters swapped. If there is none and the word has six letters or more: the words that share most trigrams with it.
-- search_word_keys_idx serves. A candidate shares two neighbouring trigrams; of each pair only a limited number is read, since
-- thousands of words may begin in the same way.
CREATE FUNCTION search_near(store text, asked text) RETURNS text[] LANGUAGE plpgsql STABLE
  SET enable_seqscan = off SET enable_indexscan = off SET enable_indexonlyscan = off AS $$
DECLARE
  known CONSTANT text[] := search_keys(store, asked);
  trigrams CONSTANT text[] := ARRAY(SELECT k FROM unnest(known) AS k WHERE substr(k, 7, 1) = '~');
  following CONSTANT text[] := ARRAY(SELECT search_mark(store) || '~' || substr('  ' || asked || ' ', i, 3) FROM generate_series(1, length(asked) + 1) AS i);
  found text[];
BEGIN
  IF length(asked) < 4 OR known = '{}' THEN RETURN '{}'; END IF;
  found := ARRAY(SELECT n.word FROM (SELECT DISTINCT w.word, w.keys FROM search_word w
      WHERE w.store_id || '' = store AND w.keys && ARRAY(SELECT k FROM unnest(known) AS k WHERE substr(k, 7, 1) = '-')) AS n
    ORDER BY (SELECT count(*) FROM unnest(n.keys) AS k WHERE k = ANY(trigrams)) DESC, abs(length(n.word) - length(asked)), n.word LIMIT 5);
  IF found <> '{}' OR length(asked) < 6 OR trigrams = '{}' THEN RETURN found; END IF;
  RETURN ARRAY(SELECT s.word FROM (
      SELECT n.word, (SELECT count(*) FROM unnest(n.keys) AS k WHERE k = ANY(trigrams))::numeric AS shared, length(n.word) + 1 AS own FROM (
        SELECT DISTINCT c.word, c.keys FROM generate_series(1, cardinality(following) - 1) AS i, LATERAL (
          SELECT w.word, w.keys FROM search_word w WHERE w.store_id || '' = store AND w.keys @> following[i:i + 1] LIMIT 200) AS c) AS n) AS s
    WHERE s.shared / (s.own + cardinality(trigrams) - s.shared) >= 0.4
    ORDER BY s.shared / (s.own + cardinality(trigrams) - s.shared) DESC, s.word LIMIT 5);
END
$$;

-- Whether a name, number, tag or variant of a product has the word, or the name of something that products are filed under.
CREATE FUNCTION search_uses(store text, asked text) RETURNS boolean LANGUAGE plpgsql STABLE
  SET enable_seqscan = off SET enable_indexscan = off SET enable_indexonlyscan = off AS $$
BEGIN
  RETURN EXISTS (SELECT FROM search_name n WHERE n.store_id = store AND n.word = asked)
    OR EXISTS (SELECT FROM product_listing l WHERE l.store_id || '' = store AND l.search @@ (format('''%s2%s''', search_mark(store), asked)::tsquery));
END
$$;

-- What a search asks of the listing, as a query for each level at which products may be found, best first. Of a search, four words that search_word has not are looked for in descriptions and else corrected; words shorter than four letters, and numbers, never are.
-- Its words name fifty things at most. The order of quoted words is read from each product that has them all: where those are more than two thousand,
-- having them all is enough.
CREATE FUNCTION catalog_search(store text, asked jsonb, shown text[], reader text) RETURNS tsquery[] LANGUAGE plpgsql STABLE
  SET enable_seqscan = off AS $$
DECLARE
  mark CONSTANT text := search_mark(store);
  terms jsonb; term jsonb; words text[]; begins boolean; near text[]; named text[];
  whole text[] := ARRAY[NULL, NULL, NULL, NULL]; part text[];
  corrections int := 4; names int := 50;
BEGIN
  FOR terms IN SELECT value FROM jsonb_array_elements(asked) LOOP
    -- All of nothing but exclusions is everything else.
    part := array_fill(CASE WHEN terms @> '[{"excluded": false}]' THEN NULL ELSE format('''%s''', mark) END, ARRAY[4]);
    FOR term IN SELECT value FROM jsonb_array_elements(terms) LOOP
      words := ARRAY(SELECT jsonb_array_elements_text(term -> 'words'));
      begins := (term ->> 'begins')::boolean;
      named := search_named(store, words, begins, reader, names);
      near := '{}';
      IF corrections > 0 AND cardinality(words) = 1 AND term @> '{"quoted": false, "excluded": false}'
        AND length(words[1]) > 3 AND words[1] !~ '^[0-9]+$' AND NOT search_lists(store, words[1], begins) THEN
        corrections := corrections - 1;
        IF NOT search_describes(store, words[1], begins, shown) THEN
          near := search_near(store, words[1]);
          named := named || ARRAY(SELECT i FROM unnest(near) AS w, unnest(search_named(store, ARRAY[w], false, reader, names)) AS i LIMIT names);
        END IF;
      END IF;
      names := greatest(0, names - cardinality(named));
      FOR level IN 0..3 LOOP
        part[level + 1] := concat_ws(' & ', part[level + 1], search_term(mark, level, term, named, near));
      END LOOP;
    END LOOP;
    FOR level IN 1..4 LOOP
      whole[level] := concat_ws(' | ', whole[level], '(' || part[level] || ')');
    END LOOP;
  END LOOP;
  -- Words are letters and digits: nothing else of the text looks like an operator.
  IF whole[4] LIKE '%<->%' AND 2000 < (SELECT count(*) FROM (SELECT FROM product_listing l WHERE l.store_id || '' = store AND l.search @@
      replace(regexp_replace(whole[4], '!\(\([^()]*<->[^()]*\)', format('(''%s''', mark), 'g'), '<->', '&')::tsquery LIMIT 2001) AS found) THEN
    whole := replace(whole::text, '<->', '&')::text[];
  END IF;
  RETURN whole::tsquery[];
END
$$;

SELECT pin_function(f) FROM unnest(ARRAY[
  'catalog_version_raised', 'product_listing_versions', 'metafield_definition_refiltered', 'stock_flipped', 'search_name_changed', 'search_name_published'
]) AS f;

-- Versions by aspect: of the listing, of addresses by language, and of the labels that products share.
CREATE TRIGGER product_listing_inserted_version AFTER INSERT ON product_listing REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION product_listing_versions();
CREATE TRIGGER product_listing_updated_version AFTER UPDATE ON product_listing REFERENCING OLD TABLE AS before NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION product_listing_versions();
CREATE TRIGGER product_listing_deleted_version AFTER DELETE ON product_listing REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION product_listing_versions();
SELECT versioned_table('product_slug', 'text');
SELECT label_table(t::regclass) FROM unnest(ARRAY[
  'category', 'brand', 'attribute', 'attribute_option', 'metafield_definition', 'modifier_group', 'modifier', 'shipping_class'
]) AS t;

-- Marks products stale where a statement changes rows of the table: `marking` is the function of the triggers, which finds these rows in `changed`.
CREATE FUNCTION stale_triggers(name regclass, marking text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER %s_inserted_stale AFTER INSERT ON %s REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION %s()', name, name, marking);
  EXECUTE format('CREATE TRIGGER %s_updated_stale AFTER UPDATE ON %s REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION %s()', name, name, marking);
  EXECUTE format('CREATE TRIGGER %s_deleted_stale AFTER DELETE ON %s REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION %s()', name, name, marking);
END
$$;

-- Call it in the migration of a table whose rows belong to one product each and are shown with it. A change of it marks the product stale, until it is composed: by whoever
-- made the change in the same transaction, or by the product's next reader.
CREATE FUNCTION composed_table(name regclass, product_column text DEFAULT 'product_id') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE FUNCTION %s_stale() RETURNS trigger LANGUAGE plpgsql AS $body$
    BEGIN
      INSERT INTO product_stale (store_id, product_id, cause) SELECT DISTINCT c.store_id, c.%I, ''rows'' FROM changed c;
      RETURN NULL;
    END
    $body$', name, product_column);
  PERFORM pin_function(name || '_stale');
  PERFORM stale_triggers(name, name || '_stale');
END
$$;
SELECT composed_table('product', 'id');
SELECT composed_table('kit_component', 'kit_id');
SELECT composed_table(t::regclass) FROM unnest(ARRAY[
  'product_variant', 'product_category', 'product_brand', 'product_attribute', 'product_modifier_group', 'product_rating'
]) AS t;

-- Values and attachments that go with their definition change nothing that shoppers are shown: the definition is a label. Their products are composed when nobody waits.
CREATE FUNCTION metafield_stale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO product_stale (store_id, product_id, cause)
  SELECT DISTINCT c.store_id, c.product_id, CASE WHEN TG_OP <> 'DELETE' OR EXISTS (SELECT FROM metafield_definition d
    WHERE d.store_id = c.store_id AND d.id = c.definition_id) THEN 'rows' ELSE 'again' END FROM changed c;
  RETURN NULL;
END
$$;
SELECT pin_function('metafield_stale');
SELECT stale_triggers(t::regclass, 'metafield_stale') FROM unnest(ARRAY['metafield_value', 'metafield_definition_product']) AS t;

CREATE TRIGGER metafield_definition_refiltered AFTER UPDATE ON metafield_definition FOR EACH ROW WHEN (OLD.filterable <> NEW.filterable)
  EXECUTE FUNCTION metafield_definition_refiltered();

-- The conditions are what `stock_sells` says of a row, written out: a trigger's condition is planned by each statement that asks it, and stock is written by every
-- reservation.
CREATE TRIGGER stock_began AFTER INSERT ON stock FOR EACH ROW
  WHEN (NEW.tracking_mode <> 'DISABLED' AND (NEW.tracking_mode = 'UNTRACKED' OR NEW.backorder_mode = 'ALLOW'
    OR NEW.total - NEW.reserved + CASE NEW.backorder_mode WHEN 'LIMITED' THEN coalesce(NEW.backorder_limit, 0) ELSE 0 END > 0))
  EXECUTE FUNCTION stock_flipped();
CREATE TRIGGER stock_flipped AFTER UPDATE ON stock FOR EACH ROW
  WHEN ((OLD.tracking_mode <> 'DISABLED' AND (OLD.tracking_mode = 'UNTRACKED' OR OLD.backorder_mode = 'ALLOW'
      OR OLD.total - OLD.reserved + CASE OLD.backorder_mode WHEN 'LIMITED' THEN coalesce(OLD.backorder_limit, 0) ELSE 0 END > 0))
    <> (NEW.tracking_mode <> 'DISABLED' AND (NEW.tracking_mode = 'UNTRACKED' OR NEW.backorder_mode = 'ALLOW'
      OR NEW.total - NEW.reserved + CASE NEW.backorder_mode WHEN 'LIMITED' THEN coalesce(NEW.backorder_limit, 0) ELSE 0 END > 0)))
  EXECUTE FUNCTION stock_flipped();

SELECT searched_names(t::regclass) FROM unnest(ARRAY['category', 'brand', 'attribute_option']) AS t;
CREATE TRIGGER category_published_name AFTER UPDATE ON category FOR EACH ROW
  WHEN (OLD.channel_ids IS DISTINCT FROM NEW.channel_ids) EXECUTE FUNCTION search_name_published();
CREATE TRIGGER brand_published_name AFTER UPDATE ON brand FOR EACH ROW
  WHEN (OLD.channel_ids IS DISTINCT FROM NEW.channel_ids) EXECUTE FUNCTION search_name_published();
