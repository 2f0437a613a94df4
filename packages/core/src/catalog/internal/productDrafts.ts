/** A new product as its body describes it: checked by itself, and not yet written. */
import { Effect } from "effect"
import type { StoreContext } from "../../store/StoreContext.ts"
import type { ProductInput } from "../ProductInput.ts"
import { checkStockAndVariants, emptyProduct, productFields } from "../ProductRules.ts"

export const draftOf = Effect.fnUntraced(function* (
  store: StoreContext,
  input: ProductInput,
  slug: string,
  now: number
) {
  const type = input.type ?? (input.variants === undefined || input.variants.length === 0 ? "SIMPLE" : "VARIABLE")
  const before = { ...emptyProduct(input.name, slug), type }
  const fields = yield* productFields(before, { ...input, slug }, store.currency, now)
  yield* checkStockAndVariants(fields.type, input)
  return fields
})
