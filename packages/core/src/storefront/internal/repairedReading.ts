/**
 * Reads until nothing is read that was written without being composed. There may be more of that than one transaction
 * composes: what the reading shows comes first.
 */
import { Effect } from "effect"
import { isJoined } from "../../kernel/JoinedTransaction.ts"
import type { ShownToReader } from "../StaleProductRepository.ts"

/** Times that an answer is read again, at most. */
const mostTurns = 5

interface Repairing<Reading> {
  readonly idsToRepair: (reading: Reading) => ShownToReader
  /** Composes these stale products first, then others, as far as one transaction goes. */
  readonly repair: (shown: ShownToReader) => Effect.Effect<void>
  /**
   * Turns inside a host's transaction, which keeps the locks of each turn until it ends. Two turns would lock products
   * in no common order.
   */
  readonly turnsWhileJoined: 0 | 1
}

/** `again` is read after each repair, `first` was read before. */
export const repairedReading = Effect.fnUntraced(function* <Reading extends { readonly stale: boolean }>(
  first: Reading,
  again: Effect.Effect<Reading>,
  { idsToRepair, repair, turnsWhileJoined }: Repairing<Reading>
) {
  let reading = first
  const repaired = new Set<string>()
  const turns = isJoined() ? turnsWhileJoined : mostTurns
  // What was composed may bring other products into the answer, which are composed as well.
  for (let turn = 0; turn < turns && reading.stale; turn += 1) {
    const shown = idsToRepair(reading)
    if (turn > 0 && shown.ids.every((id) => repaired.has(id))) return reading
    yield* repair(shown)
    for (const id of shown.ids) repaired.add(id)
    reading = yield* again
  }
  return reading
})
