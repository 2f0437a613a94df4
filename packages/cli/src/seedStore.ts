/** What `commerce seed` does: loads a file, or the demo store and its pictures. */
import { Effect } from "effect"
import { demoStore } from "./demo/demoStore.ts"
import { pictureDemo } from "./demo/pictureDemo.ts"
import { withExisting } from "./existingDatabase.ts"
import { originOf } from "./originOf.ts"
import { WrongUsage } from "./Refused.ts"
import { asStore, loadInto } from "./seed.ts"
import { readDocument } from "./seed/document.ts"
import type { Seeded } from "./seed/Loading.ts"
import { sectionNames } from "./seed/sections.ts"
import type { Settings } from "./Settings.ts"

const seedDemo = Effect.fnUntraced(function* (settings: Settings, storeId: string | undefined) {
  const store = yield* asStore(storeId)
  const seeded = yield* loadInto(store.id, demoStore)
  yield* pictureDemo(store, originOf(settings, settings.port))
  return seeded
})

export const seedStore = async (
  settings: Settings,
  asked: { readonly file: string | undefined; readonly demo: boolean; readonly storeId: string | undefined }
): Promise<Seeded> => {
  if ((asked.file === undefined) !== asked.demo) throw new WrongUsage("give a FILE or --demo, one of the two")
  if (asked.file === undefined) return withExisting(settings, seedDemo(settings, asked.storeId))
  const description = await readDocument(asked.file, sectionNames)
  return withExisting(
    settings,
    loadInto(asked.storeId, () => description)
  )
}
