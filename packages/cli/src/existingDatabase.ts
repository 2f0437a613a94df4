/** An existing installation: for commands that make no sense on a new one. */
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
    // A dangling link counts too: opening it reports what is wrong.
    return lstatSync(join(dataDir, "postgres"), { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}

const noneIn = ({ dataDir }: Settings): string =>
  `there is no installation in ${dataDir}: \`commerce init\` or \`commerce serve\` makes one, --data-dir names another`

/** Attached to, or started for as long as the scope lasts. Fails with Refused if the data directory has no database. */
export const existingDatabase = Effect.fnUntraced(function* (settings: Settings) {
  if (!isThere(settings)) return yield* Effect.fail(new Refused(noneIn(settings)))
  return yield* connectTo(settings)
})

/** `withCore` on an existing installation, so that a command run in the wrong folder does not create one. */
export const withExisting: typeof withCore = async (settings, body) => {
  if (!isThere(settings)) throw new Refused(noneIn(settings))
  return withCore(settings, body)
}

/** Lists things of an installation; without one an empty list, and a line on standard error. */
export const listExisting = async <A>(
  settings: Settings,
  list: Parameters<typeof withCore<ReadonlyArray<A>, unknown>>[1]
): Promise<ReadonlyArray<A>> => {
  if (isThere(settings)) return withCore(settings, list)
  note(noneIn(settings))
  return []
}
