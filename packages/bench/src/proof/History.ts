/**
 * A checker of histories (Jepsen in small) over what clients saw: each operation has a beginning, an end, and an
 * outcome; one without a known end may or may not have happened. The checks hold for every order in which the
 * operations can have happened.
 */
export interface Operation {
  readonly began: number
  /** undefined: the end is not known. */
  readonly ended: number | undefined
  readonly outcome: "ok" | "fail" | "info"
  /** The order's number, where one was answered. */
  readonly number?: number
  /** Units by product, for what was sold. */
  readonly units?: ReadonlyMap<string, number>
}

const acknowledged = (history: ReadonlyArray<Operation>) =>
  history
    .filter((operation) => operation.outcome === "ok" && operation.ended !== undefined)
    .sort((a, b) => (a.ended ?? 0) - (b.ended ?? 0))

/** Counter: at no prefix of the acknowledged sales is more sold than there was. */
export const checkCounter = (
  history: ReadonlyArray<Operation>,
  initial: ReadonlyMap<string, number>
): ReadonlyArray<string> => {
  const sold = new Map<string, number>()
  for (const { units } of acknowledged(history)) {
    for (const [product, quantity] of units ?? []) {
      const total = (sold.get(product) ?? 0) + quantity
      sold.set(product, total)
      if (total > (initial.get(product) ?? 0))
        return [`${product}: ${total} acknowledged as sold, ${initial.get(product) ?? 0} were there`]
    }
  }
  return []
}

/** Set: everything acknowledged is stored, and nothing is stored that no client requested. */
export const checkSet = (
  acked: ReadonlyArray<string>,
  possible: ReadonlySet<string>,
  found: ReadonlySet<string>
): ReadonlyArray<string> => [
  ...acked.filter((id) => !found.has(id)).map((id) => `${id} was acknowledged and is not there`),
  ...[...found].filter((id) => !possible.has(id)).map((id) => `${id} is there and nobody asked for it`)
]

/** Unique: no number was answered twice. */
export const checkUnique = (history: ReadonlyArray<Operation>): ReadonlyArray<string> => {
  const seen = new Set<number>()
  return acknowledged(history).flatMap(({ number }) => {
    if (number === undefined) return []
    if (seen.has(number)) return [`the number ${number} was answered twice`]
    seen.add(number)
    return []
  })
}

/** Monotonic: an operation that began after another had ended has the higher number. */
export const checkRealTime = (history: ReadonlyArray<Operation>): ReadonlyArray<string> => {
  const ends = acknowledged(history).filter((operation) => operation.number !== undefined)
  const starts = [...ends].sort((a, b) => a.began - b.began)
  let next = 0
  let highest = Number.NEGATIVE_INFINITY
  const wrong: Array<string> = []
  for (const operation of starts) {
    for (
      let before = ends[next];
      before !== undefined && (before.ended ?? 0) < operation.began;
      before = ends[++next]
    ) {
      highest = Math.max(highest, before.number ?? highest)
    }
    if ((operation.number ?? 0) < highest)
      wrong.push(`the number ${operation.number} began after ${highest} had been answered`)
  }
  return wrong
}
