/** The store of a payment provider, which a notice names by its id alone. */
import { Clock, Effect } from "effect"
import { isNoId } from "../../kernel/Ids.ts"
import { absenceDelay, TimedCache } from "../../cache/TimedCache.ts"

/** How long, in milliseconds, a process remembers whose a provider is. It never becomes another store's. */
const ownerMillis = 60_000

/** Also remembers for a second what nobody has, so that a flood of notices to no one costs little. */
export const providerOwners = (read: (id: string) => Effect.Effect<string | undefined>) => {
  const owners = new TimedCache<string>(ownerMillis, 10_000)
  const unowned = new TimedCache<true>(absenceDelay, 10_000)
  return Effect.fnUntraced(function* (id: string) {
    const now = yield* Clock.currentTimeMillis
    const known = owners.get(id, now)
    if (known !== undefined || isNoId(id) || unowned.get(id, now) === true) return known
    const found = yield* read(id)
    if (found === undefined) unowned.set(id, true, now)
    else owners.set(id, found, now)
    return found
  })
}
