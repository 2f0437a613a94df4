/**
 * Between the write of a product's rows and that of what shops are shown of it, a transaction says that it composes the
 * product: its own changes need no note (migration 0041).
 */

const set = (value: string): string => `set_config('app.composing', '${value}', true)`

/** Ends a statement that writes rows of products. */
export const beginsComposing = `RETURNING ${set("on")}`

/** Ends a statement that writes what is shown of one. */
export const endsComposing = `RETURNING ${set("")}`

/** By itself. */
export const endComposing = `SELECT ${set("")}`
