/**
 * Carts and checkouts that are abandoned. A pass appends checkout.abandoned for checkouts that were left, requests one
 * recovery mail for each, ends checkouts and carts whose time has passed, and marks idle carts as ABANDONED. Any number
 * of processes may run it: each takes rows that no other has locked, and the event of a row is appended in the
 * transaction that marks it, so that nothing is lost or done twice when a process is killed. Stores take turns of a few
 * rows each, and a pass ends after a bounded number of turns of one store.
 */
import { Cause, Clock, Context, Effect, Layer } from "effect"
import { RootSecret } from "../crypto/RootSecret.ts"
import { mailTokenContext, mailTokenPurpose } from "../customer/CustomerEvents.ts"
import { adminCarts } from "../cart/CartAccess.ts"
import { cartRecoveryAsked, checkoutAbandoned } from "../checkout/CheckoutEvents.ts"
import { Checkouts } from "../checkout/Checkouts.ts"
import { Database } from "../database/Database.ts"
import { storesInTurn } from "../database/StoreTurns.ts"
import { MailReadiness } from "../email/MailReadiness.ts"
import { StockLedger } from "../inventory/StockLedger.ts"
import { lineName } from "../pricing/Sellable.ts"
import { Outbox } from "../outbox/Outbox.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { AbandonmentRepository } from "./AbandonmentRepository.ts"
import { type LeftCheckout, recoveryOf } from "./internal/recoveryOf.ts"

/** Checkouts of one transaction that get an event: each is read and priced. */
const fewAtOnce = 10
/** Rows of one transaction that only change their state. */
const manyAtOnce = 200
/** Turns of one store in one pass; the next pass goes on. */
const mostTurns = 50
/** Lines that a mail names. */
const mostNamed = 50

export class Abandonment extends Context.Service<Abandonment>()("@effect-commerce/core/abandonment/Abandonment", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* AbandonmentRepository
    const checkouts = yield* Checkouts
    const stores = yield* Stores
    const outbox = yield* Outbox
    const ledger = yield* StockLedger
    const readiness = yield* MailReadiness
    const secret = yield* RootSecret

    const tell = Effect.fnUntraced(function* (store: StoreContext, id: string) {
      const checkout = yield* Effect.orDie(checkouts.get(store, adminCarts, id))
      return { id, event: checkoutAbandoned.of({ checkoutId: id, checkout }) }
    })

    /** One that cannot be priced now does not keep the others waiting: the next pass tries it again. */
    const told = (store: StoreContext, id: string) =>
      Effect.catchCause(database.savepoint(tell(store, id)), (cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause)
          : Effect.annotateLogs(
              Effect.as(Effect.logError(`Telling that the checkout ${id} was left failed`, cause), undefined),
              { storeId: store.id }
            )
      )

    /** Tells of checkouts that were left. */
    const leave = Effect.fnUntraced(function* (storeId: string, now: Date) {
      const store = yield* Effect.orDie(stores.context(storeId))
      return yield* database.write(storeId)(
        Effect.gen(function* () {
          const idle = yield* repository.lockIdle(storeId, now, fewAtOnce)
          const rest = fewAtOnce - idle.length
          const left = rest === 0 ? idle : [...idle, ...(yield* repository.lockPast(storeId, now, rest))]
          if (left.length === 0) return false
          const found = (yield* Effect.forEach(left, (id) => told(store, id))).filter((each) => each !== undefined)
          yield* outbox.appendAll(
            storeId,
            found.map(({ event }) => event)
          )
          yield* repository.markLeft(
            storeId,
            found.map(({ id }) => id),
            now
          )
          // Those that failed would be found again at once.
          return found.length === fewAtOnce
        })
      )
    })

    /** The request for a mail. A guest's cart is found by its session token; a customer's by signing in. */
    const reminderOf = Effect.fnUntraced(function* (store: StoreContext, left: LeftCheckout) {
      const { checkout } = yield* Effect.orDie(checkouts.find(store, adminCarts, left.id))
      const isGuest = left.cartCustomerId === null
      return cartRecoveryAsked.of({
        checkoutId: left.id,
        email: left.email,
        firstName: left.firstName,
        language: left.locale,
        salesChannelId: left.salesChannelId,
        token: isGuest ? secret.seal(mailTokenPurpose, mailTokenContext(store.id, left.id), left.sessionToken) : null,
        expiresAt: left.cartExpiresAt.toISOString(),
        items: checkout.lines.slice(0, mostNamed).map(({ name, sellable, quantity }) => ({
          name: name ?? (sellable === null ? "" : lineName(sellable)),
          quantity
        }))
      })
    })

    /** Reminds shoppers once. Where the store sends no such mail, or has no page to lead to, nobody is. */
    const remind = Effect.fnUntraced(function* (storeId: string, now: Date) {
      const store = yield* Effect.orDie(stores.context(storeId))
      const isSent = yield* readiness.sendsWithLink(store, "CART_ABANDONED")
      const settled = Effect.fnUntraced(function* (left: LeftCheckout) {
        const decided = isSent(left.salesChannelId) ? recoveryOf(left, now.getTime()) : "never"
        const sentAt = decided === "send" ? now : null
        const dueAt = decided instanceof Date ? decided : null
        if (decided === "send") yield* outbox.appendAll(storeId, [yield* reminderOf(store, left)])
        yield* repository.settle(storeId, { id: left.id, dueAt, sentAt })
      })
      return yield* database.write(storeId)(
        Effect.gen(function* () {
          // One at a time: of two checkouts of a cart the second sees that the first was reminded of.
          const id = yield* repository.lockDue(storeId, now)
          if (id === undefined) return false
          const left = yield* repository.left(storeId, id)
          if (left !== undefined) yield* settled(left)
          return left !== undefined
        })
      )
    })

    /** Ends or marks rows, and releases what the ended ones still hold. */
    const ending = (end: typeof repository.expireCarts, releases: boolean) => (storeId: string, now: Date) =>
      database.write(storeId)(
        Effect.gen(function* () {
          const ended = yield* end(storeId, now, manyAtOnce)
          if (releases && ended.length > 0)
            for (const id of yield* repository.holding(storeId, ended)) yield* ledger.release(storeId, id)
          return ended.length === manyAtOnce
        })
      )

    const jobs = [
      { what: "Telling of checkouts that were left", stores: repository.storesWithLeftCheckouts, piece: leave },
      { what: "Reminding shoppers of their carts", stores: repository.storesToRemind, piece: remind },
      {
        what: "Ending checkouts",
        stores: repository.storesWithPastCheckouts,
        piece: ending(repository.expireCheckouts, true)
      },
      {
        what: "Marking idle carts",
        stores: repository.storesWithIdleCarts,
        piece: ending(repository.abandonCarts, false)
      },
      { what: "Ending carts", stores: repository.storesWithPastCarts, piece: ending(repository.expireCarts, true) }
    ]

    return {
      /** One pass over every store that has something to do. */
      pass: Effect.gen(function* () {
        const now = new Date(yield* Clock.currentTimeMillis)
        for (const { what, stores: waiting, piece } of jobs) {
          const turns = new Map<string, number>()
          yield* storesInTurn(what, waiting(now), (storeId) => {
            const turn = (turns.get(storeId) ?? 0) + 1
            turns.set(storeId, turn)
            return Effect.map(piece(storeId, now), (isMore) => isMore && turn < mostTurns)
          })
        }
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Abandonment, Abandonment.make).pipe(Layer.provide(AbandonmentRepository.layer))
}
