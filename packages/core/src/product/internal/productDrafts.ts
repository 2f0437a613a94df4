/** A new product as its body describes it: checked by itself, and not yet written. */
import { Effect } from "effect"
import { checkAll } from "../../kernel/FieldRejected.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import type { ProductFields } from "../Product.ts"
import type { ProductInput } from "../ProductInput.ts"
import { checkStockAndVariants, emptyProduct, productFields } from "../ProductRules.ts"

/** The type that a body says or means. */
export const typeOf = ({ type, variants }: ProductInput): ProductFields["type"] =>
  type ?? (variants === undefined || variants.length === 0 ? "SIMPLE" : "VARIABLE")

export const draftOf = Effect.fnUntraced(function* (
  store: StoreContext,
  input: ProductInput,
  slug: string,
  now: number
) {
  const before = { ...emptyProduct(input.name, slug), type: typeOf(input) }
  const { fields } = yield* checkAll({
    fields: productFields(before, { ...input, slug }, store.currency, now),
    stock: checkStockAndVariants(before.type, input)
  })
  return fields
})
