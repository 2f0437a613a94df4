-- A search is bounded in what it reads, whatever is typed: an unknown word costs look-ups by an index, and what costs more than that is done for a few words of a search.

-- What finds a word to correct another by: the word with each letter left out (-), and its trigrams (~). Numbers with letters in them share trigrams by the thousand,
-- and one is never meant for another that has little in common with it: they have none.
CREATE OR REPLACE FUNCTION search_keys(store text, word text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF length(word) NOT BETWEEN 3 AND 40 OR word ~ '^[0-9]+$' THEN RETURN '{}'; END IF;
  RETURN ARRAY(
    SELECT DISTINCT search_mark(store) || k FROM (
      SELECT '-' || word UNION ALL SELECT '-' || left(word, i - 1) || substr(word, i + 1) FROM generate_series(1, length(word)) AS i
      UNION ALL SELECT '~' || substr('  ' || word || ' ', i, 3) FROM generate_series(1, length(word) + 1) AS i WHERE word !~ '[0-9]') AS made (k));
END
$$;
ALTER TABLE search_word NO FORCE ROW LEVEL SECURITY;
UPDATE search_word SET keys = search_keys(store_id, word) WHERE word ~ '[0-9]' AND keys <> '{}';
ALTER TABLE search_word FORCE ROW LEVEL SECURITY;

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

-- As 0030 has it. search_word_keys_idx serves, in the same way. Candidates by trigrams share two neighbouring ones, and of each two so many at most: a common beginning has thousands of words.
CREATE OR REPLACE FUNCTION search_near(store text, asked text) RETURNS text[] LANGUAGE plpgsql STABLE
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

-- As 0040 has it. Of a search, four words that search_word has not are looked for in descriptions and else corrected; words shorter than four letters, and numbers, never are.
-- Its words name fifty things at most. The order of quoted words is read from each product that has them all: where those are more than two thousand,
-- having them all is enough.
CREATE OR REPLACE FUNCTION catalog_search(store text, asked jsonb, shown text[], reader text) RETURNS tsquery[] LANGUAGE plpgsql STABLE
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

-- A word that nothing uses any more is marked, and removed later (catalog/SearchWordRepository.ts). One that is marked counts as absent for whoever uses it.
ALTER TABLE search_word ADD COLUMN unused_since timestamptz;
CREATE OR REPLACE FUNCTION search_words_known(store text, words text[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO search_word (store_id, word, keys)
  SELECT store, w, search_keys(store, w) FROM (SELECT DISTINCT unnest(words)) AS new (w)
  WHERE NOT EXISTS (SELECT 1 FROM search_word k WHERE k.store_id = store AND k.word = new.w AND k.unused_since IS NULL)
$$;
-- Whether a name, number, tag or variant of a product has the word, or the name of something that products are filed under.
CREATE FUNCTION search_uses(store text, asked text) RETURNS boolean LANGUAGE plpgsql STABLE
  SET enable_seqscan = off SET enable_indexscan = off SET enable_indexonlyscan = off AS $$
BEGIN
  RETURN EXISTS (SELECT FROM search_name n WHERE n.store_id = store AND n.word = asked)
    OR EXISTS (SELECT FROM product_listing l WHERE l.store_id || '' = store AND l.search @@ (format('''%s2%s''', search_mark(store), asked)::tsquery));
END
$$;
