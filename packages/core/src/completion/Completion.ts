/**
 * Turns a checkout into an order, exactly once. The first transaction (T1) locks cart and checkout and checks
 * everything against the locked rows. Where no provider is called (`manual`, `free`) it also sells the stock, spends
 * the tenders, writes order, payment and events, and closes checkout and cart. Where a provider is called, T1 holds
 * stock and tenders, stores the order as priced and sets the checkout PROCESSING; `ChargedCompletion` then calls the
 * provider with no transaction open, and a second transaction (T2, `PaymentOutcomes`) places the order. A later
 * completion returns the first order (decision 0009).
 */
import { Clock, Context, Effect, Layer } from "effect"
import { CartHolds } from "../cart/CartHolds.ts"
import type { CartAccess } from "../cart/Carts.ts"
import { TenderShort } from "../claim/ClaimErrors.ts"
import { Database } from "../database/Database.ts"
import { FaultPoint } from "../database/FaultPoint.ts"
import { refuseInHostTransaction } from "../database/OwnTransaction.ts"
import { giftCardKind } from "../giftcard/GiftCardPayments.ts"
import { StockInsufficient } from "../inventory/InventoryErrors.ts"
import { demandsOf, shortageOf } from "../inventory/SoldLines.ts"
import { StockLedger } from "../inventory/StockLedger.ts"
import type { AskedPresentment } from "../fx/OrderPresentment.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { makeId } from "../kernel/Ids.ts"
import { draftOrder, OrderPlacement, type Placement } from "../order/OrderPlacement.ts"
import { stockKeyOf } from "../kernel/Availability.ts"
import { personOf } from "../kernel/Address.ts"
import type { PaymentMethod } from "../payment/PaymentMethod.ts"
import { PaymentProviders } from "../payment/PaymentProviders.ts"
import { SalesChannels } from "../store/SalesChannels.ts"
import { soldLines } from "../pricing/SellableStock.ts"
import { CurrentActor } from "../store/Actor.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { asksAfter, isOf, makeAwaitedPayments, type Trying } from "./AwaitedPayments.ts"
import { type AskedAmount, askedOf, presentmentAsked } from "./AskedAmount.ts"
import { ChargedCompletion } from "./ChargedCompletion.ts"
import { type CheckoutState, productLines } from "../checkout/Checkout.ts"
import type { LoadedCheckout } from "../checkout/CheckoutReading.ts"
import { CheckoutRepository } from "../checkout/CheckoutRepository.ts"
import { completedOf, placedBefore } from "./Completed.ts"
import type { CompletionInput } from "../checkout/CheckoutInput.ts"
import { checkCompletion, stockRefusal } from "./CompletionChecks.ts"
import { PaymentAwaitsShopper } from "../checkout/CheckoutErrors.ts"
import { CheckoutPaymentRepository } from "../checkout/CheckoutPaymentRepository.ts"

/** A payment that the shopper makes at the provider. */
interface PaymentSession {
  readonly returnUrl: string | null
}

interface Charging {
  readonly placement: Placement
  readonly reference: string | null
  readonly session: PaymentSession | undefined
  readonly cartUpdatedAt: Date | undefined
}

export class Completion extends Context.Service<Completion>()("@effect-commerce/core/completion/Completion", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const channels = yield* SalesChannels
    const providers = yield* PaymentProviders
    const repository = yield* CheckoutRepository
    const charged = yield* ChargedCompletion
    const orders = yield* OrderPlacement
    const ledger = yield* StockLedger
    const awaitedPayments = yield* makeAwaitedPayments
    const cartHolds = yield* CartHolds

    /** Sells the lines, first from the units that the cart holds. */
    const sell = Effect.fnUntraced(function* (loaded: LoadedCheckout, orderId: string, now: number) {
      const { store, checkout } = loaded
      const lines = soldLines(productLines(checkout.lines))
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

    /** Through a payment provider: holds stock and tenders and stores the order as priced, until it has answered. */
    const beginCharge = Effect.fnUntraced(function* (
      { store, checkout }: LoadedCheckout,
      method: PaymentMethod,
      { placement, reference, session, cartUpdatedAt }: Charging,
      now: number
    ) {
      const returnUrl = session?.returnUrl ?? null
      yield* refuseInHostTransaction(`completing a checkout through the payment provider ${method.provider.code}`)
      const awaited = { draft: draftOrder(store, placement, { now, actor: yield* CurrentActor }), cartUpdatedAt }
      const charge = { method, checkout, awaited, reference, returnUrl }
      return yield* refusedAs({ store, checkout }, now)(charged.begin(store, charge, now))
    })

    /** Without a payment provider: stock, tenders, order, checkout and cart are written in this transaction. */
    const placeAtOnce = Effect.fnUntraced(function* (loaded: LoadedCheckout, placement: Placement, now: number) {
      const { store, checkout } = loaded
      const draft = draftOrder(store, placement, { now, actor: yield* CurrentActor })
      yield* sell(loaded, draft.id, now)
      yield* FaultPoint.hit("completion.sold")
      const isHolding = yield* repository.complete(store.id, checkout, new Date(now))
      if (isHolding) yield* cartHolds.trim(store, checkout.cartId, now)
      // After everything that locks stock: it spends what the order claims.
      const view = yield* Effect.catchTag(orders.placeNew(store, draft), "OrderExternalIdTaken", Effect.die)
      yield* FaultPoint.hit("completion.placed")
      return completedOf(view)
    })

    /** Checks everything. Returns how it is paid; `method` undefined: without asking a provider. */
    const decide = Effect.fnUntraced(function* (
      loaded: LoadedCheckout,
      access: CartAccess,
      input: CompletionInput,
      now: number
    ) {
      const asked = yield* checkCompletion(loaded, input, now)
      const isTestOrder = yield* isTest(access, loaded.checkout)
      const place = { isTest: isTestOrder, regionId: loaded.quote.region?.id ?? null }
      const isPaid = asked === "free" || asked === giftCardKind
      const method = isPaid ? undefined : yield* providers.forMethod(loaded.store, asked, place)
      const isOffline = method?.provider.kind === "manual" || loaded.quote.amountDue === 0n
      const placement = placementOf(loaded, {
        id: makeId("ord", now),
        paymentMethod: method?.provider.code ?? asked,
        isTestOrder,
        notes: input.notes,
        presentment: isOffline ? null : yield* presentmentAsked(loaded)
      })
      return { placement, method: isOffline ? undefined : method }
    })

    const throughProvider = Effect.fnUntraced(function* (
      trying: Trying,
      method: PaymentMethod,
      { placement, reference, session }: Omit<Charging, "cartUpdatedAt">,
      now: number
    ) {
      const { loaded, awaited, cartUpdatedAt } = trying
      const { store, checkout } = loaded
      if (session === undefined && reference === null)
        return yield* FieldRejected.at("paymentReference", `is needed to pay by ${placement.paymentMethod}`)
      if (session?.returnUrl === null && method.provider.kind === "redirect")
        return yield* FieldRejected.at("returnUrl", "is needed: the payment provider sends the shopper back to it")
      const draft = draftOrder(store, placement, { now, actor: yield* CurrentActor })
      const asked = askedOf(draft)
      const isSame =
        awaited !== undefined &&
        isOf(awaited, method, now) &&
        awaited.operation.amount === asked.amount &&
        awaited.operation.currency === asked.currency
      if (isSame && session !== undefined) {
        yield* refusedAs(loaded, now)(charged.hold(store, { checkout, draft }, now))
        return { awaited }
      }
      const next = isSame ? loaded : yield* awaitedPayments.giveUp(trying, now)
      return { charge: yield* beginCharge(next, method, { placement, reference, session, cartUpdatedAt }, now) }
    })

    /** T1. `session`: the shopper will act at the provider; absent: the checkout is to be completed now. */
    const begin = Effect.fnUntraced(function* (
      cachedStore: StoreContext,
      access: CartAccess,
      id: string,
      input: CompletionInput,
      session?: PaymentSession
    ) {
      const now = yield* Clock.currentTimeMillis
      const found = yield* awaitedPayments.lockAndLoad(cachedStore, access, id)
      const { loaded, awaited } = found
      if (loaded.checkout.status === "COMPLETED") return { done: yield* placedBefore(orders, loaded.store.id, id) }
      if (awaited !== undefined && session === undefined && asksAfter(awaited, input)) return { awaited }
      const trying = yield* awaitedPayments.freed(found, now)
      const { placement, method } = yield* decide(trying.loaded, access, input, now)
      if (method !== undefined) {
        const reference = input.paymentReference ?? null
        const paying = throughProvider(trying, method, { placement, reference, session }, now)
        return yield* namingTender(trying.loaded.checkout)(paying)
      }
      const next = yield* awaitedPayments.giveUp(trying, now)
      if (session !== undefined) return { nothing: true }
      return { done: yield* namingTender(next.checkout)(placeAtOnce(next, placement, now)) }
    })

    return {
      complete: Effect.fn("Completion.complete")(function* (
        store: StoreContext,
        access: CartAccess,
        id: string,
        input: CompletionInput
      ) {
        yield* providers.ready
        const begun = yield* database.write(store.id)(begin(store, access, id, input))
        if ("done" in begun) {
          yield* FaultPoint.hit("completion.committed")
          return begun.done
        }
        if ("nothing" in begun) return yield* Effect.die(new Error(`Completing ${id} has done nothing`))
        const became =
          "awaited" in begun
            ? yield* charged.look(store, begun.awaited.operation)
            : yield* charged.charge(store, begun.charge)
        return "order" in became
          ? became.order
          : yield* new PaymentAwaitsShopper({ checkoutId: id, ...became.nextAction })
      }),
      /**
       * Begins a payment that the shopper makes at the provider: stock and tenders are held as at completion. Returns
       * what he has to do and how much he pays; nothing where the order is there by now, or no provider is asked.
       */
      beginPayment: Effect.fn("Completion.beginPayment")(function* (
        store: StoreContext,
        access: CartAccess,
        id: string,
        { providerId, returnUrl }: { readonly providerId: string; readonly returnUrl: string | null }
      ) {
        yield* providers.ready
        const input = { paymentMethod: "provider" as const, providerId }
        const begun = yield* database.write(store.id)(begin(store, access, id, input, { returnUrl }))
        if ("awaited" in begun) {
          const { operation, nextAction } = begun.awaited
          // A provider that is silent now has said before what the shopper has to do.
          const became = yield* Effect.catchTag(charged.look(store, operation), "PaymentOutcomeUnknown", (unknown) =>
            nextAction === null ? Effect.fail(unknown) : Effect.succeed({ nextAction })
          )
          return "order" in became ? undefined : { ...became.nextAction, ...amountOf(operation) }
        }
        if (!("charge" in begun)) return undefined
        const became = yield* charged.charge(store, begun.charge)
        return "order" in became ? undefined : { ...became.nextAction, ...amountOf(begun.charge.begun.operation) }
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Completion, Completion.make).pipe(
    Layer.provide([CheckoutRepository.layer, CheckoutPaymentRepository.layer, CartHolds.layer])
  )
}

/** Too little stock, as a shopper reads it. */
const refusedAs =
  (checkout: Pick<LoadedCheckout, "store" | "checkout">, now: number) =>
  <A, E>(holding: Effect.Effect<A, E | StockInsufficient>) =>
    Effect.catchIf(
      holding,
      (error): error is StockInsufficient => error instanceof StockInsufficient,
      ({ items }) => Effect.fail(stockRefusal(checkout, items, now))
    )

/** A tender that is short, under the id that the checkout has it under. */
const namingTender =
  ({ tenders }: CheckoutState) =>
  <A, E>(paying: Effect.Effect<A, E | TenderShort>) =>
    Effect.catchIf(
      paying,
      (error): error is TenderShort => error instanceof TenderShort,
      ({ kind, sourceId }) => {
        const tender = tenders.find((each) => each.kind === kind && each.sourceId === sourceId)
        return Effect.fail(
          new TenderShort({ kind, sourceId, ...(tender === undefined ? {} : { tenderId: tender.id }) })
        )
      }
    )

const amountOf = ({ amount, currency }: AskedAmount): AskedAmount => ({ amount, currency })

interface Decided {
  readonly id: string
  readonly paymentMethod: string
  readonly isTestOrder: boolean
  readonly notes: string | undefined
  readonly presentment: AskedPresentment | null
}

/** The order that a checkout becomes. */
const placementOf = ({ checkout, quote }: LoadedCheckout, { notes, ...decided }: Decided): Placement => ({
  ...decided,
  quote,
  customer: personOf(checkout.customer),
  checkoutId: checkout.id,
  draftId: checkout.draft?.id ?? null,
  externalId: checkout.draft?.externalId ?? null,
  sourceName: checkout.draft?.sourceName ?? "storefront",
  notes: notes ?? checkout.notes,
  locale: checkout.locale,
  customFieldValues: checkout.customFieldValues,
  isPaidWhenFree: true
})
