/** Stock that a product shows and does not have itself: its variants' together, or what a kit's components make. */
import type { ProductState } from "../Product.ts"
import type { ProductPatch } from "../ProductInput.ts"
import { toProductView } from "../productViews.ts"

/** A patch that sends such stock back as it was read says nothing of stock. */
export const withoutShownStock = (
  current: ProductState,
  patch: ProductPatch,
  { currency, now }: { readonly currency: string; readonly now: number }
): ProductPatch => {
  const { inventory, ...rest } = patch
  if (current.type === "SIMPLE" || inventory === undefined) return patch
  const shown: Readonly<Record<string, unknown>> = {
    ...toProductView(current, { currency, now, audience: "admin" }).inventory
  }
  return Object.entries(inventory).every(([name, value]) => shown[name] === value) ? rest : patch
}
