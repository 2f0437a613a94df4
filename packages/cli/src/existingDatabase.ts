/** An installation that is there already: for commands that have nothing to say of one that they would have to make. */
import { lstatSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { connectTo, withCore } from "./openCore.ts"
import { note } from "./print.ts"
import { Refused } from "./Refused.ts"
import type { Settings } from "./Settings.ts"

const isThere = ({ databaseUrl, dataDir }: Settings): boolean => {
  if (databaseUrl !== undefined) return true
  try {
    // Also a link that leads nowhere: what is wrong with one is said by whoever opens it.
    return lstatSync(join(dataDir, "postgres"), { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}

const noneIn = ({ dataDir }: Settings): string =>
  `there is no installation in ${dataDir}: \`commerce init\` or \`commerce serve\` makes one, --data-dir names another`

/** Attached to, or started for as long as the scope lasts. Fails with Refused where the data directory holds none. */
export const existingDatabase = Effect.fnUntraced(function* (settings: Settings) {
  if (!isThere(settings)) return yield* Effect.fail(new Refused(noneIn(settings)))
  return yield* connectTo(settings)
})

/** `withCore` on an installation that is there; a command given in the wrong folder makes none by the way. */
export const withExisting: typeof withCore = async (settings, body) => {
  if (!isThere(settings)) throw new Refused(noneIn(settings))
  return withCore(settings, body)
}

/** What an installation holds of a kind; nothing, and a word to the reader, where there is no installation. */
export const listExisting = async <A>(
  settings: Settings,
  list: Parameters<typeof withCore<ReadonlyArray<A>, unknown>>[1]
): Promise<ReadonlyArray<A>> => {
  if (isThere(settings)) return withCore(settings, list)
  note(noneIn(settings))
  return []
}
