/**
 * How a PENDING checkout is edited: it is locked, what changed is written in one statement, and it is returned with a
 * new quote.
 */
import { Clock, Effect } from "effect"
import { checkCurrency } from "../cart/Cart.ts"
import { type CartAccess, mayAccess } from "../cart/Carts.ts"
import { Database } from "../database/Database.ts"
import { checkVersion, nextVersion, type ResourceChanged } from "../database/Precondition.ts"
import { lockThenRead } from "../database/Repository.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { CurrencyChanged } from "../store/StoreErrors.ts"
import { type CheckoutState, statusAt } from "./Checkout.ts"
import { CheckoutNotEditable, CheckoutNotFound } from "./CheckoutErrors.ts"
import type { EnteredTender, Quote } from "../pricing/Quote.ts"
import { type FoundCheckout, type LoadedCheckout, makeCheckoutReading } from "./CheckoutReading.ts"
import { type CheckoutChanges, CheckoutRepository } from "./CheckoutRepository.ts"
import type { CheckoutView } from "./CheckoutView.ts"
import { makeGiveUp } from "./paymentRelease.ts"

export type CancelError = CheckoutNotFound | CheckoutNotEditable | ResourceChanged
export type EditError = CancelError | CurrencyChanged

/** What one edit does, in this order. */
export interface EditSteps<E, E2 = never> {
  /** Decides what to write. */
  readonly change: (found: FoundCheckout) => Effect.Effect<CheckoutChanges, E>
  /** Decides by the quote of the edited checkout whether it may stand: where it fails, nothing is written. */
  readonly accept?: (loaded: LoadedCheckout) => Effect.Effect<void, E2>
}

export const makeCheckoutEditing = Effect.gen(function* () {
  const database = yield* Database
  const repository = yield* CheckoutRepository
  const { find, price, answer, presentedIn } = yield* makeCheckoutReading
  /** A payment that only waits for the shopper does not prevent an edit: the edit cancels it. */
  const giveUp = yield* makeGiveUp

  /** Locks and reads the checkout, lets `change` decide what to write, and returns the checkout after the edit. */
  const edit = <E, E2 = never>(
    cachedStore: StoreContext,
    access: CartAccess,
    id: string,
    { change, accept }: EditSteps<E, E2>
  ): Effect.Effect<CheckoutView, E | E2 | EditError> =>
    database.write(cachedStore.id)(
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const reading = find(cachedStore, access, id)
        const [, before] = yield* lockThenRead(repository.lockWithCart(cachedStore.id, id), reading)
        yield* checkVersion(before.checkout.updatedAt)
        const found = (yield* giveUp(before.store, before.checkout, now)) ? yield* reading : before
        const { store, checkout, fields } = found
        const status = statusAt(checkout, now)
        if (status !== "PENDING") return yield* new CheckoutNotEditable({ id, status })
        yield* checkCurrency(checkout, store)
        const wanted = yield* change(found)
        const updatedAt = nextVersion(checkout.updatedAt, now)
        const edited: CheckoutState = { ...checkout, status, ...wanted, updatedAt }
        const quote = yield* price(store, edited)
        if (accept !== undefined) yield* accept({ store, checkout: edited, fields, quote })
        const kept = yield* presentedIn(store, edited, quote)
        const isDropped = edited.shippingRateId !== null && quote.chosen === undefined
        const changes: CheckoutChanges = {
          ...wanted,
          ...(isDropped ? { shippingRateId: null } : {}),
          ...(edited.tenders.length === 0 ? {} : { tenders: shownTenders(edited.tenders, quote) }),
          ...(kept === checkout.presentedIn ? {} : { presentedIn: kept })
        }
        yield* repository.save(store.id, id, changes, updatedAt)
        return yield* answer({ store, checkout: { ...edited, ...changes }, fields, quote }, access, now)
      })
    )

  /** Computes no prices, so that a checkout in a currency that the store no longer sells in can be cancelled too. */
  const cancel = Effect.fn("Checkouts.cancel")(function* (store: StoreContext, access: CartAccess, id: string) {
    yield* database.write(store.id)(
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const [, checkout] = yield* lockThenRead(
          repository.lockWithCart(store.id, id),
          repository.find(store.id, id, new Date(now))
        )
        if (checkout === undefined || !mayAccess(access, checkout)) return yield* new CheckoutNotFound({ id })
        yield* checkVersion(checkout.updatedAt)
        const isReopened = yield* giveUp(store, checkout, now)
        const status = statusAt(isReopened ? { ...checkout, status: "PENDING" } : checkout, now)
        if (status !== "PENDING") return yield* new CheckoutNotEditable({ id, status })
        yield* repository.save(store.id, id, { status: "CANCELLED" }, nextVersion(checkout.updatedAt, now))
      })
    )
  })

  return { edit, cancel }
})

/** What was entered to pay with, and what the edited checkout shows that it pays. */
export const shownTenders = (
  entered: ReadonlyArray<EnteredTender>,
  { tenders, amountDue }: Quote
): ReadonlyArray<EnteredTender> =>
  entered.map((tender) => ({
    ...tender,
    shown: String(tenders.find(({ tenderId }) => tenderId === tender.id)?.amount ?? 0n),
    shownDue: String(amountDue)
  }))
