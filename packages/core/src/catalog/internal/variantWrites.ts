/**
 * Variants written in the transaction of their product: new ones, changed ones, and what a PATCH of the product says of
 * several at once.
 */
import { Effect } from "effect"
import { makeId } from "../../kernel/Ids.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import { FieldRejected } from "../../kernel/FieldRejected.ts"
import type { ProductState, VariantFields, VariantState } from "../Product.ts"
import type { InventoryInput, VariantChange, VariantInput, VariantPatch } from "../ProductInput.ts"
import type { ProductRepository } from "../ProductRepository.ts"
import { emptyVariant, variantFields } from "../ProductRules.ts"
import type { OpeningStock, ProductStock, StockSetting } from "../ProductStock.ts"

/** Far above what a shopper can choose from, and what one product may weigh in every list that shows it. */
export const maxVariants = 500

type Product = Pick<ProductState, "id" | "basePrice">

/** A variant of a body, and the path its mistakes are named by. */
interface Written<Input> {
  readonly path: string
  readonly input: Input
}

const refuse = (field: string, reason: string) => Effect.fail(new FieldRejected({ field, reason }))

const openingOf = (
  productId: string,
  variantId: string | null,
  inventory: InventoryInput | undefined
): OpeningStock => ({
  productId,
  variantId,
  total: inventory?.total ?? 0,
  trackingMode: inventory?.trackingMode ?? "TRACKED",
  backorderMode: inventory?.backorderMode ?? "DENY",
  backorderLimit: inventory?.backorderLimit ?? null,
  lowStockThreshold: inventory?.lowStockThreshold ?? null
})

/** Whether a body says anything of stock. */
const says = (inventory: InventoryInput | undefined): inventory is InventoryInput =>
  inventory !== undefined && Object.keys(inventory).length > 0

interface Plan {
  readonly removed: ReadonlyArray<string>
  readonly changed: ReadonlyArray<Written<VariantPatch> & { readonly variant: VariantState }>
  readonly added: ReadonlyArray<Written<VariantInput>>
}

/**
 * What becomes of which: those that are named by `id` are changed or taken away, those without one are new, and all
 * others stay.
 */
const planOf = Effect.fnUntraced(function* (
  variants: ReadonlyArray<VariantState>,
  changes: ReadonlyArray<VariantChange>
) {
  const known = new Map(variants.map((variant) => [variant.id, variant]))
  const removed: Array<string> = []
  const changed: Array<Plan["changed"][number]> = []
  const added: Array<Plan["added"][number]> = []
  for (const [i, { id, _delete: isRemoved = false, ...input }] of changes.entries()) {
    const path = `variants.${i}.`
    if (id === undefined) {
      if (isRemoved) return yield* refuse(`${path}id`, "says which variant to delete")
      added.push({ path, input })
      continue
    }
    const variant = known.get(id)
    if (variant === undefined) return yield* refuse(`${path}id`, "is not a variant of this product, or is named twice")
    known.delete(id)
    if (isRemoved) removed.push(id)
    else changed.push({ path, input, variant })
  }
  return { removed, changed, added } satisfies Plan
})

export const makeVariantWrites = (repository: ProductRepository["Service"], stock: ProductStock["Service"]) => {
  /** Answers their ids. `present` counts those the product has. */
  const add = Effect.fnUntraced(function* (
    store: StoreContext,
    product: Product,
    written: ReadonlyArray<Written<VariantInput>>,
    present: number,
    now: number
  ) {
    if (present + written.length > maxVariants)
      return yield* refuse("variants", `a product has at most ${maxVariants} variants`)
    const variants: Array<VariantFields & { readonly id: string }> = []
    for (const [i, { input, path }] of written.entries()) {
      const fields = yield* variantFields(emptyVariant(product, present + i), input, {
        currency: store.currency,
        path,
        now
      })
      variants.push({ ...fields, id: makeId("var", now) })
    }
    if (variants.length === 0) return []
    yield* repository.insertVariants(store.id, product.id, variants, new Date(now))
    const rows = variants.map((variant, i) => openingOf(product.id, variant.id, written[i]?.input.inventory))
    yield* stock.open(store.id, rows, new Date(now))
    return variants.map(({ id }) => id)
  })

  const change = Effect.fnUntraced(function* (
    store: StoreContext,
    { variant, input, path }: Plan["changed"][number],
    now: number
  ) {
    const fields = yield* variantFields(variant, input, { currency: store.currency, path, now })
    yield* repository.updateVariant(store.id, variant.productId, variant.id, fields, new Date(now))
    return says(input.inventory) ? [{ ...input.inventory, variantId: variant.id }] : []
  })

  return {
    add,

    /** Stock that a SIMPLE product begins with. */
    open: (store: StoreContext, productId: string, inventory: InventoryInput | undefined, now: number) =>
      stock.open(store.id, [openingOf(productId, null, inventory)], new Date(now)),

    changeOne: Effect.fnUntraced(function* (
      store: StoreContext,
      variant: VariantState,
      input: VariantPatch,
      now: number
    ) {
      const settings = yield* change(store, { variant, input, path: "" }, now)
      if (settings.length > 0) yield* stock.set(store, variant.productId, settings)
    }),

    /**
     * What the PATCH of a product says of its variants and of its own stock. Gone first, new last: options may pass
     * from one to another.
     */
    apply: Effect.fnUntraced(function* (
      store: StoreContext,
      product: Product & Pick<ProductState, "variants">,
      body: { readonly variants?: ReadonlyArray<VariantChange>; readonly inventory?: InventoryInput },
      now: number
    ) {
      const plan = yield* planOf(product.variants, body.variants ?? [])
      const settings: Array<StockSetting> = says(body.inventory) ? [{ ...body.inventory, variantId: null }] : []
      for (const id of plan.removed) yield* repository.removeVariant(store.id, product.id, id)
      for (const changed of plan.changed) settings.push(...(yield* change(store, changed, now)))
      yield* add(store, product, plan.added, product.variants.length - plan.removed.length, now)
      if (settings.length > 0) yield* stock.set(store, product.id, settings)
      if (plan.removed.length + plan.added.length > 0) yield* stock.tell(store.id, product.id, new Date(now))
    })
  }
}
