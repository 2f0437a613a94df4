/**
 * Turns a checkout into an order, exactly once. The first transaction (T1) locks cart and checkout and checks
 * everything against the locked rows. Where no provider is called (`manual`, `free`) it also sells the stock, writes
 * order, payment and events, and closes checkout and cart. Where a provider is called, T1 holds the stock, stores the
 * order as priced and sets the checkout PROCESSING; `ChargedCompletion` then calls the provider with no transaction
 * open, and a second transaction (T2, `PaymentOutcomes`) places the order. A later completion returns the first order
 * (decision 0009).
 */
import { Clock, Context, Effect, Layer } from "effect"
import { CartHolds } from "../cart/CartHolds.ts"
import type { CartAccess } from "../cart/Carts.ts"
import { Database } from "../database/Database.ts"
import { FaultPoint } from "../database/FaultPoint.ts"
import { refuseInHostTransaction } from "../database/OwnTransaction.ts"
import { checkVersion } from "../database/Precondition.ts"
import { lockThenRead } from "../database/Repository.ts"
import { demandsOf, shortageOf } from "../inventory/SoldLines.ts"
import { StockLedger } from "../inventory/StockLedger.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { makeId } from "../kernel/Ids.ts"
import { draftOrder, OrderPlacement, type Placement } from "../order/OrderPlacement.ts"
import { stockKeyOf } from "../kernel/Availability.ts"
import type { PaymentProvider } from "../payment/PaymentProvider.ts"
import { PaymentProviders } from "../payment/PaymentProviders.ts"
import { SalesChannels } from "../store/SalesChannels.ts"
import { soldLines } from "../pricing/SellableStock.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { ChargedCompletion } from "./ChargedCompletion.ts"
import type { CheckoutState } from "./Checkout.ts"
import type { LoadedCheckout } from "./CheckoutReading.ts"
import { CheckoutRepository } from "./CheckoutRepository.ts"
import { Checkouts } from "./Checkouts.ts"
import { completedOf, placedBefore } from "./Completed.ts"
import type { CompletionInput } from "./CheckoutInput.ts"
import { checkCompletion, stockRefusal } from "./CompletionChecks.ts"

export class Completion extends Context.Service<Completion>()("@effect-commerce/core/checkout/Completion", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const checkouts = yield* Checkouts
    const channels = yield* SalesChannels
    const providers = yield* PaymentProviders
    const repository = yield* CheckoutRepository
    const charged = yield* ChargedCompletion
    const orders = yield* OrderPlacement
    const ledger = yield* StockLedger
    const cartHolds = yield* CartHolds

    /** Sells the lines, first from the units that the cart holds. */
    const sell = Effect.fnUntraced(function* (loaded: LoadedCheckout, orderId: string, now: number) {
      const { store, checkout } = loaded
      const lines = soldLines(checkout.lines)
      const demands = demandsOf(lines)
      const isHeld = demands.some((demand) => (checkout.holding[stockKeyOf(demand)] ?? 0) > 0)
      const at = new Date(now)
      const sold = isHeld
        ? ledger.sellHeld(store.id, checkout.cartId, demands, orderId, at)
        : ledger.sell(store.id, demands, orderId, at)
      yield* Effect.mapError(sold, ({ items }) => stockRefusal(loaded, shortageOf(lines, items), now))
    })

    /**
     * A checkout makes a test order where its channel is in test mode. An admin key has no channel: its checkout's
     * channel decides.
     */
    const isTest = (access: CartAccess, checkout: CheckoutState): Effect.Effect<boolean> =>
      access.isStorefront || checkout.salesChannelId === null
        ? Effect.succeed(access.isTest)
        : channels.resolve(checkout.salesChannelId).pipe(
            Effect.map((channel) => channel.mode === "test"),
            Effect.catch(() => Effect.succeed(false))
          )

    /** Through a payment provider: holds the stock and stores the order as priced, until the provider has answered. */
    const beginCharge = Effect.fnUntraced(function* (
      { store, checkout }: LoadedCheckout,
      provider: PaymentProvider,
      { placement, reference }: { readonly placement: Placement; readonly reference: string | null },
      now: number
    ) {
      yield* refuseInHostTransaction(`completing a checkout through the payment provider ${provider.code}`)
      if (reference === null)
        return yield* FieldRejected.at("paymentReference", `is needed to pay by ${placement.paymentMethod}`)
      const charge = { provider, checkout, draft: draftOrder(store, placement, now), reference }
      return yield* Effect.catchTag(charged.begin(store, charge, now), "StockInsufficient", ({ items }) =>
        Effect.fail(stockRefusal({ store, checkout }, items, now))
      )
    })

    /** Without a payment provider: stock, order, checkout and cart are written in this transaction. */
    const placeAtOnce = Effect.fnUntraced(function* (loaded: LoadedCheckout, placement: Placement, now: number) {
      const { store, checkout } = loaded
      yield* sell(loaded, placement.id, now)
      yield* FaultPoint.hit("completion.sold")
      const isHolding = yield* repository.complete(store.id, checkout, new Date(now))
      if (isHolding) yield* cartHolds.trim(store, checkout.cartId, now)
      const view = yield* Effect.catchTag(orders.placeOrder(store, placement, now), "OrderExternalIdTaken", Effect.die)
      yield* FaultPoint.hit("completion.placed")
      return completedOf(view)
    })

    const beginCompletion = Effect.fnUntraced(function* (
      cachedStore: StoreContext,
      access: CartAccess,
      id: string,
      input: CompletionInput
    ) {
      const now = yield* Clock.currentTimeMillis
      const locking = Effect.andThen(repository.lockWithCart(cachedStore.id, id), FaultPoint.hit("completion.locked"))
      const [, loaded] = yield* lockThenRead(locking, checkouts.load(cachedStore, access, id))
      const { store, checkout, quote } = loaded
      yield* checkVersion(checkout.updatedAt)
      if (checkout.status === "COMPLETED") return { done: yield* placedBefore(orders, store.id, id) }
      const paymentMethod = yield* checkCompletion(loaded, input, now)
      const isTestOrder = yield* isTest(access, checkout)
      const provider = paymentMethod === "free" ? undefined : yield* providers.forMethod(paymentMethod, isTestOrder)
      const placement = placementOf(loaded, {
        id: makeId("ord", now),
        paymentMethod,
        isTestOrder,
        notes: input.notes
      })
      if (provider?.kind !== "online" || quote.amountDue === 0n)
        return { done: yield* placeAtOnce(loaded, placement, now) }
      const reference = input.paymentReference ?? null
      return { charge: yield* beginCharge(loaded, provider, { placement, reference }, now) }
    })

    return {
      complete: Effect.fn("Completion.complete")(function* (
        store: StoreContext,
        access: CartAccess,
        id: string,
        input: CompletionInput
      ) {
        const begun = yield* database.write(store.id)(beginCompletion(store, access, id, input))
        if (begun.charge !== undefined) return yield* charged.charge(store, begun.charge)
        yield* FaultPoint.hit("completion.committed")
        return begun.done
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Completion, Completion.make).pipe(
    Layer.provide([CheckoutRepository.layer, CartHolds.layer])
  )
}

interface Decided {
  readonly id: string
  readonly paymentMethod: string
  readonly isTestOrder: boolean
  readonly notes: string | undefined
}

/** The order that a checkout becomes. */
const placementOf = ({ checkout, quote }: LoadedCheckout, { notes, ...decided }: Decided): Placement => {
  const { firstName, lastName, phone } = checkout.customer
  const name = [firstName, lastName].filter((part) => typeof part === "string" && part !== "").join(" ")
  return {
    ...decided,
    quote,
    customer: { name: name === "" ? null : name, phone: phone ?? null },
    checkoutId: checkout.id,
    sourceName: "storefront",
    notes: notes ?? checkout.notes,
    locale: checkout.locale,
    customFieldValues: checkout.customFieldValues,
    isPaidWhenFree: true
  }
}
