/** One attempt to send a mail: unseals it, hands it to the transport outside of any transaction, records the result. */
import { Cause, Clock, Effect, Fiber, Metric, Schedule } from "effect"
import { RootSecret } from "../../crypto/RootSecret.ts"
import { Database } from "../../database/Database.ts"
import { EmailDomains } from "../../emaildomain/EmailDomains.ts"
import { Suppressions } from "../../emaillink/Suppressions.ts"
import { storedReader } from "../../kernel/StoredData.ts"
import type { MessageState } from "../EmailMessage.ts"
import { sealContext, SealedBodies, sealPurpose } from "../MailComposer.ts"
import { canUnsubscribe, isMarketing } from "../../template/EmailType.ts"
import { type AttemptEnd, MailQueueRepository } from "../MailQueueRepository.ts"
import { MailTransport, MailUndelivered } from "../../smtp/MailTransport.ts"

const minute = 60_000
/**
 * Minutes between attempts: eight retries in some sixteen hours, then the mail is FAILED.
 */
export const retryDelays: ReadonlyArray<number> = [0.5, 2, 10, 30, 60, 120, 240, 480].map((minutes) => minutes * minute)
export const mostAttempts = retryDelays.length + 1

/** How long an attempt may still take when the worker is stopped. */
const graceMillis = 5_000

/** A sent mail that is not recorded is sent again, so recording is retried through a restart of the database. */
const recordAgain = { schedule: Schedule.spaced("500 millis"), times: 4 }

/** Mails may have been sealed by an older release. */
const readBodies = storedReader(SealedBodies)

/** The error of a mail that is itself at fault: a retry does not help. */
const unsendable = (reason: string) => new MailUndelivered({ reason, permanent: true, unreachable: false })

const attempts = Metric.counter("commerce_mail_attempts_total", {
  description: "Attempts to send a mail, by what became of it.",
  incremental: true
})

const counted = (result: "sent" | "kept" | "again" | "given_up") =>
  Effect.andThen(
    Metric.update(Metric.withAttributes(attempts, { result }), 1),
    Effect.annotateCurrentSpan({ "commerce.result": result })
  )

const endOf = (mail: MessageState, failed: Pick<MailUndelivered, "reason" | "permanent">, now: number): AttemptEnd => {
  const delay = failed.permanent ? undefined : retryDelays[mail.attempts - 1]
  return {
    status: delay === undefined ? "FAILED" : "QUEUED",
    dueAt: new Date(now + (delay ?? 0)),
    lastError: failed.reason
  }
}

const logFailure = (
  storeId: string,
  { id, attempts }: MessageState,
  { reason }: { readonly reason: string },
  { status }: AttemptEnd
) =>
  Effect.annotateLogs(
    status === "FAILED"
      ? Effect.logError("Mail given up")
      : Effect.logWarning("Mail not delivered, will be tried again"),
    { storeId, id, attempt: attempts, reason }
  )

export const makeMailAttempt = Effect.gen(function* () {
  const database = yield* Database
  const transport = yield* MailTransport
  const secret = yield* RootSecret
  const queue = yield* MailQueueRepository
  const domains = yield* EmailDomains
  const suppressions = yield* Suppressions

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

  /** A domain that is not the store's any more since the mail was made gives way to the installation's address. */
  const senderOf = Effect.fnUntraced(function* (storeId: string, { fromName: name, fromAddress }: MessageState) {
    const domain = fromAddress.split("@")[1] ?? ""
    if (fromAddress === transport.fromAddress) return { from: { name, address: fromAddress }, signature: null }
    const signature = (yield* domains.signature(storeId, domain)) ?? null
    return { from: { name, address: signature === null ? transport.fromAddress : fromAddress }, signature }
  })

  /** Why a mail is given up without an attempt. */
  const hopeless = Effect.fnUntraced(function* (storeId: string, mail: MessageState, now: number) {
    if (mail.attempts > mostAttempts) return "given up: the worker died at every attempt"
    if (mail.expiresAt !== null && mail.expiresAt.getTime() <= now) return "its link ended before it could leave"
    if (canUnsubscribe(mail.eventType) && (yield* suppressions.has(storeId, mail.toAddress)))
      return "its reader has unsubscribed"
    if (isMarketing(mail.eventType) && (yield* suppressions.isRefused(storeId, mail.toAddress)))
      return "its reader does not agree to marketing mails any more"
    return undefined
  })

  const send = Effect.fnUntraced(function* (storeId: string, mail: MessageState) {
    const bodies = yield* bodiesOf(storeId, mail)
    const { id, eventType, toAddress: to, replyTo, subject, createdAt } = mail
    const { from, signature } = yield* senderOf(storeId, mail)
    const status = yield* transport.deliver({
      id,
      storeId,
      eventType,
      to,
      from,
      replyTo,
      subject,
      createdAt,
      unsubscribeUrl: mail.unsubscribeUrl,
      signature,
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

  /** Returns whether the mail server could be reached, so that the next mail may be tried. */
  const attempt = Effect.fn("MailDelivery.attempt")(function* (storeId: string, mail: MessageState) {
    const begun = yield* Clock.currentTimeMillis
    yield* Effect.annotateCurrentSpan({ "commerce.store.id": storeId, "commerce.mail.type": mail.eventType })
    const reason = yield* hopeless(storeId, mail, begun)
    const tried = yield* Effect.result(
      reason === undefined ? send(storeId, mail) : Effect.fail({ reason, permanent: true, unreachable: false })
    )
    const now = yield* Clock.currentTimeMillis
    const at = new Date(now)
    if (tried._tag === "Failure") {
      const end = endOf(mail, tried.failure, now)
      yield* counted(end.status === "FAILED" ? "given_up" : "again")
      yield* record(storeId, queue.end(storeId, mail, end, at))
      yield* logFailure(storeId, mail, tried.failure, end)
      return !tried.failure.unreachable
    }
    const { status, bodies } = tried.success
    yield* counted(status === "KEPT" ? "kept" : "sent")
    // In the kept mailbox the stored bodies show their token.
    const kept = status === "KEPT" && mail.sealed !== null ? { html: bodies.html, plainText: bodies.text } : undefined
    yield* record(storeId, queue.end(storeId, mail, { status, dueAt: at, lastError: null, bodies: kept }, at))
    return true
  })

  /** When the worker is stopped, the attempt under way is finished, so that no other worker sends the mail again. */
  return (storeId: string, mail: MessageState): Effect.Effect<boolean> =>
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
})
