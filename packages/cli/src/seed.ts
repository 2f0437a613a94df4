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

const load = Effect.fnUntraced(function* (store: StoreContext, document: SeedDocument) {
  const seeded: Seeded = { created: {}, updated: {} }
  const all = Object.values(document).reduce((sum, rows) => sum + rows.length, 0)
  let done = 0
  const count = (kind: string, isNew: boolean) => {
    seeded.created[kind] ??= 0
    seeded.updated[kind] ??= 0
    seeded[isNew ? "created" : "updated"][kind]! += 1
    progress(++done, all)
  }

  const categories = yield* Categories
  const categoryRows = document.categories ?? []
  const categoryIds = new Map(yield* categories.idsByExternal(store, categoryRows.map((row) => row.externalId)))
  for (const row of categoryRows) {
    const parentId = row.parent === undefined ? null : categoryIds.get(row.parent)
    if (parentId === undefined) return yield* Effect.fail(new Refused(`categories ${row.externalId}: parent ${row.parent} does not come before it; nothing was loaded`))
    const input = yield* decodeRow(CategoryInput as unknown as Schema.Codec<CategoryInput, unknown>, "categories", { ...row, parentId })
    const known = categoryIds.get(row.externalId)
    const kept = yield* (known === undefined ? categories.create(store, input) : categories.update(store, known, input)).pipe(Effect.mapError(inRow("categories", row)))
    categoryIds.set(row.externalId, kept.id)
    count("categories", known === undefined)
  }

  const taxes = yield* TaxRates
  const taxIds = new Map((yield* taxes.list(store)).map((rate) => [taxKey(rate), rate.id]))
  for (const row of document.taxRates ?? []) {
    const { externalId: _externalId, ...input } = row
    const known = taxIds.get(taxKey(row))
    const work = known === undefined ? taxes.create(store, input as unknown as NewTaxRate) : taxes.update(store, known, input as unknown as NewTaxRate)
    yield* Effect.mapError(work, inRow("taxRates", row))
    count("taxRates", known === undefined)
  }

  const zones = yield* ShippingZones
  const shippingRates = yield* ShippingRates
  const present = new Map((yield* zones.list(store, {}, { page: 1, limit: 1_000 })).items.map((zone) => [zone.name, zone]))
  for (const row of document.shippingZones ?? []) {
    const { externalId: _externalId, rates = [], ...input } = row
    const known = present.get(row.name)
    const work = known === undefined ? zones.create(store, input as unknown as NewShippingZone) : zones.update(store, known.id, input as unknown as NewShippingZone)
    const zone = yield* Effect.mapError(work, inRow("shippingZones", row))
    for (const rate of rates) {
      const { externalId: _rateId, ...rateInput } = rate
      const before = known?.rates.find((one) => one.name === rate.name)
      const body = rateInput as unknown as NewShippingRate
      const written = before === undefined ? shippingRates.create(store, zone.id, body) : shippingRates.update(store, { zoneId: zone.id, rateId: before.id }, body)
      yield* Effect.mapError(written, inRow("shippingZones", rate))
    }
    count("shippingZones", known === undefined)
  }

  const products = yield* Products
  const productRows = document.products ?? []
  const productIds = yield* products.idsByExternal(store, productRows.map((row) => row.externalId))
  for (const row of productRows) {
    const filed = (row.categories ?? []).map((externalId) => categoryIds.get(externalId) ?? externalId)
    const input = yield* decodeRow(ProductInput as unknown as Schema.Codec<ProductInput, unknown>, "products", {
      ...row,
      externalSourceId: row.externalId,
      ...(row.categories === undefined ? {} : { categories: filed })
    })
    const known = productIds.get(row.externalId)
    const { variants: _variants, inventory: _inventory, ...changes } = input
    yield* (known === undefined ? products.create(store, input) : products.update(store, known, changes)).pipe(Effect.mapError(inRow("products", row)))
    count("products", known === undefined)
  }
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
