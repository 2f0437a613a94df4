/** Everything that is due of the carts and checkouts of a store that nobody touches any more, done when it returns. */
import { Abandonment } from "@effect-commerce/core/abandonment/Abandonment"
import type { Effect } from "effect"
import type { TestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"

/** One pass, as the worker makes it. It leaves rows to others that have locked them. */
export const onePass = Abandonment.use((abandonment) => abandonment.pass) as unknown as Effect.Effect<void>

/** The instance's own worker may have locked some of the rows: this waits for it and does the rest. */
export const lookAfterLeft = async (shop: TestCommerce, storeId: string): Promise<void> => {
  await shop.run(onePass)
  for (const table of ["checkout", "cart"])
    await rowsOf(shop, `SELECT id FROM ${table} WHERE store_id = $1 FOR UPDATE`, [storeId])
  await shop.run(onePass)
}
