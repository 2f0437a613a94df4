/**
 * Loads a store description into a store: all of it or nothing, in one transaction. Rows that are there already are brought up to date: categories and
 * products are found by their external id, taxes by what they apply to, zones and their rates by name.
 */
import { readFileSync } from "node:fs"
import { Categories } from "@effect-commerce/core/catalog/Categories"
import { CategoryInput } from "@effect-commerce/core/catalog/Category"
import { ProductInput } from "@effect-commerce/core/catalog/ProductInput"
import { Products } from "@effect-commerce/core/catalog/Products"
import { Database } from "@effect-commerce/core/database/Database"
import { ShippingRates } from "@effect-commerce/core/shipping/ShippingRates"
import type { NewShippingRate } from "@effect-commerce/core/shipping/ShippingRate"
import type { NewShippingZone } from "@effect-commerce/core/shipping/ShippingZone"
import { ShippingZones } from "@effect-commerce/core/shipping/ShippingZones"
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import { Stores } from "@effect-commerce/core/store/Stores"
import type { NewTaxRate } from "@effect-commerce/core/tax/TaxRate"
import { TaxRates } from "@effect-commerce/core/tax/TaxRates"
import { Clock, Effect, Schema } from "effect"
import { demoStore } from "./demo/demoStore.ts"
import type { SeedDocument, SeedRow } from "./demo/SeedDocument.ts"
import { withCore } from "./openCore.ts"
import { Refused, WrongUsage } from "./Refused.ts"
import type { Settings } from "./Settings.ts"

/** Counts per kind of row. */
export interface Seeded {
  readonly created: Record<string, number>
  readonly updated: Record<string, number>
}

const Document = Schema.Struct({
  categories: Schema.optionalKey(Schema.Array(Schema.Record(Schema.String, Schema.Unknown))),
  taxRates: Schema.optionalKey(Schema.Array(Schema.Record(Schema.String, Schema.Unknown))),
  shippingZones: Schema.optionalKey(Schema.Array(Schema.Record(Schema.String, Schema.Unknown))),
  products: Schema.optionalKey(Schema.Array(Schema.Record(Schema.String, Schema.Unknown)))
})

const readDocument = (file: string): SeedDocument => {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, "utf8"))
  } catch (error) {
    throw new Refused(error instanceof SyntaxError ? `${file}: is not JSON (${error.message})` : `${file}: cannot be read`)
  }
  const document = Schema.decodeUnknownResult(Document)(value)
  if (document._tag === "Failure") throw new Refused(`${file}: must be { categories?, taxRates?, shippingZones?, products? }, each a list of rows`)
  for (const [kind, rows] of Object.entries(document.success)) {
    const at = rows.findIndex((row) => typeof row["externalId"] !== "string" || typeof row["name"] !== "string")
    if (at >= 0) throw new Refused(`${file}: ${kind}[${at}] needs an externalId and a name`)
  }
  return document.success as unknown as SeedDocument
}

/** A line that fills on a terminal, and nothing elsewhere. */
const progress = (done: number, all: number): void => {
  if (!process.stderr.isTTY) return
  const width = 30
  const filled = Math.round((done / Math.max(1, all)) * width)
  process.stderr.write(`\r${"█".repeat(filled)}${"·".repeat(width - filled)} ${done}/${all}${done === all ? "\n" : ""}`)
}

const inRow = (kind: string, row: SeedRow) => (cause: unknown) => {
  const facts = cause as { readonly field?: string; readonly reason?: string; readonly errors?: Record<string, string>; readonly _tag?: string; readonly message?: string }
  const why = facts.field === undefined ? (facts.errors === undefined ? (facts.message ?? facts._tag) : JSON.stringify(facts.errors)) : `${facts.field} ${facts.reason}`
  return new Refused(`${kind} ${row.externalId}: ${why}; nothing was loaded`)
}

const decodeRow = <A>(schema: Schema.Codec<A, unknown>, kind: string, row: SeedRow) =>
  Schema.decodeUnknownEffect(schema)(row).pipe(Effect.mapError((error) => new Refused(`${kind} ${row.externalId}: ${error.message}; nothing was loaded`)))

const taxKey = (rate: Readonly<Record<string, unknown>>): string => [rate["name"], rate["country"], rate["region"] ?? "", rate["postalCode"] ?? ""].join("|")

/** Counts rows as they are written, and shows how far the loading is. */
type Count = (kind: string, isNew: boolean) => void

const counting = (document: SeedDocument): { readonly seeded: Seeded; readonly count: Count } => {
  const seeded: Seeded = { created: {}, updated: {} }
  const all = Object.values(document).reduce((sum, rows) => sum + rows.length, 0)
  let done = 0
  const count: Count = (kind, isNew) => {
    seeded.created[kind] = (seeded.created[kind] ?? 0) + (isNew ? 1 : 0)
    seeded.updated[kind] = (seeded.updated[kind] ?? 0) + (isNew ? 0 : 1)
    done += 1
    progress(done, all)
  }
  return { seeded, count }
}

/** Categories come parents first; answers their ids by external id. */
const loadCategories = Effect.fnUntraced(function* (store: StoreContext, rows: NonNullable<SeedDocument["categories"]>, count: Count) {
  const categories = yield* Categories
  const ids = new Map(yield* categories.idsByExternal(store, rows.map((row) => row.externalId)))
  for (const row of rows) {
    const parentId = row.parent === undefined ? null : ids.get(row.parent)
    if (parentId === undefined) return yield* Effect.fail(new Refused(`categories ${row.externalId}: parent ${row.parent} does not come before it; nothing was loaded`))
    const input = yield* decodeRow(CategoryInput as unknown as Schema.Codec<CategoryInput, unknown>, "categories", { ...row, parentId })
    const known = ids.get(row.externalId)
    const kept = yield* (known === undefined ? categories.create(store, input) : categories.update(store, known, input)).pipe(Effect.mapError(inRow("categories", row)))
    ids.set(row.externalId, kept.id)
    count("categories", known === undefined)
  }
  return ids
})

const loadTaxRates = Effect.fnUntraced(function* (store: StoreContext, rows: NonNullable<SeedDocument["taxRates"]>, count: Count) {
  const taxes = yield* TaxRates
  const ids = new Map((yield* taxes.list(store)).map((rate) => [taxKey(rate), rate.id]))
  for (const row of rows) {
    const { externalId: _externalId, ...input } = row
    const known = ids.get(taxKey(row))
    const rate = input as unknown as NewTaxRate
    yield* (known === undefined ? taxes.create(store, rate) : taxes.update(store, known, rate)).pipe(Effect.mapError(inRow("taxRates", row)))
    count("taxRates", known === undefined)
  }
})

const loadZones = Effect.fnUntraced(function* (store: StoreContext, rows: NonNullable<SeedDocument["shippingZones"]>, count: Count) {
  const zones = yield* ShippingZones
  const shippingRates = yield* ShippingRates
  const present = new Map((yield* zones.list(store, {}, { page: 1, limit: 1_000 })).items.map((zone) => [zone.name, zone]))
  for (const row of rows) {
    const { externalId: _externalId, rates = [], ...input } = row
    const known = present.get(row.name)
    const body = input as unknown as NewShippingZone
    const zone = yield* (known === undefined ? zones.create(store, body) : zones.update(store, known.id, body)).pipe(Effect.mapError(inRow("shippingZones", row)))
    for (const rate of rates) {
      const { externalId: _rateId, ...rateInput } = rate
      const before = known?.rates.find((one) => one.name === rate.name)
      const rateBody = rateInput as unknown as NewShippingRate
      const written =
        before === undefined ? shippingRates.create(store, zone.id, rateBody) : shippingRates.update(store, { zoneId: zone.id, rateId: before.id }, rateBody)
      yield* Effect.mapError(written, inRow("shippingZones", rate))
    }
    count("shippingZones", known === undefined)
  }
})

const loadProducts = Effect.fnUntraced(function* (
  store: StoreContext,
  rows: NonNullable<SeedDocument["products"]>,
  categoryIds: ReadonlyMap<string, string>,
  count: Count
) {
  const products = yield* Products
  const ids = yield* products.idsByExternal(store, rows.map((row) => row.externalId))
  for (const row of rows) {
    const categories = row.categories?.map((externalId) => categoryIds.get(externalId) ?? externalId)
    const filed = categories === undefined ? {} : { categories }
    const input = yield* decodeRow(ProductInput as unknown as Schema.Codec<ProductInput, unknown>, "products", { ...row, externalSourceId: row.externalId, ...filed })
    const known = ids.get(row.externalId)
    const { variants: _variants, inventory: _inventory, ...changes } = input
    yield* (known === undefined ? products.create(store, input) : products.update(store, known, changes)).pipe(Effect.mapError(inRow("products", row)))
    count("products", known === undefined)
  }
})

const load = Effect.fnUntraced(function* (store: StoreContext, document: SeedDocument) {
  const { seeded, count } = counting(document)
  const categoryIds = yield* loadCategories(store, document.categories ?? [], count)
  yield* loadTaxRates(store, document.taxRates ?? [], count)
  yield* loadZones(store, document.shippingZones ?? [], count)
  yield* loadProducts(store, document.products ?? [], categoryIds, count)
  return seeded
})

const seedWith = (settings: Settings, storeId: string | undefined, documentAt: (now: number) => SeedDocument): Promise<Seeded> =>
  withCore(
    settings,
    Effect.gen(function* () {
      const stores = yield* Stores
      const found = yield* stores.list
      if (storeId === undefined && found.length !== 1) return yield* Effect.die(new Refused(`there are ${found.length} stores: name one with --store`))
      const store = yield* stores.context(storeId ?? found[0]?.id ?? "")
      const document = documentAt(yield* Clock.currentTimeMillis)
      const database = yield* Database
      return yield* database.write(store.id)(load(store, document))
    })
  )

export const seedDemo = (settings: Settings, storeId: string): Promise<Seeded> => seedWith(settings, storeId, demoStore)

export const seedStore = (
  settings: Settings,
  asked: { readonly file: string | undefined; readonly demo: boolean; readonly storeId: string | undefined }
): Promise<Seeded> => {
  if ((asked.file === undefined) === !asked.demo) throw new WrongUsage("give a FILE or --demo, one of the two")
  if (asked.file === undefined) return seedWith(settings, asked.storeId, demoStore)
  const document = readDocument(asked.file)
  return seedWith(settings, asked.storeId, () => document)
}
