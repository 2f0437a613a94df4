/**
 * A reading of which nothing is shown that somebody has written without composing it. There may be more of that than a
 * transaction composes: what the reading shows comes first.
 */
import { Effect } from "effect"
import { isJoined } from "../../kernel/JoinedTransaction.ts"
import type { ShownToReader } from "../ListingRepository.ts"
import type { Reading, Which } from "./storefrontReading.ts"

/** Times that an answer is read again, at most. */
const mostTurns = 5

const shownIn = (which: Which, { products }: Reading): ShownToReader => {
  const ids = products.map(({ id }) => id)
  if (!("one" in which)) return { ids }
  return "id" in which.one ? { ids: [which.one.id] } : { ids, slug: which.one.slug }
}

/** `settle` composes what it is told to, and others as far as one transaction goes. */
export const settledReading = Effect.fnUntraced(function* (
  which: Which,
  read: Effect.Effect<Reading>,
  settle: (shown: ShownToReader) => Effect.Effect<void>
) {
  let reading = yield* read
  const settled = new Set<string>()
  // What was composed may bring other products into the answer, which are composed as well.
  for (let turn = 0; turn < mostTurns && reading.stale && !isJoined(); turn += 1) {
    const shown = shownIn(which, reading)
    if (turn > 0 && shown.ids.every((id) => settled.has(id))) return reading
    yield* settle(shown)
    for (const id of shown.ids) settled.add(id)
    reading = yield* read
  }
  return reading
})
