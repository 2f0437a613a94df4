/**
 * Reads again after repairs until the result contains no stale product. There may be more stale products than one
 * transaction composes, so those in the result come first.
 */
import { Effect } from "effect"
import { isJoined } from "../../kernel/JoinedTransaction.ts"
import type { ShownToReader } from "../StaleProductRepository.ts"

/** Maximum number of repairs of one read. */
const mostTurns = 5

interface Repairing<Reading> {
  readonly idsToRepair: (reading: Reading) => ShownToReader
  /** Composes these stale products first, then others, as far as one transaction goes. */
  readonly repair: (shown: ShownToReader) => Effect.Effect<void>
  /**
   * Repairs allowed inside a host's transaction, which keeps the locks of each repair until it ends. Two repairs would
   * lock products in no common order.
   */
  readonly turnsWhileJoined: 0 | 1
}

/** `first` was read before; `again` runs after each repair. */
export const repairedReading = Effect.fnUntraced(function* <Reading extends { readonly stale: boolean }>(
  first: Reading,
  again: Effect.Effect<Reading>,
  { idsToRepair, repair, turnsWhileJoined }: Repairing<Reading>
) {
  let reading = first
  const repaired = new Set<string>()
  const turns = isJoined() ? turnsWhileJoined : mostTurns
  // Composing products may bring others into the result, which are composed as well.
  for (let turn = 0; turn < turns && reading.stale; turn += 1) {
    const shown = idsToRepair(reading)
    if (turn > 0 && shown.ids.every((id) => repaired.has(id))) return reading
    yield* repair(shown)
    for (const id of shown.ids) repaired.add(id)
    reading = yield* again
  }
  return reading
})
