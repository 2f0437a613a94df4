/** What is wrong with a body, field by field: path (`regions.DE.0`) to a sentence for the person who sent it. */
export type FieldErrors = Readonly<Record<string, string>>

/** The fields that have a problem; undefined is none. */
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

/** Text that must say something, where it is given at all. */
export const blankProblem = (text: string | undefined): string | undefined =>
  text?.trim() === "" ? "must not be empty" : undefined

/** Text of at most so many characters, where it is given at all. */
export const longProblem = (text: string | null | undefined, most: number): string | undefined =>
  text === null || text === undefined || text.length <= most ? undefined : `must have at most ${most} characters`

/** A list or a map of at most so many entries. */
export const manyProblem = (count: number, most: number): string | undefined =>
  count <= most ? undefined : `must have at most ${most} entries`

/** A whole number between two bounds, where it is given at all. */
export const wholeProblem = (value: number | null | undefined, from: number, to: number): string | undefined =>
  value === null || value === undefined || (Number.isInteger(value) && value >= from && value <= to)
    ? undefined
    : `must be a whole number from ${from} to ${to}`

/** The greatest value of a column of type int4. */
export const maxInt4 = 2_147_483_647
