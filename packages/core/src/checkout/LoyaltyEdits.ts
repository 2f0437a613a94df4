/** The edits of a checkout by which points pay for a part of it. */
import { Clock, Effect } from "effect"
import type { CartAccess } from "../cart/Carts.ts"
import { makeId } from "../kernel/Ids.ts"
import { Loyalty, withoutPoints } from "../loyalty/Loyalty.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { makeCheckoutEditing } from "./CheckoutEditing.ts"
import type { FoundCheckout } from "./CheckoutReading.ts"

export const makeLoyaltyEdits = Effect.gen(function* () {
  const loyalty = yield* Loyalty
  const { edit } = yield* makeCheckoutEditing

  return {
    /** Points that were entered before are replaced. */
    redeemPoints: (store: StoreContext, access: CartAccess, id: string, points: number) =>
      edit(store, access, id, {
        change: Effect.fnUntraced(function* ({ store: priced, checkout }: FoundCheckout) {
          const wanted = { customerId: checkout.customerId, holderId: id, points }
          const tenderId = makeId("tnd", yield* Clock.currentTimeMillis)
          const tenders = yield* loyalty.entered(priced, wanted, { id: tenderId, before: checkout.tenders })
          return { tenders }
        })
      }),
    removePoints: (store: StoreContext, access: CartAccess, id: string) =>
      edit(store, access, id, {
        change: ({ checkout }) => Effect.succeed({ tenders: withoutPoints(checkout.tenders) })
      })
  }
})
