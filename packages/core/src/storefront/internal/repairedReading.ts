/**
 * A reading that shows nothing which was written without being composed. There may be more of that than one transaction
 * composes: what the reading shows comes first.
 */
import { Effect } from "effect"
import { isJoined } from "../../kernel/JoinedTransaction.ts"
import type { ShownToReader } from "../StaleProductRepository.ts"
import type { Reading, Which } from "./storefrontReading.ts"

/** Times that an answer is read again, at most. */
const mostTurns = 5

const shownIn = (which: Which, { products }: Reading): ShownToReader => {
  const ids = products.map(({ id }) => id)
  if (!("one" in which)) return { ids }
  return "id" in which.one ? { ids: [which.one.id] } : { ids, slug: which.one.slug }
}

/** `repair` composes these stale products first, then others, as far as one transaction goes. */
export const repairedReading = Effect.fnUntraced(function* (
  which: Which,
  read: Effect.Effect<Reading>,
  repair: (shown: ShownToReader) => Effect.Effect<void>
) {
  let reading = yield* read
  const repaired = new Set<string>()
  // What was composed may bring other products into the answer, which are composed as well.
  for (let turn = 0; turn < mostTurns && reading.stale && !isJoined(); turn += 1) {
    const shown = shownIn(which, reading)
    if (turn > 0 && shown.ids.every((id) => repaired.has(id))) return reading
    yield* repair(shown)
    for (const id of shown.ids) repaired.add(id)
    reading = yield* read
  }
  return reading
})
