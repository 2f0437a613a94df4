/** The database of an installation that is there already: for commands that look and must not make, migrate or mend anything. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { connectTo } from "./openCore.ts"
import { Refused } from "./Refused.ts"
import type { Settings } from "./Settings.ts"

/** Attached to, or started for as long as the scope lasts. Fails with Refused where the data directory holds none. */
export const existingDatabase = Effect.fnUntraced(function* (settings: Settings) {
  if (settings.databaseUrl === undefined && !existsSync(join(settings.dataDir, "postgres"))) {
    const reason = `there is no installation in ${settings.dataDir}: \`commerce init\` or \`commerce serve\` makes one, --data-dir names another`
    return yield* Effect.fail(new Refused(reason))
  }
  return yield* connectTo(settings)
})
