/**
 * Between the write of a product's rows and that of what shops are shown of it, a transaction says that it composes the
 * product: its own changes need no note (migration 0041). Only where what is sent is what is kept can a product be
 * composed without being read back.
 */

/** Ends a statement that writes rows of products. */
export const beginsComposing = "RETURNING set_config('app.composing', 'on', true)"

/** Ends a statement whose CTEs write what is shown of them; whatever they find, composing ends. */
export const endsComposing = "SELECT set_config('app.composing', '', true)"

/** Names that PostgreSQL gives to the triggers of foreign keys, which are most of a table's, lie between these. */
const [beforeOwn, afterOwn] = ["tgname < 'RI_ConstraintTrigger_'", "tgname >= 'RI_ConstraintTrigger`'"]

/**
 * Whether no trigger of a host may keep something else in rows of these tables than is sent. Two looks into the
 * index of pg_trigger cost less than a scan of it.
 */
export const keptAsSent = (...tables: ReadonlyArray<string>): string =>
  [beforeOwn, afterOwn]
    .map(
      (named) => `(SELECT true FROM pg_trigger WHERE tgrelid = ANY('{${tables.join(",")}}'::regclass[]) AND ${named}
        AND tgtype & 2 <> 0 AND NOT tgisinternal ORDER BY tgrelid, tgname LIMIT 1) IS NULL`
    )
    .join(" AND ")
