/**
 * What an order claims: its tenders, and uses of its rules and coupons. Each is handled by its kind (`ClaimKind`), one
 * after another in the order of kind and source, so that two completions never wait for each other in a circle. Every
 * method runs inside the caller's transaction, after it has taken its locks of stock.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { ClaimError } from "./ClaimErrors.ts"
import {
  type Claim,
  type ClaimHold,
  type ClaimKind,
  ClaimKinds,
  type ClaimReturn,
  FurtherClaimKinds
} from "./ClaimKind.ts"
import { byKindAndSource, claimsOf, type Drafted } from "./PaymentPlan.ts"

export class Claims extends Context.Service<Claims>()("@effect-commerce/core/claim/Claims", {
  make: Effect.gen(function* () {
    const { savepoint } = yield* Database
    const kinds = yield* byKind([...(yield* ClaimKinds), ...(yield* Effect.all(yield* FurtherClaimKinds))])

    /** One after another. A tender that no kind can hold or spend is a defect; other discounts have no limit. */
    const each = (
      draft: Drafted,
      claim: (kind: ClaimKind, part: Omit<Claim, "holderId" | "now">) => Claimed
    ): Claimed => {
      const { currency, customerId } = draft
      return Effect.forEach(
        claimsOf(draft),
        ({ kind, isTender, ...part }) => {
          const found = kinds.get(kind)
          if (found !== undefined) return claim(found, { ...part, currency, customerId })
          return isTender ? Effect.die(new Error(`No kind of claim is registered for ${kind}`)) : Effect.void
        },
        { discard: true }
      )
    }

    return {
      /** Holds all that the draft claims for its checkout, or fails. */
      hold: (store: StoreContext, draft: Drafted, holder: Pick<ClaimHold, "holderId" | "until" | "now">) =>
        each(draft, (kind, part) => kind.hold(store, { ...holder, ...part })),
      /** Spends all that the draft claims for its order, or fails: the caller then keeps nothing (`orUndo`). */
      spend: (store: StoreContext, draft: Drafted, now: Date) =>
        each(draft, (kind, part) =>
          kind.spend(store, { holderId: draft.checkoutId ?? draft.id, now, ...part, orderId: draft.id })
        ),
      /**
       * Inside a transaction that goes on after a failure of the body: undoes what the body has written. An order
       * without claims needs no savepoint, because nothing else makes its placing fail.
       */
      orUndo: <A, E, R>(draft: Drafted, placing: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        claimsOf(draft).length === 0 ? placing : savepoint(placing),
      /** Releases whatever is held for the checkout. */
      release: (store: StoreContext, checkoutId: string) =>
        Effect.forEach(kinds.values(), (kind) => kind.release(store, checkoutId), { discard: true }),
      /** Whether payments of this kind are given back here. */
      has: (kind: string): boolean => kinds.has(kind),
      /**
       * Gives back what an order has taken of sources, in the order of their locks, after the order's sums are written.
       * Returns what the merchant has to know of it.
       */
      giveBack: (store: StoreContext, returns: ReadonlyArray<ClaimReturn & { readonly kind: string }>) =>
        Effect.map(
          Effect.forEach([...returns].sort(byKindAndSource), ({ kind, ...back }) => {
            const found = kinds.get(kind)
            return found === undefined
              ? Effect.die(new Error(`No kind of claim is registered for ${kind}`))
              : found.giveBack(store, back)
          }),
          (warnings) => warnings.filter((warning) => warning !== null)
        )
    }
  })
}) {
  static readonly layer = Layer.effect(Claims, Claims.make)
}

type Claimed = Effect.Effect<void, ClaimError>

/** By name, in the order of the names, which is the order of their locks. */
const byKind = Effect.fnUntraced(function* (kinds: ReadonlyArray<ClaimKind>) {
  const found = new Map([...kinds].sort((a, b) => (a.kind < b.kind ? -1 : 1)).map((kind) => [kind.kind, kind]))
  return found.size === kinds.length ? found : yield* Effect.die(new Error("Two kinds of claims have the same name"))
})
