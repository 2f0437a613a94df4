/**
 * The worker that lets queued mails leave. It takes one mail at a time in a short transaction (the store's pace row,
 * then the mail, both passing over what other workers hold), hands it to the transport outside of any, and records the
 * end. Stores take turns of a few mails each, so that one store's flood delays no other; within a store mails leave as
 * fast as its hourly limit allows: those with a token first, then confirmations of orders, then the rest, each in the
 * order they were queued. An address that has had its mails of the hour holds up nobody behind it.
 *
 * A mail is leased for `leaseMillis`, longer than the transport may take: after kill -9 it is tried again then. It can
 * arrive twice only if the process dies, or the connection breaks, between the server's final 250 and the commit; its
 * Message-ID is the same both times.
 */
import { Cause, Clock, Context, Effect, Fiber, Layer, Schedule } from "effect"
import { RootSecret } from "../crypto/RootSecret.ts"
import { Database } from "../database/Database.ts"
import { storedReader } from "../kernel/StoredData.ts"
import type { MessageState } from "./EmailMessage.ts"
import { type AttemptEnd, EmailMessageRepository } from "./EmailMessageRepository.ts"
import { defaultHourlyLimit } from "./EmailSettings.ts"
import { afterOneMail, mailsAllowed } from "./HourlyPace.ts"
import { sealContext, SealedBodies, sealPurpose } from "./MailComposer.ts"
import { MailTransport, MailUndelivered } from "./MailTransport.ts"

/** How long a taken mail belongs to its worker. */
export const leaseMillis = 30_000

/** Mails may have been sealed by the release before. */
const readBodies = storedReader(SealedBodies)

/** The mail itself is at fault: trying again does not help. */
const unsendable = (reason: string) => new MailUndelivered({ reason, permanent: true, unreachable: false })

const minute = 60_000
/**
 * How long after each failed attempt the next one comes: eight times in some sixteen hours, then the mail is FAILED.
 */
export const retryDelays: ReadonlyArray<number> = [0.5, 2, 10, 30, 60, 120, 240, 480].map((minutes) => minutes * minute)
export const mostAttempts = retryDelays.length + 1

/**
 * After a mail that could not reach the server at all none is tried for so long, each time twice as long up to a
 * minute: the others would only use up their attempts, and a server that refuses our log-in would lock us out.
 */
const shortestRest = 5_000
const longestRest = 60_000

/** How long an attempt may still take to end once the worker is being stopped. */
const graceMillis = 5_000

/** A mail that has left and is not recorded leaves again: the record outlives a restart of the database. */
const recordAgain = { schedule: Schedule.spaced("500 millis"), times: 4 }

/** Mails that one transaction lets wait because of their addresses. */
const mostPostponed = 50

/** Mails of one store in one turn, and stores at a time. */
const mailsPerTurn = 10
const storesAtOnce = 4

/** What a round learns of the way out: whether mails still reach the server, and whether any did. */
interface Way {
  open: boolean
  reached: boolean
}

export interface MailDeliveryMethods {
  /**
   * One round over every store that has mails to send; whatever is due and allowed by then is tried. Any number of
   * processes may run it.
   */
  readonly deliverDue: Effect.Effect<void>
}

export class MailDelivery extends Context.Service<MailDelivery, MailDeliveryMethods>()(
  "@effect-commerce/core/email/MailDelivery"
) {
  static readonly layer = Layer.effect(
    MailDelivery,
    Effect.gen(function* () {
      const database = yield* Database
      const transport = yield* MailTransport
      const secret = yield* RootSecret
      const messages = yield* EmailMessageRepository
      /** Where the next round begins, so that the first store of the alphabet is not always the first. */
      let lastServed = ""
      let rest = { until: 0, millis: 0 }

      /**
       * The next mail whose address may have one; those before it wait for theirs. "postponed": there may be more than
       * were looked at.
       */
      const nextOf = Effect.fnUntraced(function* (storeId: string, now: Date, fresh: boolean) {
        for (let looked = 0; looked < mostPostponed; looked++) {
          const mail = yield* messages.lockNext(storeId, now, fresh)
          if (mail === undefined || !mail.addressFull) return mail
          yield* messages.postpone(storeId, mail, now)
        }
        return "postponed" as const
      })

      /**
       * The next mail of the store, counted and leased; undefined where there is none, none may leave yet, or another
       * worker is at it.
       */
      const take = Effect.fnUntraced(function* (storeId: string) {
        const pace = yield* messages.lockPace(storeId)
        if (pace === undefined || pace.emailsEnabled === false) return undefined
        const now = yield* Clock.currentTimeMillis
        const limit = pace.hourlyRateLimit ?? defaultHourlyLimit
        const fullAt = pace.fullAt.getTime()
        const mail = yield* nextOf(storeId, new Date(now), mailsAllowed(fullAt, limit, now) > 0)
        if (mail === undefined || mail === "postponed") return mail
        yield* messages.lease(storeId, mail.id, new Date(now), new Date(now + leaseMillis))
        // A mail is paid for once, however often it has to be tried.
        if (mail.attempts === 0) yield* messages.setPace(storeId, new Date(afterOneMail(fullAt, limit, now)))
        return { ...mail, attempts: mail.attempts + 1 }
      })

      const bodiesOf = (storeId: string, mail: MessageState): Effect.Effect<SealedBodies, MailUndelivered> => {
        const { sealed } = mail
        if (sealed === null) return Effect.succeed({ html: mail.html, text: mail.plainText })
        return Effect.try({
          try: (): unknown => JSON.parse(secret.open(sealPurpose, sealContext(storeId, mail.id), sealed)),
          catch: () => unsendable("its sealed body does not open: was COMMERCE_SECRET changed?")
        }).pipe(
          Effect.flatMap((data) => readBodies({ data })),
          Effect.catchTag("StoredDataUnreadable", ({ reason }) =>
            Effect.fail(unsendable(`its sealed body cannot be read: ${reason}`))
          )
        )
      }

      const send = Effect.fnUntraced(function* (storeId: string, mail: MessageState) {
        const bodies = yield* bodiesOf(storeId, mail)
        const { id, eventType, toAddress: to, replyTo, subject, createdAt } = mail
        const from = { name: mail.fromName, address: mail.fromAddress }
        const status = yield* transport.deliver({
          id,
          storeId,
          eventType,
          to,
          from,
          replyTo,
          subject,
          createdAt,
          ...bodies
        })
        return { status, bodies }
      })

      const record = (storeId: string, end: Effect.Effect<void>) =>
        database
          .write(storeId)(end)
          .pipe(
            Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.fail(cause))),
            Effect.retry(recordAgain),
            Effect.catch(Effect.failCause)
          )

      const endOf = (
        mail: MessageState,
        failed: Pick<MailUndelivered, "reason" | "permanent">,
        now: number
      ): AttemptEnd => {
        const delay = failed.permanent ? undefined : retryDelays[mail.attempts - 1]
        return {
          status: delay === undefined ? "FAILED" : "QUEUED",
          dueAt: new Date(now + (delay ?? 0)),
          lastError: failed.reason
        }
      }

      /** Why a mail is not even tried. */
      const hopeless = ({ attempts, expiresAt }: MessageState, now: number): string | undefined => {
        if (attempts > mostAttempts) return "given up: the worker died at every attempt"
        return expiresAt !== null && expiresAt.getTime() <= now ? "its link ended before it could leave" : undefined
      }

      /** One attempt, from the taken mail to its recorded end. Answers whether the way is open for the next. */
      const attempt = Effect.fn("MailDelivery.attempt")(function* (storeId: string, mail: MessageState) {
        const begun = yield* Clock.currentTimeMillis
        const reason = hopeless(mail, begun)
        const tried = yield* Effect.result(
          reason === undefined ? send(storeId, mail) : Effect.fail({ reason, permanent: true, unreachable: false })
        )
        const now = yield* Clock.currentTimeMillis
        const sent = tried._tag === "Success" ? tried.success : undefined
        const kept =
          sent?.status === "KEPT" && mail.sealed !== null
            ? { html: sent.bodies.html, plainText: sent.bodies.text }
            : undefined
        const end: AttemptEnd =
          tried._tag === "Success"
            ? { status: tried.success.status, dueAt: new Date(now), lastError: null, bodies: kept }
            : endOf(mail, tried.failure, now)
        yield* record(storeId, messages.end(storeId, mail, end, new Date(now)))
        if (tried._tag === "Failure") {
          const told = Effect.annotateLogs({
            storeId,
            id: mail.id,
            attempt: mail.attempts,
            reason: tried.failure.reason
          })
          yield* told(
            end.status === "FAILED"
              ? Effect.logError("Mail given up")
              : Effect.logWarning("Mail not delivered, will be tried again")
          )
        }
        return tried._tag === "Success" || !tried.failure.unreachable
      })

      /**
       * A worker that is stopped lets the attempt under way end, so that the mail is not sent again by the next one.
       */
      const attemptToTheEnd = (storeId: string, mail: MessageState) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.gen(function* () {
            const trying = yield* Effect.forkDetach(Effect.interruptible(attempt(storeId, mail)))
            const end = Effect.gen(function* () {
              const limit = yield* Effect.forkDetach(
                Effect.interruptible(Effect.delay(Fiber.interrupt(trying), graceMillis))
              )
              yield* Fiber.await(trying)
              yield* Fiber.interrupt(limit)
            })
            return yield* Effect.onInterrupt(restore(Fiber.join(trying)), () => end)
          })
        )

      const turn = Effect.fnUntraced(function* (storeId: string, way: Way) {
        for (let count = 0; count < mailsPerTurn && way.open; count++) {
          const mail = yield* database.write(storeId)(take(storeId))
          if (mail === undefined) return
          if (mail === "postponed") continue
          const reached = yield* attemptToTheEnd(storeId, mail)
          way.open &&= reached
          way.reached ||= reached
        }
        lastServed = storeId
      })

      const deliverDue = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        if (now < rest.until && rest.until - now <= longestRest) return
        const stores = yield* messages.storesWaiting(new Date(now))
        const way: Way = { open: true, reached: false }
        const next = stores.findIndex((storeId) => storeId > lastServed)
        const inTurn = next < 0 ? stores : [...stores.slice(next), ...stores.slice(0, next)]
        const guarded = (storeId: string) =>
          Effect.catchCause(turn(storeId, way), (cause) =>
            Effect.logError(`Sending mails of ${storeId} failed and will be tried again`, cause)
          )
        yield* Effect.forEach(inTurn, guarded, { concurrency: storesAtOnce, discard: true })
        const millis = way.open
          ? way.reached
            ? 0
            : rest.millis
          : Math.min(Math.max(shortestRest, rest.millis * 2), longestRest)
        rest = { millis, until: way.open ? 0 : (yield* Clock.currentTimeMillis) + millis }
      })

      return MailDelivery.of({ deliverDue })
    })
  )
}
