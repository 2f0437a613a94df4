/**
 * Turns a checkout into an order, exactly once. T1 locks cart and checkout and checks everything against the locked
 * state. Where nobody must be called (`manual`, `free`) it goes on to sell the stock, write order, payment and events,
 * and close checkout and cart: one transaction. Where a provider must, T1 holds the stock, keeps the order as priced
 * and sets the checkout PROCESSING; the provider is called with no transaction open; what it says is settled by
 * ChargedCompletion. A second completion finds the order.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { checkCurrency } from "../cart/Cart.ts"
import type { ProductUnavailable } from "../cart/CartErrors.ts"
import { CartHolds } from "../cart/CartHolds.ts"
import type { CartAccess } from "../cart/Carts.ts"
import { Database } from "../database/Database.ts"
import { FaultPoint } from "../database/FaultPoint.ts"
import { checkVersion, type ResourceChanged } from "../database/Precondition.ts"
import { refuseInHostTransaction } from "../database/OwnTransaction.ts"
import { StockLedger } from "../inventory/StockLedger.ts"
import { makeId } from "../kernel/Ids.ts"
import { draftOrder, OrderPlacement } from "../order/OrderPlacement.ts"
import type { PaymentMethodUnavailable } from "../payment/PaymentErrors.ts"
import { PaymentProviders } from "../payment/PaymentProviders.ts"
import { SalesChannels } from "../store/SalesChannels.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { type CurrencyChanged } from "../store/StoreErrors.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { ChargedCompletion, type ChargeError } from "./ChargedCompletion.ts"
import { type CheckoutState, statusAt } from "./Checkout.ts"
import {
  type AddressUnserved,
  type CheckoutIncomplete,
  type CheckoutNotEditable,
  type CheckoutNotFound,
  type CheckoutProcessing,
  CheckoutStockInsufficient,
  type LinesAlreadyOrdered,
  type PriceDrifted,
  ReservationExpired,
  type TotalMismatch
} from "./CheckoutErrors.ts"
import { CheckoutRepository } from "./CheckoutRepository.ts"
import { checkOffered, Checkouts } from "./Checkouts.ts"
import {
  checkPrices,
  checkReady,
  checkRival,
  checkStatus,
  checkTotal,
  type Completed,
  placedBefore,
  completedOf,
  hasLapsed,
  placementOf
} from "./CompletionChecks.ts"
import type { CheckoutTotals } from "./CheckoutTotals.ts"

export interface CompletionInput {
  /** manual unless told, or free when nothing is due; `provider` with a `providerId`, or a provider's code. */
  readonly paymentMethod?: string | undefined
  readonly providerId?: string | null | undefined
  /** What the shopper's side got of the provider. */
  readonly paymentReference?: string | null | undefined
  /** Number or decimal string: the total the shopper agreed to. */
  readonly expectedTotal?: number | string | undefined
  readonly notes?: string | undefined
}

type CompletionError =
  | CheckoutNotFound
  | CheckoutNotEditable
  | CheckoutProcessing
  | LinesAlreadyOrdered
  | CurrencyChanged
  | ResourceChanged
  | CheckoutIncomplete
  | AddressUnserved
  | CheckoutStockInsufficient
  | ProductUnavailable
  | PriceDrifted
  | TotalMismatch
  | ReservationExpired
  | PaymentMethodUnavailable
  | FieldRejected
  | ChargeError

export interface CompletionMethods {
  readonly complete: (
    store: StoreContext,
    access: CartAccess,
    id: string,
    input: CompletionInput
  ) => Effect.Effect<Completed, CompletionError>
}

export class Completion extends Context.Service<Completion, CompletionMethods>()(
  "@effect-commerce/core/checkout/Completion"
) {
  static readonly layer = Layer.effect(
    Completion,
    Effect.gen(function* () {
      const database = yield* Database
      const checkouts = yield* Checkouts
      const channels = yield* SalesChannels
      const providers = yield* PaymentProviders
      const repository = yield* CheckoutRepository
      const charged = yield* ChargedCompletion
      const placement = yield* OrderPlacement
      const ledger = yield* StockLedger
      const cartHolds = yield* CartHolds

      /** Sells the lines, first from what the cart holds of them. */
      const sell = Effect.fnUntraced(function* (
        store: StoreContext,
        checkout: CheckoutState,
        orderId: string,
        now: number
      ) {
        const demands = checkout.lines.map(({ productId, variantId, quantity }) => ({ productId, variantId, quantity }))
        const holds = checkout.lines.some((line) => line.held > 0)
        const at = new Date(now)
        const sold = holds
          ? ledger.sellHeld(store.id, checkout.cartId, demands, orderId, at)
          : ledger.sell(store.id, demands, orderId, at)
        yield* Effect.mapError(sold, ({ items }) => shortOf(store, checkout, items, now))
      })

      /** A checkout is for testing where its channel is. */
      const isTest = (access: CartAccess, checkout: CheckoutState): Effect.Effect<boolean> =>
        access.capped || checkout.salesChannelId === null
          ? Effect.succeed(access.isTest)
          : channels.resolve(checkout.salesChannelId).pipe(
              Effect.map((channel) => channel.mode === "test"),
              Effect.catch(() => Effect.succeed(false))
            )

      /** Everything that may refuse, against the locked rows. */
      const check = Effect.fnUntraced(function* (
        checkout: CheckoutState,
        totals: CheckoutTotals,
        input: CompletionInput,
        now: number
      ) {
        yield* checkReady(checkout, totals)
        yield* checkPrices(checkout, now)
        yield* checkOffered(checkout.lines)
        yield* checkTotal(checkout, totals, input.expectedTotal)
      })

      const begin = Effect.fnUntraced(function* (
        known: StoreContext,
        access: CartAccess,
        id: string,
        input: CompletionInput
      ) {
        const now = yield* Clock.currentTimeMillis
        // The checkout is read once the locks are had, by a statement that travels behind theirs.
        const locking = Effect.andThen(repository.lockWithCart(known.id, id), FaultPoint.hit("completion.locked"))
        const [, { store, checkout, totals }] = yield* Effect.all([locking, checkouts.load(known, access, id)], {
          concurrency: "unbounded"
        })
        yield* checkVersion(checkout.updatedAt)
        const status = statusAt(checkout, now)
        if (status === "COMPLETED") return { done: yield* placedBefore(placement, store.id, id) }
        yield* checkStatus(checkout, status)
        yield* checkRival(checkout)
        yield* checkCurrency(checkout, store)
        yield* check(checkout, totals, input, now)
        const paymentMethod = yield* methodOf(totals, input)
        const isTestOrder = yield* isTest(access, checkout)
        const provider = paymentMethod === "free" ? undefined : yield* providers.forMethod(paymentMethod, isTestOrder)
        const orderId = makeId("ord", now)
        const placed = placementOf(checkout, totals, {
          id: orderId,
          paymentMethod,
          isTestOrder,
          notes: input.notes ?? checkout.notes
        })
        if (provider?.kind === "online" && totals.total > 0n) {
          yield* refuseInHostTransaction(`completing a checkout through the payment provider ${provider.code}`)
          const reference = input.paymentReference ?? null
          if (reference === null)
            return yield* new FieldRejected({
              field: "paymentReference",
              reason: `is needed to pay by ${paymentMethod}`
            })
          const asked = { provider, checkout, draft: draftOrder(store, placed, now), reference }
          const begun = charged.begin(store, asked, now)
          return {
            charge: yield* Effect.catchTag(begun, "StockInsufficient", ({ items }) =>
              Effect.fail(shortOf(store, checkout, items, now))
            )
          }
        }
        yield* sell(store, checkout, orderId, now)
        yield* FaultPoint.hit("completion.sold")
        const isHolding = yield* repository.complete(store.id, checkout, new Date(now))
        if (isHolding) yield* cartHolds.trim(store, checkout.cartId, now)
        const view = yield* Effect.catchTag(placement.place(store, placed, now), "OrderExternalIdTaken", Effect.die)
        yield* FaultPoint.hit("completion.placed")
        return { done: completedOf(view) }
      })

      return Completion.of({
        complete: Effect.fn("Completion.complete")(function* (store, access, id, input) {
          const begun = yield* database.write(store.id)(begin(store, access, id, input))
          if (begun.charge !== undefined) return yield* charged.charge(store, begun.charge)
          yield* FaultPoint.hit("completion.committed")
          return begun.done
        })
      })
    })
  ).pipe(Layer.provide([CheckoutRepository.layer, CartHolds.layer]))
}

/** Stock that does not suffice: where the time of what was held has passed, that is what the shopper is told. */
const shortOf = (
  store: StoreContext,
  checkout: CheckoutState,
  items: CheckoutStockInsufficient["items"],
  now: number
) =>
  hasLapsed(store, checkout, now)
    ? new ReservationExpired({ id: checkout.id })
    : new CheckoutStockInsufficient({ items })

/** The way of paying: a provider's code, or `free`. */
const methodOf = (
  totals: CheckoutTotals,
  { paymentMethod, providerId }: CompletionInput
): Effect.Effect<string, FieldRejected> => {
  const refuse = (field: string, reason: string) => Effect.fail(new FieldRejected({ field, reason }))
  const method = paymentMethod ?? (totals.total === 0n ? "free" : "manual")
  if (method === "free" && totals.total !== 0n) return refuse("paymentMethod", "free is for orders with nothing due")
  if (method !== "provider") return Effect.succeed(method)
  // Without a name there is no provider that could be meant: the store has set up none as its default.
  return Effect.succeed(typeof providerId === "string" && providerId !== "" ? providerId : method)
}
