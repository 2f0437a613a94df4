/** The query of a law and the findings read from its result, for clients of any driver. */
import type { Law } from "../database/Law.ts"

export type { Law }

/** One breach of a law. */
export interface Finding {
  readonly law: string
  readonly says: string
  readonly storeId: string
  readonly table: string
  /** Null if more of the law's rows are wrong than are reported. */
  readonly id: string | null
  readonly expected: string | null
  readonly found: string | null
}

/** The most breaches of one law that are reported for one store. */
export const mostTold = 1_000

/** The statement that finds a law's breaches; its parameter is the store's id. */
export const questionOf = ({ sql }: Law): string =>
  `SELECT id::text, expected::text, found::text FROM (${sql}) breach ORDER BY id LIMIT ${mostTold + 1}`

/** The findings in the rows that `questionOf` returns. */
export const findingsOf = (
  law: Omit<Law, "sql">,
  storeId: string,
  rows: ReadonlyArray<Readonly<Record<string, unknown>>>
): ReadonlyArray<Finding> => {
  const { law: name, says, table } = law
  const told = { law: name, says, table }
  const text = (value: unknown) => (value === null || value === undefined ? null : String(value))
  const findings = rows.slice(0, mostTold).map(
    (row): Finding => ({
      ...told,
      storeId,
      id: text(row["id"]),
      expected: text(row["expected"]),
      found: text(row["found"])
    })
  )
  return rows.length <= mostTold
    ? findings
    : [...findings, { ...told, storeId, id: null, expected: null, found: `more than ${mostTold} rows` }]
}
