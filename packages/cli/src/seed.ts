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
import { loadAttributes } from "./seed/loadAttributes.ts"
import { loadBrands } from "./seed/loadBrands.ts"
import { loadCategories } from "./seed/loadCategories.ts"
import { loadCustomers } from "./seed/loadCustomers.ts"
import { loadMetafieldDefinitions } from "./seed/loadMetafieldDefinitions.ts"
import { loadModifierGroups } from "./seed/loadModifierGroups.ts"
import { loadProducts } from "./seed/loadProducts.ts"
import { loadRegions } from "./seed/loadRegions.ts"
import { loadReviews } from "./seed/loadReviews.ts"
import { loadShippingClasses } from "./seed/loadShippingClasses.ts"
import { loadShippingZones } from "./seed/loadShipping.ts"
import { loadTaxClasses, loadTaxRates } from "./seed/loadTaxes.ts"
import { Loading } from "./seed/Loading.ts"
import { type Section, sections } from "./seed/sections.ts"
import { ProgressLine } from "./seed/ProgressLine.ts"

export const asStore = (storeId: string | undefined) =>
  storeId === undefined ? onlyStore("--store") : Effect.flatMap(Stores, (stores) => stores.context(storeId))

/** Answers how many rows of each kind were created and updated. Without `storeId`, into the one store there is. */
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
  const load = (isOneByOne: boolean) =>
    database.write(store.id)(
      Effect.provide(
        Effect.suspend(() => {
          progress.restart()
          const loading = new Loading(store, sections, progress, isOneByOne)
          return Effect.as(loadAll(loading, description), loading.seeded)
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

/** A loader creates rows that are new and updates those that are there. */
const loaders = {
  categories: loadCategories,
  brands: loadBrands,
  regions: loadRegions,
  taxClasses: loadTaxClasses,
  taxRates: loadTaxRates,
  shippingClasses: loadShippingClasses,
  shippingZones: loadShippingZones,
  attributes: loadAttributes,
  metafieldDefinitions: loadMetafieldDefinitions,
  modifierGroups: loadModifierGroups,
  products: loadProducts,
  customers: loadCustomers,
  reviews: loadReviews
} satisfies Record<Section, unknown>

type Load = ReturnType<(typeof loaders)[keyof typeof loaders]>

const loadAll = (loading: Loading, description: StoreDescription) =>
  Effect.forEach(
    sections,
    (section): Effect.Effect<void, Effect.Error<Load>, Effect.Services<Load>> =>
      loaders[section](loading, description[section] ?? [], description),
    { discard: true }
  )
