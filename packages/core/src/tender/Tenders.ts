/**
 * The tenders of a checkout: what is held for it, spent for its order, or released. Each is handled by its kind
 * (`TenderKind`), one after another in the order of the plan, so that two completions never wait for each other in a
 * circle. Every method runs inside the caller's transaction, after it has taken its locks of stock.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { type Drafted, paymentPlanOf } from "./PaymentPlan.ts"
import type { TenderShort } from "./TenderErrors.ts"
import type { TenderClaim, TenderHold, TenderKind } from "./TenderKind.ts"

/** The kinds of tenders, one for each kind that an AdjustmentSource proposes. None by default. */
const listed: ReadonlyArray<Effect.Effect<TenderKind, never, Database>> = []

/** Read once, when the services of the room are built. */
export const TenderKinds: Context.Reference<typeof listed> = Context.Reference(
  "@effect-commerce/core/tender/TenderKinds",
  { defaultValue: () => listed }
)

export class Tenders extends Context.Service<Tenders>()("@effect-commerce/core/tender/Tenders", {
  make: Effect.gen(function* () {
    const { savepoint } = yield* Database
    const kinds = yield* byKind(yield* Effect.all(yield* TenderKinds))

    /** One after another. A tender that no kind can hold or spend is a defect. */
    const each = (
      draft: Drafted,
      claim: (kind: TenderKind, part: Pick<TenderClaim, "sourceId" | "amount" | "currency">) => Claimed
    ): Claimed =>
      Effect.forEach(
        paymentPlanOf(draft).tenders,
        ({ kind, ...part }) => {
          const found = kinds.get(kind)
          return found === undefined
            ? Effect.die(new Error(`No kind of tender is registered for ${kind}`))
            : claim(found, { ...part, currency: draft.currency })
        },
        { discard: true }
      )

    return {
      /** Holds all tenders of the draft for its checkout, or fails. */
      hold: (store: StoreContext, draft: Drafted, holder: Pick<TenderHold, "holderId" | "until" | "now">) =>
        each(draft, (kind, part) => kind.hold(store, { ...holder, ...part })),
      /** Spends all tenders of the draft for its order, or fails: the caller then keeps nothing (`orUndo`). */
      spend: (store: StoreContext, draft: Drafted, holder: Pick<TenderHold, "holderId" | "now">) =>
        each(draft, (kind, part) => kind.spend(store, { ...holder, ...part, orderId: draft.id })),
      /**
       * Inside a transaction that goes on after a failure of the body: undoes what the body has written. An order
       * without tenders needs no savepoint, because nothing else makes its placing fail.
       */
      orUndo: <A, E, R>(draft: Drafted, placing: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        paymentPlanOf(draft).tenders.length === 0 ? placing : savepoint(placing),
      /** Releases whatever is held for the checkout. */
      release: (store: StoreContext, checkoutId: string) =>
        Effect.forEach(kinds.values(), (kind) => kind.release(store, checkoutId), { discard: true })
    }
  })
}) {
  static readonly layer = Layer.effect(Tenders, Tenders.make)
}

type Claimed = Effect.Effect<void, TenderShort>

/** By name, in the order of the names, which is the order of their locks. */
const byKind = Effect.fnUntraced(function* (kinds: ReadonlyArray<TenderKind>) {
  const found = new Map([...kinds].sort((a, b) => (a.kind < b.kind ? -1 : 1)).map((kind) => [kind.kind, kind]))
  return found.size === kinds.length ? found : yield* Effect.die(new Error("Two kinds of tenders have the same name"))
})
