/**
 * Between the write of a product's rows and that of what shops are shown of it, a transaction says that it composes the
 * product: its own changes need no note (migration 0041). Only where what is sent is what is kept can a product be
 * composed without being read back.
 */

/** Ends a statement that writes rows of products. */
export const beginsComposing = "RETURNING set_config('app.composing', 'on', true)"

/** Ends a statement whose CTEs write what is shown of them; whatever they find, composing ends. */
export const endsComposing = "SELECT set_config('app.composing', '', true)"

/** Whether no trigger of a host may keep something else in rows of these tables than is sent. */
export const keptAsSent = (...tables: ReadonlyArray<string>): string =>
  `NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = ANY('{${tables.join(",")}}'::regclass[]) AND tgtype & 2 <> 0
    AND NOT tgisinternal)`
