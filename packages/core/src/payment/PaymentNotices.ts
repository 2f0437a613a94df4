/**
 * Notices that providers send by themselves. Each is stored before it is applied, and applied once: it settles the
 * operation that made the charge, and then updates what the charge has paid for.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { FaultPoint } from "../database/FaultPoint.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { OperationOutcomes } from "./OperationOutcomes.ts"
import { NoticeRejected, PaymentMethodUnavailable } from "./PaymentErrors.ts"
import { PaymentPolicy } from "./PaymentPolicy.ts"
import type { ProviderNotice, RawNotice } from "./PaymentProvider.ts"
import { PaymentProviders } from "./PaymentProviders.ts"
import { type KeptNotice, ProviderNoticeRepository } from "./ProviderNoticeRepository.ts"
import { toldReason } from "./ProviderOperation.ts"
import { ProviderOperationRepository } from "./ProviderOperationRepository.ts"

export class PaymentNotices extends Context.Service<PaymentNotices>()("@effect-commerce/core/payment/PaymentNotices", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const providers = yield* PaymentProviders
    const operations = yield* ProviderOperationRepository
    const notices = yield* ProviderNoticeRepository
    const outcomes = yield* OperationOutcomes
    const policy = yield* PaymentPolicy

    const follow = Effect.fnUntraced(function* (store: StoreContext, provider: string, notice: ProviderNotice) {
      const operation = yield* operations.findByKey(store.id, provider, notice.chargeKey)
      if (operation === undefined)
        return yield* Effect.logWarning(`${provider} tells of a charge that is not ours: ${notice.eventId}`)
      const handler = yield* outcomes.handlerOf(operation.subjectType)
      const settling = { handler, store, operation }
      const { externalId, captured, refunded, reason } = notice
      if (captured > 0n)
        yield* outcomes.settle(settling, {
          _tag: "Done",
          externalId,
          state: "captured",
          captured,
          refunded: 0n
        })
      else if (notice.type === "failed")
        yield* outcomes.settle(settling, {
          _tag: "Refused",
          state: "declined",
          reason: reason ?? "The payment failed"
        })
      if (refunded > 0n) yield* outcomes.recordRefund(store, operation, refunded)
      if (handler.charges !== undefined) yield* handler.charges.noticed(store, operation, notice)
    })

    /** Applies a stored notice; safe to repeat. */
    const apply = Effect.fn("PaymentNotices.apply")(function* (store: StoreContext, kept: KeptNotice) {
      const { provider, notice } = kept
      yield* follow(store, provider, notice)
      const now = new Date(yield* Clock.currentTimeMillis)
      yield* database.write(store.id)(notices.applied(store.id, { provider, eventId: notice.eventId }, now))
    })

    return {
      apply,
      /**
       * Stores a notification as it arrived and applies it. A repeat of a stored one changes nothing. `stored`: it
       * could not be applied yet; the recovery worker will. After a defect nothing is stored: the provider must send it
       * again.
       */
      receive: Effect.fn("PaymentNotices.receive")(function* (store: StoreContext, code: string, raw: RawNotice) {
        const provider = providers.byCode(code)
        if (provider === undefined) return yield* new PaymentMethodUnavailable({ paymentMethod: code })
        const notice = yield* storable(yield* provider.readNotice(store.id, raw))
        const now = yield* Clock.currentTimeMillis
        const kept: KeptNotice = { provider: code, notice }
        yield* FaultPoint.hit("payment.notice-read")
        const isNew = yield* database.write(store.id)(
          notices.keep(store.id, kept, new Date(now + policy.firstCheck), new Date(now))
        )
        yield* FaultPoint.hit("payment.notice-kept")
        if (!isNew) return "acted on"
        const exit = yield* Effect.exit(apply(store, kept))
        if (exit._tag === "Success") return "acted on"
        yield* Effect.logError(
          `The notice ${notice.eventId} of ${code} in ${store.id} could not be acted on: it will be tried again`,
          exit.cause
        )
        return "stored"
      })
    }
  })
}) {
  static readonly layer = Layer.effect(PaymentNotices, PaymentNotices.make).pipe(
    Layer.provide([ProviderOperationRepository.layer, ProviderNoticeRepository.layer])
  )
}

/** The most characters of an event's and a charge's name, which are stored. */
const longestName = 255

const storable = (notice: ProviderNotice): Effect.Effect<ProviderNotice, NoticeRejected> => {
  const names = [notice.eventId, notice.chargeKey, notice.externalId]
  return names.some((name) => name.length > longestName)
    ? Effect.fail(new NoticeRejected({ reason: `The notice has a name of more than ${longestName} characters` }))
    : Effect.succeed({ ...notice, reason: toldReason(notice.reason) })
}
