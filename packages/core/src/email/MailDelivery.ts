/**
 * The worker that sends queued mails. It takes one mail at a time in a short transaction (the store's pace row, then
 * the mail, both SKIP LOCKED), hands it to the transport outside of any transaction, and records the result. Stores
 * take turns of a few mails each, so that one store's flood delays no other; within a store mails are sent as fast as
 * its hourly limit allows: those with a token first, then those about an order, then the rest, and those to the
 * merchant last, each in the order they were queued. A mail whose address has reached its hourly limit delays no mail
 * behind it.
 *
 * A mail is leased for `leaseMillis`, longer than the transport may take: after kill -9 it is retried when the lease
 * ends. It can arrive twice only if the process dies, or the connection breaks, between the server's final 250 and the
 * commit; its Message-ID is the same both times.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { defaultHourlyLimit } from "../emailsetting/EmailSettings.ts"
import { isMarketing } from "../template/EmailType.ts"
import { afterOneMail, isMerchantTurn, mailsAllowed, merchantAllowed } from "./HourlyPace.ts"
import { makeMailAttempt } from "./internal/mailAttempt.ts"
import { type FirstTries, MailQueueRepository } from "./MailQueueRepository.ts"

/** Length of a worker's lease on a mail. */
const leaseMillis = 30_000

/**
 * Pause after a mail that could not reach the server at all, doubled each time up to a minute: other mails would only
 * use up their attempts, and a server that rejects our log-in would lock us out.
 */
const shortestRest = 5_000
const longestRest = 60_000

/** Mails that one transaction postpones because of their address's limit. */
const mostPostponed = 50

/** While marketing is paused, its mails are looked at again after this time. */
const pausedMillis = 600_000

/** A mail to the merchant that was queued before this has waited for a day. */
const patientUntil = (now: Date) => new Date(now.getTime() - 86_400_000)

/** Mails of one store in one turn, and stores at a time. */
const mailsPerTurn = 10
const storesAtOnce = 4

/** The mail server in one round: whether it may still be tried, and whether a mail has reached it. */
interface ServerState {
  open: boolean
  reached: boolean
}

export class MailDelivery extends Context.Service<MailDelivery>()("@effect-commerce/core/email/MailDelivery", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const queue = yield* MailQueueRepository
    const attempt = yield* makeMailAttempt
    /** The next round begins behind this store, so that no store is always the first. */
    let lastServed = ""
    let rest = { until: 0, millis: 0 }

    /**
     * The next mail that is not paused and whose address is within its limit; mails before it are postponed.
     * "postponed": `mostPostponed` were postponed and there may be more.
     */
    const nextOf = Effect.fnUntraced(function* (
      storeId: string,
      now: Date,
      may: FirstTries & { readonly turn: boolean; readonly marketing: boolean }
    ) {
      for (let looked = 0; looked < mostPostponed; looked++) {
        const waiting = may.turn ? yield* queue.lockWaitingMerchant(storeId, now, patientUntil(now)) : undefined
        const mail = waiting ?? (yield* queue.lockNext(storeId, now, may))
        if (mail === undefined) return undefined
        if (!may.marketing && isMarketing(mail.eventType))
          yield* queue.hold(storeId, mail.id, new Date(now.getTime() + pausedMillis))
        else if (mail.addressFull) yield* queue.postpone(storeId, mail, now)
        else return mail
      }
      return "postponed" as const
    })

    /**
     * The next mail of the store, counted and leased; undefined if there is none, the hourly limit is reached, or
     * another worker is taking one.
     */
    const take = Effect.fnUntraced(function* (storeId: string) {
      const pace = yield* queue.lockPace(storeId)
      if (pace === undefined || pace.emailsEnabled === false) return undefined
      const now = yield* Clock.currentTimeMillis
      const limit = pace.hourlyRateLimit ?? defaultHourlyLimit
      const fullAt = pace.fullAt.getTime()
      const others = mailsAllowed(fullAt, limit, now) > 0
      const may = {
        others,
        merchant: merchantAllowed(fullAt, limit, now),
        marketing: pace.marketingSendingPaused !== true,
        turn: others && isMerchantTurn(fullAt, limit)
      }
      const mail = yield* nextOf(storeId, new Date(now), may)
      if (mail === undefined || mail === "postponed") return mail
      // A mail counts once towards the limit, however often it is tried.
      const isFirst = mail.attempts === 0
      yield* queue.lease(storeId, mail.id, {
        now: new Date(now),
        until: new Date(now + leaseMillis),
        fullAt: isFirst ? new Date(afterOneMail(fullAt, limit, now)) : pace.fullAt
      })
      return { ...mail, attempts: mail.attempts + 1 }
    })

    const turn = Effect.fnUntraced(function* (storeId: string, server: ServerState) {
      for (let count = 0; count < mailsPerTurn && server.open; count++) {
        const mail = yield* database.write(storeId)(take(storeId))
        if (mail === undefined) return
        if (mail === "postponed") continue
        const reached = yield* attempt(storeId, mail)
        server.open &&= reached
        server.reached ||= reached
      }
      lastServed = storeId
    })

    return {
      /**
       * One round over every store with mails to send: tries what is due and allowed. Returns whether a mail has
       * reached the server, so that another round may find more. Any number of processes may run it.
       */
      deliverDue: Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        if (now < rest.until && rest.until - now <= longestRest) return false
        const stores = yield* queue.storesWaiting(new Date(now))
        const server: ServerState = { open: true, reached: false }
        const next = stores.findIndex((storeId) => storeId > lastServed)
        const inTurn = next < 0 ? stores : [...stores.slice(next), ...stores.slice(0, next)]
        const guarded = (storeId: string) =>
          Effect.catchCause(turn(storeId, server), (cause) =>
            Effect.logError(`Sending mails of ${storeId} failed and will be tried again`, cause)
          )
        yield* Effect.forEach(inTurn, guarded, { concurrency: storesAtOnce, discard: true })
        rest = server.open ? { millis: server.reached ? 0 : rest.millis, until: 0 } : yield* longerRest(rest.millis)
        return server.open && server.reached
      })
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}

const longerRest = (before: number) => {
  const millis = Math.min(Math.max(shortestRest, before * 2), longestRest)
  return Effect.map(Clock.currentTimeMillis, (now) => ({ millis, until: now + millis }))
}
