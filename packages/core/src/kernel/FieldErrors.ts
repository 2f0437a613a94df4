/** The errors of a body by field: path (`regions.DE.0`) to a sentence for the caller. */
export type FieldErrors = Readonly<Record<string, string>>

/** The checks that have a problem; undefined is none. */
export const problemsOf = (checks: Readonly<Record<string, string | undefined>>): FieldErrors =>
  Object.fromEntries(
    Object.entries(checks).flatMap(([field, problem]) => (problem === undefined ? [] : [[field, problem]]))
  )

/** The problems of a list's items, each under `field[i]`. */
export const itemProblems = <A>(
  field: string,
  items: Iterable<A>,
  problem: (item: A) => string | undefined
): FieldErrors => problemsOf(Object.fromEntries([...items].map((item, i) => [`${field}.${i}`, problem(item)])))

/** The problem of a blank text; undefined passes. */
export const blankProblem = (text: string | undefined): string | undefined =>
  text?.trim() === "" ? "must not be empty" : undefined

/** The problem of a text of more than `most` characters; undefined and null pass. */
export const longProblem = (text: string | null | undefined, most: number): string | undefined =>
  text === null || text === undefined || text.length <= most ? undefined : `must have at most ${most} characters`

/** The problem of a list or a map with more than `most` entries. */
export const manyProblem = (count: number, most: number): string | undefined =>
  count <= most ? undefined : `must have at most ${most} entries`

/** The problem of a number that is not whole or out of bounds; undefined and null pass. */
export const wholeProblem = (value: number | null | undefined, from: number, to: number): string | undefined =>
  value === null || value === undefined || (Number.isInteger(value) && value >= from && value <= to)
    ? undefined
    : `must be a whole number from ${from} to ${to}`

/** The greatest value of a column of type int4. */
export const maxInt4 = 2_147_483_647
