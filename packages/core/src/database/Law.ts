/**
 * A sentence that is true of a store's books at every instant, whatever the clock says and whatever is under way.
 * Writes that belong together are in one transaction, so a snapshot that breaks a law shows a mistake, never work in
 * progress. Laws need no index of their own: each reads the rows of one store.
 */
export interface Law {
  /** Room and subject: `order.total`. */
  readonly law: string
  /** The law as a sentence. */
  readonly says: string
  /** The table of the row that a finding names. */
  readonly table: string
  /**
   * One row per breach: `id` (the row's key within its store), `expected` and `found`. $1 is the store. Amounts are
   * minor units.
   */
  readonly sql: string
}
