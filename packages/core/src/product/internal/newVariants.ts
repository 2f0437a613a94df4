/** Variants and stock that are about to be written, checked: those of a body, and those that attributes make. */
import { Effect } from "effect"
import { checkAll, checkBeside, checkEach, FieldRejected } from "../../kernel/FieldRejected.ts"
import { makeId } from "../../kernel/Ids.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import { emptyVariant, type ProductState } from "../Product.ts"
import type { ProductInput } from "../ProductInput.ts"
import type { InventoryInput, VariantInput } from "../VariantInput.ts"
import { type Described, generated, optionsOfAll, variantFields, type Written } from "../VariantRules.ts"
import type { OpeningStock } from "../ProductStock.ts"
import type { NewVariant } from "../VariantRepository.ts"
import {
  checkCombinations,
  combinations,
  type DeclaredAttribute,
  maxVariants,
  missingCombinations
} from "./variantOptions.ts"

export interface Product extends Pick<ProductState, "id" | "basePrice"> {
  /** Attributes that its variants have an option each of. */
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

/** New variants with the stock they begin with. */
export interface NewVariants {
  readonly variants: ReadonlyArray<NewVariant>
  readonly stock: ReadonlyArray<OpeningStock>
}

/** Variants of a body, checked. `present` counts those the product has. */
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

/** The variants and the stock that a product begins with, checked; `declared` are its attributes. */
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
