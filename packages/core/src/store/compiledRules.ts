/**
 * Rules of a store (tax rates, shipping zones), compiled once per version and process: one statement if they are not
 * cached yet, none if they are (decision 0007).
 */
import { Effect } from "effect"
import { VersionedCache } from "../cache/VersionedCache.ts"

/** Stores whose rules of one kind stay compiled in one process. */
const compiledStores = 1_000

/** Rules as one statement reads them, with the version of the store's rules. */
export interface VersionedRules {
  readonly rulesVersion: bigint
  /** The reading transaction has changed the version itself, and may be rolled back: the rules are not cached. */
  readonly uncommitted: boolean
}

/** Returns the rules of a store as of a version or a later one; `none` are those of an unknown store. */
export const compiledRules = <Rules extends VersionedRules, Compiled>({
  read,
  compile,
  none
}: {
  readonly read: (storeId: string) => Effect.Effect<Rules | undefined>
  readonly compile: (rules: Rules) => Compiled
  readonly none: (rulesVersion: bigint) => Compiled
}) => {
  const cache = new VersionedCache<Compiled>(compiledStores)
  const compileNow = Effect.fnUntraced(function* (storeId: string, rulesVersion: bigint) {
    const rules = yield* read(storeId)
    if (rules === undefined) return none(rulesVersion)
    const compiled = compile(rules)
    if (!rules.uncommitted) cache.set(storeId, rules.rulesVersion, compiled)
    return compiled
  })
  return (storeId: string, rulesVersion: bigint): Effect.Effect<Compiled> => {
    const cached = cache.get(storeId, rulesVersion)
    return cached === undefined ? compileNow(storeId, rulesVersion) : Effect.succeed(cached)
  }
}
