/**
 * Loads a store description into a store: all of it or nothing, in one transaction. Rows that are there already, by
 * their external ids, are brought up to date; rows that it does not name stay as they are.
 */
import { Database } from "@effect-commerce/core/database/Database"
import { analyzeGrown } from "@effect-commerce/core/database/TableStatistics"
import { ExternalIds } from "@effect-commerce/core/database/ExternalIds"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Clock, Effect } from "effect"
import { onlyStore } from "./openCore.ts"
import type { StoreDescription } from "./seed/document.ts"
import { Loading } from "./seed/Loading.ts"
import { type Section, sectionNames, sections } from "./seed/sections.ts"
import { ProgressLine } from "./seed/ProgressLine.ts"

export const asStore = (storeId: string | undefined) =>
  storeId === undefined ? onlyStore("--store") : Effect.flatMap(Stores, (stores) => stores.context(storeId))

/** Returns how many rows of each kind were created and updated. Without `storeId`, into the one store there is. */
export const loadInto = Effect.fn("Seed.loadInto")(function* (
  storeId: string | undefined,
  documentAt: (now: number) => StoreDescription,
  progressOn?: ConstructorParameters<typeof ProgressLine>[2]
) {
  const store = yield* asStore(storeId)
  const description = documentAt(yield* Clock.currentTimeMillis)
  const rowCount = Object.values(description).reduce((sum, rows) => sum + rows.length, 0)
  const progress = new ProgressLine(rowCount, "rows", progressOn)
  const database = yield* Database
  const loaders = yield* Effect.promise(loadersOf)
  const load = (isOneByOne: boolean) =>
    database.write(store.id)(
      Effect.provide(
        Effect.suspend(() => {
          progress.restart()
          const loading = new Loading(store, sectionNames, progress, isOneByOne)
          return Effect.as(loadAll(loaders, loading, description), loading.seeded)
        }),
        ExternalIds.layer
      )
    )
  const seeded = yield* Effect.catchTag(load(false), "ProductSetRefused", () =>
    Effect.catchTag(load(true), "ProductSetRefused", Effect.die)
  )
  yield* analyzeGrown(database)
  return seeded
})

type Loader = Awaited<ReturnType<(typeof sections)[Section]>>["load"]
type Load = ReturnType<Loader>

/**
 * Loaders of every section, in order: one without rows may still register existing rows that later sections refer to.
 */
const loadersOf = () =>
  Promise.all(
    sectionNames.map(
      async (section): Promise<readonly [Section, Loader]> => [section, (await sections[section]()).load]
    )
  )

const loadAll = (loaders: ReadonlyArray<readonly [Section, Loader]>, loading: Loading, description: StoreDescription) =>
  Effect.forEach(
    loaders,
    ([section, load]): Effect.Effect<void, Effect.Error<Load>, Effect.Services<Load>> =>
      load(loading, description[section] ?? [], description),
    { discard: true }
  )
