/**
 * The products of a store description. New ones first, kits after what they are made of, then those that are there. The
 * links between products come last, so that a link may name any of them, and with them values of metafields that only
 * some products have. `categories`, `brands`, `crossSells`, `upsells` and `related` are externalIds or ids. Stock is
 * the initial stock of a product or variant: loading again does not change it.
 */
import { Categories } from "@effect-commerce/core/taxonomy/Categories"
import { ProductInput } from "@effect-commerce/core/product/ProductInput"
import { type VariantInput } from "@effect-commerce/core/product/VariantInput"
import { Products } from "@effect-commerce/core/product/Products"
import type { VariantView } from "@effect-commerce/core/product/VariantView"
import { ExternalIds } from "@effect-commerce/core/database/ExternalIds"
import { Effect } from "effect"
import type { Row, StoreDescription } from "./document.ts"
import { attributeUses, nameAttributes } from "./loadAttributes.ts"
import { inRow, type Loading } from "./Loading.ts"
import { attachMetafieldDefinitions, valuesOf } from "./loadMetafieldDefinitions.ts"
import { attachmentOf, nameModifierGroups } from "./loadModifierGroups.ts"
import { readRow } from "./rows.ts"
import { variantDiffers } from "./variantDiffers.ts"

const links = ["crossSells", "upsells", "related"] as const

/** New products that are created by one call. */
const together = 500

interface ReadProduct {
  readonly externalId: string
  readonly input: ProductInput
}

export const load = Effect.fnUntraced(function* (
  loading: Loading,
  rows: ReadonlyArray<Row>,
  { metafieldDefinitions: definitions = [] }: StoreDescription
) {
  const products = yield* Products
  const { store } = loading
  const inOrder = yield* Effect.forEach(rows, (row) =>
    Effect.map(
      Effect.fromResult(readRow(ProductInput, "products", row)),
      (body): ReadProduct => ({ externalId: row.externalId, input: { ...body, externalSourceId: row.externalId } })
    )
  )
  const read = inOrder.toSorted((a, b) => Number(a.input.type === "KIT") - Number(b.input.type === "KIT"))
  const filedIn = [...new Set(read.flatMap(({ input }) => input.categories ?? []))]
  loading.name("categories", yield* (yield* Categories).idsByExternal(store, filedIn))
  yield* nameAttributes(
    loading,
    read.flatMap(({ input }) => (input.attributes ?? []).map(({ attributeId }) => attributeId))
  )
  yield* nameModifierGroups(
    loading,
    read.flatMap(({ input }) => input.modifierGroups ?? [])
  )
  const made = [...new Set(read.flatMap(({ input }) => input.brands ?? []))]
  loading.name("brands", yield* (yield* ExternalIds).find(store.id, "brand", made))
  const mentioned = read.flatMap(({ externalId, input }) => [
    externalId,
    ...links.flatMap((link) => input[link] ?? []),
    ...(input.kitComponents ?? []).map(({ productId }) => productId)
  ])
  loading.name("products", yield* products.idsByExternal(store, [...new Set(mentioned)]))
  const present = read.filter(({ externalId }) => loading.known("products", externalId) !== undefined)

  yield* createProducts(
    loading,
    read.filter(({ externalId }) => loading.known("products", externalId) === undefined),
    definitions
  )
  yield* attachMetafieldDefinitions(loading, definitions)
  for (const product of present) {
    yield* updateProduct(loading, product)
    loading.count("products", "updated")
  }
  const again = new Set(present.map(({ externalId }) => externalId))
  for (const { externalId, input } of read) {
    const { later } = valuesOf(input.metafields, definitions)
    const linked = { ...linksOf(loading, input), ...(Object.keys(later).length === 0 ? {} : { metafields: later }) }
    if (again.has(externalId) || Object.keys(linked).length === 0) continue
    yield* inRow("products", externalId)(products.update(store, loading.idOf("products", externalId), linked))
  }
})

/** Kits are created one by one, after their components. */
const createProducts = Effect.fnUntraced(function* (
  loading: Loading,
  rows: ReadonlyArray<ReadProduct>,
  definitions: ReadonlyArray<Row>
) {
  const kits = rows.filter(({ input }) => input.type === "KIT")
  const others = rows.filter(({ input }) => input.type !== "KIT")
  const length = loading.isOneByOne ? 1 : together
  for (let at = 0; at < others.length; at += length)
    yield* createTogether(loading, others.slice(at, at + length), definitions)
  for (const kit of kits) yield* createTogether(loading, [kit], definitions)
})

const createTogether = Effect.fnUntraced(function* (
  loading: Loading,
  rows: ReadonlyArray<ReadProduct>,
  definitions: ReadonlyArray<Row>
) {
  const products = yield* Products
  const bodies = yield* Effect.forEach(rows, ({ input }) =>
    Effect.map(filed(loading, input), ({ crossSells: _c, upsells: _u, related: _r, ...body }) => ({
      ...body,
      metafields: valuesOf(input.metafields, definitions).first
    }))
  )
  const made =
    loading.isOneByOne || rows.length === 1
      ? Effect.forEach(bodies, (body, i) =>
          Effect.map(inRow("products", rows[i]?.externalId ?? "")(products.create(loading.store, body)), ({ id }) => id)
        )
      : products.createMany(loading.store, bodies)
  for (const [i, id] of (yield* made).entries()) {
    loading.name("products", [[rows[i]?.externalId ?? "", id]])
    loading.count("products", "created")
  }
})

/** Variants of components are named by their external ids, or their own. */
const componentsOf = Effect.fnUntraced(function* (loading: Loading, given: ProductInput["kitComponents"]) {
  if (given === undefined) return {}
  const named = given.flatMap(({ variantId }) => (typeof variantId === "string" ? [variantId] : []))
  const ids = yield* (yield* ExternalIds).find(loading.store.id, "product_variant", named)
  const kitComponents = given.map(({ productId, variantId, ...component }) => ({
    ...component,
    productId: loading.idOf("products", productId),
    ...(typeof variantId === "string" ? { variantId: ids.get(variantId) ?? variantId } : {})
  }))
  return { kitComponents }
})

const filed = (loading: Loading, input: ProductInput) =>
  Effect.map(componentsOf(loading, input.kitComponents), (components) => ({
    ...withReferences(loading, input),
    ...components
  }))

const withReferences = (loading: Loading, input: ProductInput): ProductInput => ({
  ...input,
  ...(input.categories === undefined
    ? {}
    : { categories: input.categories.map((reference) => loading.idOf("categories", reference)) }),
  ...(input.attributes === undefined ? {} : { attributes: attributeUses(loading, input.attributes) }),
  ...(input.modifierGroups === undefined
    ? {}
    : { modifierGroups: input.modifierGroups.map((group) => attachmentOf(loading, group)) }),
  ...(input.brands === undefined ? {} : { brands: input.brands.map((brand) => loading.idOf("brands", brand)) }),
  ...(typeof input.taxClassId === "string" ? { taxClassId: loading.idOf("taxClasses", input.taxClassId) } : {}),
  ...(typeof input.shippingClassId === "string"
    ? { shippingClassId: loading.idOf("shippingClasses", input.shippingClassId) }
    : {}),
  ...(input.variants === undefined ? {} : { variants: input.variants.map((variant) => classed(loading, variant)) })
})

const classed = (loading: Loading, variant: VariantInput): VariantInput =>
  typeof variant.shippingClassId === "string"
    ? { ...variant, shippingClassId: loading.idOf("shippingClasses", variant.shippingClassId) }
    : variant

/** The links that the row names, by their ids in the database. */
const linksOf = (loading: Loading, input: ProductInput): Pick<ProductInput, (typeof links)[number]> =>
  Object.fromEntries(
    links.flatMap((link) =>
      input[link] === undefined ? [] : [[link, input[link].map((reference) => loading.idOf("products", reference))]]
    )
  )

const updateProduct = Effect.fnUntraced(function* (loading: Loading, { externalId, input }: ReadProduct) {
  const products = yield* Products
  const {
    variants,
    inventory: _inventory,
    slug,
    ...others
  } = {
    ...(yield* filed(loading, input)),
    ...linksOf(loading, input)
  }
  const patch = typeof slug === "string" ? { ...others, slug } : others
  const id = loading.idOf("products", externalId)
  const kept = yield* inRow("products", externalId)(products.update(loading.store, id, patch))
  if (variants !== undefined && variants.length > 0)
    yield* inRow("products", externalId)(updateVariants(loading, { id, present: kept.variants }, variants))
})

/** Variants that the row does not name stay as they are. */
const updateVariants = Effect.fnUntraced(function* (
  { store }: Loading,
  product: { readonly id: string; readonly present: ReadonlyArray<VariantView> },
  rows: ReadonlyArray<VariantInput>
) {
  const products = yield* Products
  const named = rows.flatMap(({ externalId }) => (typeof externalId === "string" ? [externalId] : []))
  const ids = yield* (yield* ExternalIds).find(store.id, "product_variant", named)
  for (const row of rows) {
    const known = matchOf(product.present, row, ids)
    const { inventory: _inventory, ...patch } = row
    if (known === undefined) yield* products.createVariant(store, product.id, row)
    else if (variantDiffers(known, patch, store.currency))
      yield* products.updateVariant(store, product.id, known.id, patch)
  }
})

/** By externalId, else by SKU. */
const matchOf = (
  present: ReadonlyArray<VariantView>,
  row: VariantInput,
  ids: ReadonlyMap<string, string>
): VariantView | undefined => {
  const id = typeof row.externalId === "string" ? ids.get(row.externalId) : undefined
  const sku = typeof row.sku === "string" && row.sku !== "" ? row.sku : undefined
  return (
    present.find((variant) => variant.id === id) ??
    present.find((variant) => id === undefined && sku !== undefined && variant.sku === sku)
  )
}
