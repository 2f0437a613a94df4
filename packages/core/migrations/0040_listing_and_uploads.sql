-- What storefronts read of products, put right in several points. Listing rows hold values of filterable metafields only: facets count every term that there is.
-- A definition that becomes filterable, or ceases to be, has the products with its values composed again; nobody waits for it.
CREATE FUNCTION metafield_definition_refiltered() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO product_stale (store_id, product_id, cause)
  SELECT v.store_id, v.product_id, 'again' FROM metafield_value v WHERE v.store_id = NEW.store_id AND v.definition_id = NEW.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER metafield_definition_refiltered AFTER UPDATE ON metafield_definition FOR EACH ROW WHEN (OLD.filterable <> NEW.filterable)
  EXECUTE FUNCTION metafield_definition_refiltered();

-- Rows that are there, of all stores, hold values of every metafield.
ALTER TABLE product_stale NO FORCE ROW LEVEL SECURITY;
INSERT INTO product_stale (store_id, product_id, cause)
SELECT DISTINCT v.store_id, v.product_id, 'again' FROM metafield_value v
JOIN metafield_definition d ON d.store_id = v.store_id AND d.id = v.definition_id
WHERE NOT d.filterable AND d.type IN ('TEXT', 'NUMBER', 'BOOLEAN', 'DATE', 'SELECT', 'MULTI_SELECT', 'COLOR');
ALTER TABLE product_stale FORCE ROW LEVEL SECURITY;

-- A value or an attachment that goes with its definition changes no answer: documents name definitions by id, and show nothing of one that is gone. So nobody who
-- reads composes the products, which can be all of a store. Triggers run when the statement that deletes the definition with its values is done.
CREATE OR REPLACE FUNCTION metafield_value_noted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO product_stale (store_id, product_id, cause)
  SELECT DISTINCT c.store_id, c.product_id, CASE WHEN TG_OP <> 'DELETE' OR EXISTS (SELECT FROM metafield_definition d
    WHERE d.store_id = c.store_id AND d.id = c.definition_id) THEN 'rows' ELSE 'again' END FROM changed c;
  RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION metafield_definition_product_noted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO product_stale (store_id, product_id, cause)
  SELECT DISTINCT c.store_id, c.product_id, CASE WHEN TG_OP <> 'DELETE' OR EXISTS (SELECT FROM metafield_definition d
    WHERE d.store_id = c.store_id AND d.id = c.definition_id) THEN 'rows' ELSE 'again' END FROM changed c;
  RETURN NULL;
END
$$;

-- Rows that were written by a process whose clock is ahead of a reader's: the reader looks for them each time.
CREATE INDEX product_listing_store_id_price_since_idx ON product_listing (store_id, price_since) WHERE price_since > '-infinity';

-- What shoppers upload for a customization is kept as long as a row needs that names it. `review_at` is when that is asked next; NULL where an order does, or
-- somebody keeps it for good. A process of the release before writes none: its uploads are asked about at once.
ALTER TABLE media_file ADD COLUMN review_at timestamptz DEFAULT now();
CREATE INDEX media_file_store_id_review_at_idx ON media_file (store_id, review_at)
  WHERE purpose = 'customization' AND purge_at IS NULL AND review_at IS NOT NULL;

-- Ids of the files that a JSON text names, by their keys or by addresses that end with one (media/MediaFile.ts).
CREATE FUNCTION media_ids(named jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(DISTINCT 'media_' || m[1]), '{}') FROM regexp_matches(named::text, '[0-9a-f]{32}-([0-9a-z]{26})', 'g') AS m
$$;
-- Found by files, whose ids are unique over all stores. Most lines name none, and are in no index.
CREATE INDEX order_item_customizations_idx ON order_item USING gin (media_ids(customizations)) WHERE customizations <> '{}';
CREATE INDEX checkout_line_customizations_idx ON checkout_line USING gin (media_ids(customizations)) WHERE customizations <> '{}';
CREATE INDEX cart_item_customizations_idx ON cart_item USING gin (media_ids(customizations)) WHERE customizations <> '{}';

-- Products are found by the names of categories and brands that a channel shows, and not by those that it does not: which words such a name has is nobody's business
-- there. The channels are kept beside the words, so that a search reads no more rows than before.
ALTER TABLE search_name ADD COLUMN channel_ids text[] COLLATE "C";
CREATE OR REPLACE FUNCTION search_name_changed() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER category_published_name AFTER UPDATE ON category FOR EACH ROW
  WHEN (OLD.channel_ids IS DISTINCT FROM NEW.channel_ids) EXECUTE FUNCTION search_name_published();
CREATE TRIGGER brand_published_name AFTER UPDATE ON brand FOR EACH ROW
  WHEN (OLD.channel_ids IS DISTINCT FROM NEW.channel_ids) EXECUTE FUNCTION search_name_published();
ALTER TABLE search_name NO FORCE ROW LEVEL SECURITY;
UPDATE search_name n SET channel_ids = c.channel_ids FROM category c WHERE c.store_id = n.store_id AND c.id = n.id AND c.channel_ids IS NOT NULL;
UPDATE search_name n SET channel_ids = b.channel_ids FROM brand b WHERE b.store_id = n.store_id AND b.id = n.id AND b.channel_ids IS NOT NULL;
ALTER TABLE search_name FORCE ROW LEVEL SECURITY;

-- As 0030 has them, but for the reader: the id of a channel, '' for the public, NULL for who is shown everything. A process of the release before calls those of
-- 0030; a later release drops them.
CREATE FUNCTION search_named(store text, words text[], begins boolean, reader text) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY(SELECT n.id FROM search_name n WHERE n.store_id = store
      AND (reader IS NULL OR n.channel_ids IS NULL OR reader = ANY(n.channel_ids))
      AND n.word >= words[cardinality(words)]
      AND (n.word = words[cardinality(words)] OR (begins AND n.word < words[cardinality(words)] || chr(1114111)))
      AND NOT EXISTS (SELECT 1 FROM unnest(words[1:cardinality(words) - 1]) AS w WHERE NOT EXISTS (
        SELECT 1 FROM search_name o WHERE o.store_id = store AND o.word = w AND o.id = n.id))
    GROUP BY n.id ORDER BY n.id LIMIT 500)
$$;
CREATE FUNCTION catalog_search(store text, asked jsonb, shown text[], reader text) RETURNS tsquery[] LANGUAGE plpgsql STABLE AS $$
DECLARE
  mark CONSTANT text := search_mark(store);
  terms jsonb; term jsonb; words text[]; begins boolean; near text[]; named text[];
  whole text[] := ARRAY[NULL, NULL, NULL, NULL]; part text[];
BEGIN
  FOR terms IN SELECT value FROM jsonb_array_elements(asked) LOOP
    -- All of nothing but exclusions is everything else.
    part := array_fill(CASE WHEN terms @> '[{"excluded": false}]' THEN NULL ELSE format('''%s''', mark) END, ARRAY[4]);
    FOR term IN SELECT value FROM jsonb_array_elements(terms) LOOP
      words := ARRAY(SELECT jsonb_array_elements_text(term -> 'words'));
      begins := (term ->> 'begins')::boolean;
      named := search_named(store, words, begins, reader);
      near := '{}';
      IF cardinality(words) = 1 AND term @> '{"quoted": false, "excluded": false}' AND NOT search_knows(store, words[1], begins, shown) THEN
        near := search_near(store, words[1]);
        named := named || ARRAY(SELECT i FROM unnest(near) AS w, unnest(search_named(store, ARRAY[w], false, reader)) AS i);
      END IF;
      FOR level IN 0..3 LOOP
        part[level + 1] := concat_ws(' & ', part[level + 1], search_term(mark, level, term, named, near));
      END LOOP;
    END LOOP;
    FOR level IN 1..4 LOOP
      whole[level] := concat_ws(' | ', whole[level], '(' || part[level] || ')');
    END LOOP;
  END LOOP;
  RETURN whole::tsquery[];
END
$$;

-- Rows of before search was there have no words, and are found by none; the words of every product begin with the mark of its store (0030).
ALTER TABLE product_stale NO FORCE ROW LEVEL SECURITY;
INSERT INTO product_stale (store_id, product_id, cause)
SELECT l.store_id, l.product_id, 'rows' FROM product_listing l WHERE pg_column_size(l.search) < 64 AND l.search = ''::tsvector;
ALTER TABLE product_stale FORCE ROW LEVEL SECURITY;
