/**
 * Which variants a body describes and which its attributes make beside them: the plan of a write, and the preview of
 * one.
 */
import { Effect } from "effect"
import type { FieldErrors } from "../../kernel/FieldErrors.ts"
import { formatMoney } from "../../kernel/Money.ts"
import { FieldRejected } from "../../kernel/FieldRejected.ts"
import type { ProductFields, ProductState, VariantState } from "../Product.ts"
import type { ProductPatch } from "../ProductInput.ts"
import type { VariantChange, VariantInput } from "../VariantInput.ts"
import { type Described, generated, optionsOfAll, type Written } from "../VariantRules.ts"
import type { VariantsPreview } from "../VariantsPreview.ts"
import {
  checkCombinations,
  type DeclaredAttribute,
  declaredOf,
  maxVariants,
  missingCombinations
} from "./variantOptions.ts"
import { optionNamesOf, withOptionNames } from "../VariantNames.ts"

export interface Plan {
  readonly removed: ReadonlyArray<string>
  readonly changed: ReadonlyArray<Written<VariantInput> & { readonly variant: VariantState }>
  readonly added: ReadonlyArray<Written<VariantInput>>
}

/**
 * What becomes of which: those that are named by `id` are changed or taken away, those without one are new, and all
 * others stay. `errors` names the changes that are no part of the plan.
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

/** Whether a PATCH makes variants of the attributes that the product has after it. */
export const generates = (before: ProductState, type: ProductFields["type"], body: AttributesBody): boolean =>
  type === "VARIABLE" && (body.generateVariants ?? (body.attributes !== undefined || before.type !== "VARIABLE"))

interface After {
  readonly body: AttributesBody
  readonly declared: ReadonlyArray<DeclaredAttribute>
  readonly plan: Plan
  /** The variants of before, with the options that the new attributes give them. */
  readonly current: ReadonlyArray<VariantState>
}

/** The variants that a PATCH makes beyond those it describes. */
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

/** What the product would have: the variants that are there, then those that would be made. */
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
