/**
 * Notices that providers send by themselves. Each is verified, stored as it arrived, and answered; then it is
 * interpreted into none, one or many charges, and those are looked at. What a notice says is never believed: its
 * provider is asked. A notice whose charge we do not know stays open, because the request that makes it may still be on
 * its way; one that cannot be read is set aside for a person.
 */
import { Cause, Clock, Context, Effect, Layer } from "effect"
import { sha256Hex } from "../crypto/Hashing.ts"
import { Database } from "../database/Database.ts"
import { FaultPoint } from "../database/FaultPoint.ts"
import { Stores } from "../store/Stores.ts"
import { ChargeLooks } from "../charge/ChargeLooks.ts"
import { apart } from "../payment/apart.ts"
import {
  NoticeRejected,
  type NoticeUnreadable,
  PaymentMethodUnavailable,
  type PaymentUnanswered
} from "../payment/PaymentErrors.ts"
import type { PaymentMethod } from "../payment/PaymentMethod.ts"
import { nextWatchAfter, nextCheckAfter, PaymentPolicy } from "../payment/PaymentPolicy.ts"
import type { ChargeName, RawNotice } from "../payment/PaymentProvider.ts"
import { PaymentProviders } from "../payment/PaymentProviders.ts"
import { answeredInTime } from "../payment/answeredInTime.ts"
import { toldReason } from "../charge/ProviderOperation.ts"
import { mostNoticeBytes, NoticesFull } from "./NoticeErrors.ts"
import { type NoticeName, ProviderNoticeRepository, type StoredNotice } from "./ProviderNoticeRepository.ts"

/** Open notices of a provider: anybody can send unsigned ones. */
const mostOpen = 10_000
const mostOpenUnsigned = 1_000
/** The most charges that one notice may name. */
const mostNamed = 200
const noticesAtOnce = 20
/** What was dealt with is kept for so long, in milliseconds, so that it is recognised when it comes again. */
const keptFor = 30 * 24 * 3_600_000
const forgottenAtOnce = 1_000
/** The most notices that are listed. */
const mostListed = 1_000

/** What became of a notice. */
type Interpreted =
  | { readonly _tag: "Applied" }
  | { readonly _tag: "Foreign" }
  | { readonly _tag: "Open"; readonly reason: string }
  | { readonly _tag: "SetAside"; readonly reason: string }

export class PaymentNotices extends Context.Service<PaymentNotices>()("@effect-commerce/core/notice/PaymentNotices", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const stores = yield* Stores
    const providers = yield* PaymentProviders
    const notices = yield* ProviderNoticeRepository
    const looks = yield* ChargeLooks
    const policy = yield* PaymentPolicy
    const scope = yield* Effect.scope

    /**
     * Our charge with this name. One that is known by the provider's id alone is asked for; what the provider itself
     * does not know when it had time to appear is nobody's, because anybody can send a notice without a signature.
     */
    const locate = Effect.fnUntraced(function* (
      { provider, account }: PaymentMethod,
      name: ChargeName,
      receivedAt: Date
    ): Effect.fn.Return<{ storeId: string; chargeKey: string } | "foreign" | undefined, PaymentUnanswered> {
      const ours = Effect.fnUntraced(function* (
        key: string
      ): Effect.fn.Return<{ storeId: string; chargeKey: string } | "foreign" | undefined> {
        const storeId = account.storeId ?? storeOf(key)
        if (storeId === undefined || storeOf(key) !== storeId) return "foreign"
        // Also where it began by another provider of the store, which then is the one that is asked: both may have the
        // same account, and a company that reports to both addresses would leave one of the notices open for ever.
        if ((yield* looks.find(storeId, key)) !== undefined) return { storeId, chargeKey: key }
        // Installations may share an account: a store that is not here is another's.
        return (yield* Effect.option(stores.context(storeId)))._tag === "None" ? "foreign" : undefined
      })
      if (name.key !== null) return yield* ours(name.key)
      if (name.externalId === null) return "foreign"
      if (account.storeId !== null) {
        const known = yield* looks.findByExternalId(account.storeId, account.providerId, name.externalId)
        if (known !== undefined) return { storeId: account.storeId, chargeKey: known.chargeKey }
      }
      const found = yield* answeredInTime(provider, policy)(provider.lookup(account, name))
      if (found._tag === "Absent") {
        const age = (yield* Clock.currentTimeMillis) - receivedAt.getTime()
        return age < Math.max(provider.settling, policy.firstCheck / 2) ? undefined : "foreign"
      }
      if (found._tag !== "Found") return undefined
      return found.charge.key === null ? "foreign" : yield* ours(found.charge.key)
    })

    const lookAt = Effect.fnUntraced(function* (method: PaymentMethod, name: ChargeName, receivedAt: Date) {
      const charge = yield* locate(method, name, receivedAt)
      if (charge === undefined) return { _tag: "Open" as const, reason: "it names a charge that we do not know" }
      if (charge === "foreign") return { _tag: "Foreign" as const }
      const store = yield* Effect.orDie(stores.context(charge.storeId))
      const looked = yield* looks.look(store, charge.chargeKey)
      switch (looked._tag) {
        case "Settled":
          return { _tag: "Applied" as const }
        case "Processing":
        case "Absent":
          return { _tag: "Open" as const, reason: "the provider does not show the charge yet" }
        default:
          return { _tag: "Open" as const, reason: "the charge cannot be looked at now" }
      }
    })

    const interpret = Effect.fnUntraced(function* (
      method: PaymentMethod,
      notice: StoredNotice
    ): Effect.fn.Return<Interpreted, NoticeUnreadable | PaymentUnanswered> {
      if (notice.version > 1) return { _tag: "Open", reason: "a later release has stored it" }
      const read = answeredInTime(method.provider, policy)(method.provider.readNotice(method.account, notice.body))
      const names = yield* read
      if (names.length > mostNamed) return { _tag: "SetAside", reason: `it names more than ${mostNamed} charges` }
      const all = yield* Effect.forEach(names, (name) => lookAt(method, name, notice.receivedAt))
      const open = all.find(({ _tag }) => _tag === "Open")
      if (open !== undefined) return open
      return all.length > 0 && all.every(({ _tag }) => _tag === "Foreign") ? { _tag: "Foreign" } : { _tag: "Applied" }
    })

    const postpone = Effect.fnUntraced(function* (notice: StoredNotice, reason: string) {
      const now = yield* Clock.currentTimeMillis
      const isYoung = now - notice.receivedAt.getTime() < policy.attentionAfter
      const wait = isYoung
        ? yield* nextCheckAfter(policy, notice.checks)
        : yield* nextWatchAfter(policy, notice.checks, false)
      yield* database.platform(notices.postpone(notice, toldReason(reason), new Date(now + wait)))
    })

    /** Interprets a stored notice; safe to repeat. */
    const actOn = Effect.fn("PaymentNotices.actOn")(function* (
      method: PaymentMethod | undefined,
      notice: StoredNotice
    ) {
      if (method === undefined) return yield* postpone(notice, "its provider is not set up any more")
      const what = `The notice ${notice.eventId} of ${notice.providerId}`
      const result = yield* Effect.result(
        Effect.onError(interpret(method, notice), (cause) =>
          Cause.hasFails(cause) ? Effect.void : postpone(notice, "it could not be acted on")
        )
      )
      if (result._tag === "Failure") {
        const { failure } = result
        if (failure._tag === "PaymentUnanswered" || failure.isNewer === true)
          return yield* postpone(notice, failure.reason)
        yield* Effect.logError(`${what} is set aside: ${failure.reason}`)
        return yield* database.platform(notices.end(notice, "set_aside", toldReason(failure.reason)))
      }
      const became = result.success
      switch (became._tag) {
        case "Open":
          return yield* postpone(notice, became.reason)
        case "SetAside":
          return yield* database.platform(notices.end(notice, "set_aside", became.reason))
        case "Foreign":
          return yield* database.platform(notices.end(notice, "foreign", "its charges are not of this installation"))
        case "Applied":
          return yield* database.platform(notices.end(notice, "applied", null))
      }
    })

    /** Verifies and stores a notice. Undefined where it is stored already. */
    const keep = Effect.fnUntraced(function* (providerId: string, raw: RawNotice) {
      const method = yield* providers.ofNotices(providerId)
      if (method === undefined || method.provider.notices === "none")
        return yield* new PaymentMethodUnavailable({ paymentMethod: providerId })
      if (raw.body.length > mostNoticeBytes) return yield* new NoticeRejected({ reason: "The notice is too large" })
      const { eventId } = yield* method.provider.verifyNotice(method.account, raw)
      const most = method.provider.notices === "signed" ? mostOpen : mostOpenUnsigned
      if ((yield* database.platform(notices.openOf(providerId, most))) === most)
        return yield* new NoticesFull({ providerId })
      yield* FaultPoint.hit("payment.notice-read")
      const now = yield* Clock.currentTimeMillis
      const stored = yield* database.platform(
        notices.keep(
          {
            providerId,
            eventId: nameOf(eventId, raw.body),
            storeId: method.account.storeId,
            body: raw.body,
            isRepeatable: eventId === null
          },
          { now: new Date(now), end: new Date(now + policy.firstCheck) }
        )
      )
      yield* FaultPoint.hit("payment.notice-kept")
      return stored === undefined ? undefined : { method, stored }
    })
    const actOnApart = (method: PaymentMethod | undefined, notice: StoredNotice) =>
      Effect.ignore(apart(`The notice ${notice.eventId} of ${notice.providerId}`, actOn(method, notice)))

    return {
      /** Stores a notification as it arrived. What it means is found out after this returns. */
      receive: Effect.fn("PaymentNotices.receive")(function* (providerId: string, raw: RawNotice) {
        const kept = yield* keep(providerId, raw)
        if (kept !== undefined) yield* Effect.forkIn(actOnApart(kept.method, kept.stored), scope)
      }),
      /** As `receive`, and returns once its meaning was found out: whether it was, for now. */
      receiveAndApply: Effect.fn("PaymentNotices.receiveAndApply")(function* (providerId: string, raw: RawNotice) {
        const kept = yield* keep(providerId, raw)
        if (kept === undefined) return true
        yield* actOnApart(kept.method, kept.stored)
        // The notice is stored: that we cannot ask about it now does not undo it.
        const isOpen = yield* Effect.exit(database.platform(notices.isOpen(kept.stored)))
        return isOpen._tag === "Success" && !isOpen.value
      }),
      /** Goes on with notices that are due. */
      pass: Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const lease = { now: new Date(now), end: new Date(now + policy.outcomeLease) }
        for (const providerId of yield* database.platform(notices.due(lease.now))) {
          const method = yield* providers.ofNotices(providerId)
          const due = yield* database.platform(notices.claim(providerId, lease, noticesAtOnce))
          yield* Effect.forEach(due, (notice) => Effect.forkIn(actOnApart(method, notice), scope), { discard: true })
        }
      }),
      /** Marks notices that have been open for too long, and deletes what was dealt with long ago. */
      sweep: Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const since = new Date(now - policy.attentionAfter)
        for (const { providerId, eventId, reason } of yield* database.platform(notices.neglect(since, new Date(now))))
          yield* Effect.logWarning(`The notice ${eventId} of ${providerId} needs attention: ${reason}`)
        yield* database.platform(notices.forget(new Date(now - keptFor), forgottenAtOnce))
      }),
      /** What needs a person, the oldest first: set aside, or open for too long. */
      neglected: notices.needingAttention(mostListed),
      /** Opens again what was set aside: all notices, a provider's, or one. Returns their names. */
      reopen: Effect.fn("PaymentNotices.reopen")(function* (
        name: {
          readonly [Name in keyof NoticeName]?: string | undefined
        }
      ) {
        const now = yield* Clock.currentTimeMillis
        return yield* database.platform(notices.reopen(name, new Date(now)))
      })
    }
  })
}) {
  static readonly layer = Layer.effect(PaymentNotices, PaymentNotices.make).pipe(
    Layer.provide(ProviderNoticeRepository.layer)
  )
}

/** A key of ours begins with the store's id and a slash. */
const storeOf = (key: string): string | undefined => {
  const slash = key.indexOf("/")
  return slash > 0 ? key.slice(0, slash) : undefined
}

/** The most characters of a notice's name, which are stored. */
const longestName = 255

/** Notices without a name, or with one that is too long, are known by their content. */
const nameOf = (eventId: string | null, body: Uint8Array): string =>
  eventId === null || eventId === "" || eventId.length > longestName
    ? `sha256:${sha256Hex(Buffer.from(body))}`
    : eventId
