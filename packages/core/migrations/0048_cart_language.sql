-- The language that a cart is read in; NULL is the store's own. A checkout and an order keep that of their cart: what an order names was copied in it, and its
-- mails are written in it. What a release before writes has none.
ALTER TABLE cart ADD COLUMN locale text;
ALTER TABLE checkout ADD COLUMN locale text;
ALTER TABLE orders ADD COLUMN locale text;

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

-- What a variant with options shows, in a language.
CREATE FUNCTION variant_attributes(store text, options text[], locale text) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT json_object_agg(text_in(a.translations, locale, 'name', a.name), text_in(o.translations, locale, 'name', o.name) ORDER BY k.n)
    FROM unnest(options) WITH ORDINALITY AS k (id, n)
    JOIN attribute_option o ON o.store_id = store AND o.id = k.id
    JOIN attribute a ON a.store_id = o.store_id AND a.id = o.attribute_id);
END
$$;
CREATE FUNCTION variant_name(store text, options text[], locale text) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT string_agg(text_in(o.translations, locale, 'name', o.name), ' / ' ORDER BY k.n)
    FROM unnest(options) WITH ORDINALITY AS k (id, n)
    JOIN attribute_option o ON o.store_id = store AND o.id = k.id);
END
$$;
