/** The work of `commerce explain`: the explanation of a cart, a checkout or an order of any store. */
import { adminCarts } from "@effect-commerce/core/cart/CartAccess"
import { Carts } from "@effect-commerce/core/cart/Carts"
import { Checkouts } from "@effect-commerce/core/checkout/Checkouts"
import type { SubjectType } from "@effect-commerce/core/explanation/Explanation"
import { explanationLines } from "@effect-commerce/core/explanation/ExplanationText"
import { Subjects } from "@effect-commerce/core/explanation/Subjects"
import { Orders } from "@effect-commerce/core/order/Orders"
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect } from "effect"
import { withExisting } from "./existingDatabase.ts"
import { Refused } from "./Refused.ts"
import type { Settings } from "./Settings.ts"

const explained = {
  cart: (store: StoreContext, id: string) => Carts.use((carts) => carts.explain(store, adminCarts, id)),
  checkout: (store: StoreContext, id: string) => Checkouts.use((all) => all.explain(store, adminCarts, id)),
  order: (store: StoreContext, id: string) => Orders.use((orders) => orders.explain(store, id))
}

export const explainSubject = (settings: Settings, type: SubjectType, id: string) =>
  withExisting(
    settings,
    Effect.gen(function* () {
      const storeId = yield* Subjects.use(({ storeOf }) => storeOf(type, id))
      if (storeId === undefined) return yield* Effect.fail(new Refused(`there is no ${type} ${id}`))
      const store = yield* Stores.use(({ context }) => context(storeId))
      const explanation = yield* explained[type](store, id)
      return { explanation, lines: explanationLines(explanation) }
    })
  )
