/**
 * Checks variants before they are written: those that a body describes, and those generated from attributes. Used for a
 * new product, for a PATCH, and for a preview.
 */
import { Effect } from "effect"
import type { FieldErrors } from "../../kernel/FieldErrors.ts"
import { checkAll, checkBeside, checkEach, FieldRejected } from "../../kernel/FieldRejected.ts"
import { makeId } from "../../kernel/Ids.ts"
import { formatMoney } from "../../kernel/Money.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import { emptyVariant, type ProductFields, type ProductState, type VariantState } from "../Product.ts"
import type { ProductInput, ProductPatch } from "../ProductInput.ts"
import type { OpeningStock } from "../ProductStock.ts"
import type { InventoryInput, VariantChange, VariantInput } from "../VariantInput.ts"
import { optionNamesOf, withOptionNames } from "../VariantNames.ts"
import type { NewVariant } from "../VariantRepository.ts"
import { variantFields } from "../VariantRules.ts"
import type { VariantsPreview } from "../VariantsPreview.ts"
import {
  checkCombinations,
  chosenOptions,
  combinations,
  type DeclaredAttribute,
  declaredOf,
  maxVariants,
  missingCombinations,
  skuOf
} from "./variantOptions.ts"

/** The fields of a product that its variants depend on. */
export type Described = Pick<ProductFields, "type" | "sku" | "basePrice">

/** A variant of a body, and the path of its errors. */
export interface Written<Input> {
  readonly path: string
  readonly input: Input
}

/** Generated variants that the body does not describe, one for each combination of options. */
const generated = (
  { sku, declared }: { readonly sku: string | null; readonly declared: ReadonlyArray<DeclaredAttribute> },
  made: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<Written<VariantInput>> =>
  made.map((optionIds) => ({
    path: "attributes.",
    input: {
      attributes: Object.fromEntries(declared.map(({ id }, i) => [id, optionIds[i] ?? ""])),
      sku: skuOf(sku, declared, optionIds)
    }
  }))

/** The options that the variants of a body name; none where the product has no attributes. */
const optionsOfAll = Effect.fnUntraced(function* (
  declared: ReadonlyArray<DeclaredAttribute>,
  written: ReadonlyArray<Written<VariantInput>>
) {
  if (declared.length === 0) return []
  return yield* checkEach(written, ({ input, path }) => chosenOptions(declared, input.attributes ?? {}, path))
})

export interface Product extends Pick<ProductState, "id" | "basePrice"> {
  /** Attributes of which each variant has one option. */
  readonly declared: ReadonlyArray<DeclaredAttribute>
}

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

/** New variants with their opening stock. */
export interface NewVariants {
  readonly variants: ReadonlyArray<NewVariant>
  readonly stock: ReadonlyArray<OpeningStock>
}

/** The variants of a body, checked. `present` is the number of variants that the product already has. */
export const newVariants = Effect.fnUntraced(function* (
  store: StoreContext,
  product: Product,
  written: ReadonlyArray<Written<VariantInput>>,
  present: number,
  now: number
): Effect.fn.Return<NewVariants, FieldRejected> {
  if (present + written.length > maxVariants)
    return yield* FieldRejected.at("variants", `a product has at most ${maxVariants} variants`)
  const read = ({ input, path }: Written<VariantInput>, i: number) =>
    Effect.map(
      variantFields(emptyVariant(product, present + i), input, {
        currency: store.currency,
        path,
        now,
        declared: product.declared
      }),
      (fields): NewVariant => ({ ...fields, id: makeId("var", now), productId: product.id })
    )
  const variants = yield* checkEach(written, read)
  return { variants, stock: variants.map(({ id }, i) => openingOf(product.id, id, written[i]?.input.inventory)) }
})

/** The first variants and opening stock of a product, checked; `declared` are its attributes. */
export const firstVariants = Effect.fnUntraced(function* (
  store: StoreContext,
  product: Described & Product,
  input: ProductInput,
  now: number
): Effect.fn.Return<NewVariants, FieldRejected> {
  const { declared } = product
  const written = (input.variants ?? []).map((variant, i) => ({ input: variant, path: `variants.${i}.` }))
  const isGenerating = product.type === "VARIABLE" && input.generateVariants !== false
  const { named } = yield* checkBeside(
    checkAll({
      count: isGenerating ? checkCombinations(declared) : Effect.void,
      named: optionsOfAll(declared, written)
    }),
    newVariants(store, product, written, 0, now)
  )
  const missing = isGenerating ? missingCombinations({ declared, present: named, before: undefined }) : []
  const all = [...written, ...generated(product, missing)]
  const places = new Map(combinations(isGenerating ? declared : []).map((combination, i) => [combination.join(), i]))
  const placeOf = (i: number) => places.get((named[i] ?? missing[i - named.length] ?? []).join()) ?? i
  const ordered = all.map((one, i) => ({ one, at: placeOf(i) })).toSorted((a, b) => a.at - b.at)
  const made = yield* newVariants(
    store,
    product,
    ordered.map(({ one }) => one),
    0,
    now
  )
  const own = product.type === "SIMPLE" ? [openingOf(product.id, null, input.inventory)] : []
  return { variants: made.variants, stock: [...own, ...made.stock] }
})

export interface Plan {
  readonly removed: ReadonlyArray<string>
  readonly changed: ReadonlyArray<Written<VariantInput> & { readonly variant: VariantState }>
  readonly added: ReadonlyArray<Written<VariantInput>>
}

/**
 * Sorts the changes: a variant with an `id` is changed or deleted, one without an `id` is added, all others stay.
 * `errors` has the invalid changes, which are not in the plan.
 */
export const planOf = (
  variants: ReadonlyArray<VariantState>,
  changes: ReadonlyArray<VariantChange>
): { readonly plan: Plan; readonly errors: FieldErrors } => {
  const known = new Map(variants.map((variant) => [variant.id, variant]))
  const removed: Array<string> = []
  const changed: Array<Plan["changed"][number]> = []
  const added: Array<Plan["added"][number]> = []
  const errors: Record<string, string> = {}
  for (const [i, { id, _delete: isRemoved = false, ...input }] of changes.entries()) {
    const path = `variants.${i}.`
    const variant = known.get(id ?? "")
    if (id === undefined && isRemoved) errors[`${path}id`] = "says which variant to delete"
    else if (id === undefined) added.push({ path, input })
    else if (variant === undefined) errors[`${path}id`] = "is not a variant of this product, or is named twice"
    else if (isRemoved) removed.push(id)
    else changed.push({ path, input, variant })
    known.delete(id ?? "")
  }
  return { plan: { removed, changed, added }, errors }
}

export type AttributesBody = Pick<ProductPatch, "attributes" | "generateVariants">

/** Whether a PATCH generates variants from the attributes that the product has after it. */
export const generates = (before: ProductState, type: ProductFields["type"], body: AttributesBody): boolean =>
  type === "VARIABLE" && (body.generateVariants ?? (body.attributes !== undefined || before.type !== "VARIABLE"))

interface After {
  readonly body: AttributesBody
  readonly declared: ReadonlyArray<DeclaredAttribute>
  readonly plan: Plan
  /** The existing variants, with the options that the new attributes give them. */
  readonly current: ReadonlyArray<VariantState>
}

/** The variants that a PATCH generates in addition to those that it describes. */
export const missingOf = Effect.fnUntraced(function* (
  before: ProductState,
  after: Described,
  { body, declared, plan, current }: After
) {
  if (!generates(before, after.type, body)) return []
  yield* checkCombinations(declared)
  const isThere = ({ id }: { readonly id: string }) => !plan.removed.includes(id)
  const named = yield* optionsOfAll(declared, plan.added)
  const changed = plan.changed.filter(({ input }) => input.attributes !== undefined)
  const renamed = new Set(changed.map(({ variant }) => variant.id))
  const present = [
    ...current.filter((variant) => isThere(variant) && !renamed.has(variant.id)).map(({ optionIds }) => optionIds),
    ...(yield* optionsOfAll(declared, changed)),
    ...named
  ]
  const isAll = body.generateVariants === true || before.type !== "VARIABLE"
  const missing = missingCombinations({
    declared,
    present,
    before: isAll
      ? undefined
      : {
          declared: declaredOf(before.attributes),
          variants: before.variants.filter(isThere).map(({ optionIds }) => optionIds)
        }
  })
  return generated({ sku: after.sku, declared }, missing)
})

/** The variants that the product would have: the existing ones, then the generated ones. */
export const previewOf = Effect.fnUntraced(function* (
  product: ProductState,
  currency: string,
  after: Pick<After, "declared" | "current"> & { readonly isAll: boolean }
) {
  const { declared, current, isAll } = after
  const missing = yield* missingOf(
    product,
    { ...product, type: "VARIABLE" },
    { body: isAll ? { generateVariants: true } : { attributes: [] }, declared, plan: nothing, current }
  )
  if (current.length + missing.length > maxVariants)
    return yield* FieldRejected.at("attributes", `a product has at most ${maxVariants} variants`)
  const names = optionNamesOf(declared)
  const made = missing.map(({ input: { attributes = {}, sku = null } }) => ({
    variantId: null,
    ...named(withOptionNames({ name: "", attributes: {}, optionIds: Object.values(attributes) }, names)),
    sku,
    price: formatMoney(product.basePrice, currency)
  }))
  const kept = current.map((variant) => ({
    variantId: variant.id,
    ...named(withOptionNames({ ...variant, name: variant.isNameMade ? "" : variant.name }, names)),
    sku: variant.sku,
    price: formatMoney(variant.price, currency)
  }))
  const total = kept.length + made.length
  return { variants: [...kept, ...made], newCount: made.length, total } satisfies VariantsPreview
})

const nothing: Plan = { removed: [], changed: [], added: [] }
const named = ({ name, attributes }: Pick<VariantState, "name" | "attributes">) => ({ name, attributes })
