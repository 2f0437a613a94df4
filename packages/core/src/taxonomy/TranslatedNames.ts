/** JSON of the translations of a row, of each language the name alone: what lists of many things carry of them. */
export const translatedNames = (alias: string): string =>
  `(SELECT coalesce(jsonb_object_agg(t.key, jsonb_build_object('name', t.value -> 'name')), '{}')
  FROM jsonb_each(${alias}.translations) AS t WHERE jsonb_typeof(t.value) = 'object')`
