/**
 * Undoes a charge that nobody wants: what was captured is refunded, what is only reserved or still waits for the
 * shopper is released. It lasts until the provider says that it is done. Each step begins with a look, so that nothing
 * is asked for that is done already, and a refund is asked for again only while the provider recognises its key.
 */
import { Clock, Effect } from "effect"
import { Database } from "../../database/Database.ts"
import { ChargeLooks } from "../ChargeLooks.ts"
import { isOver, isQuiet, refundingOf } from "../../payment/chargeSums.ts"
import { NeglectedPayments } from "../NeglectedPayments.ts"
import { PaymentPolicy } from "../../payment/PaymentPolicy.ts"
import type { Charge, ChargeChange } from "../../payment/PaymentProvider.ts"
import { answeredInTime } from "../../payment/answeredInTime.ts"
import { changeOf } from "../ProviderCall.ts"
import type { ProviderOperation } from "../ProviderOperation.ts"
import { ProviderOperationRepository } from "../ProviderOperationRepository.ts"
import { UnwantedMoneyRepository } from "../UnwantedMoneyRepository.ts"
import type { Checked } from "./checked.ts"
import { makePostponing } from "./postponing.ts"

/** After so many refunds that failed for good, a person has to find out why. */
const mostFailed = 3
/** A request that the provider has no trace of so many milliseconds after it was sent will not arrive. */
const lastLook = 24 * 3_600_000

/** Whether there is something to release, and nothing to refund. */
const isUnreleased = (charge: Charge): boolean => charge.captured === 0n && !isOver(charge)

export const makeUnwantedMoney = Effect.gen(function* () {
  const database = yield* Database
  const operations = yield* ProviderOperationRepository
  const unwanted = yield* UnwantedMoneyRepository
  const looks = yield* ChargeLooks
  const neglected = yield* NeglectedPayments
  const policy = yield* PaymentPolicy
  const { postpone, postponeUntil } = yield* makePostponing

  const changeWith = ({ method }: Checked, operation: ProviderOperation, key: string, amount: bigint) => ({
    ...changeOf(method, operation),
    key,
    amount
  })

  /**
   * Calls the provider, applies its answer and returns the charge. `refused`: it answered that it cannot do it;
   * `isTimely`: which is no trouble, because it can later or has nothing to do it to.
   */
  const ask = Effect.fnUntraced(function* (
    checked: Checked,
    operation: ProviderOperation,
    kind: "void" | "refund",
    change: ChargeChange,
    isTimely = false
  ) {
    const { store, method } = checked
    const answer = yield* Effect.result(answeredInTime(method.provider, policy)(method.provider[kind](change)))
    if (answer._tag === "Failure") {
      const isRefused = answer.failure._tag === "PaymentFailed"
      yield* postpone(checked.store, operation, isRefused && isTimely ? null : answer.failure.reason)
      return isRefused ? "refused" : "unanswered"
    }
    const settled = yield* looks.apply(store, operation, answer.success)
    if (settled._tag === "Overlapped") yield* Effect.ignore(looks.look(store, operation.chargeKey))
    yield* later(checked)
    return answer.success
  })

  /** What is not done yet is due again after a while, not at once. */
  const later = Effect.fnUntraced(function* (checked: Checked) {
    const after = yield* operations.find(checked.store.id, checked.operation.id)
    if (after?.state === "refund_due") yield* postpone(checked.store, after, null)
  })

  /** Not every company can stop what it works on: then it is released, or refunded, once that has come to an end. */
  const release = (checked: Checked, operation: ProviderOperation, isTimely: boolean) =>
    ask(checked, operation, "void", changeWith(checked, operation, `void:${operation.id}`, 0n), isTimely)

  /** As `release`, of what is wanted no more: then no more of it is to come, and it is watched no longer. */
  const releaseForGood = Effect.fnUntraced(function* (
    checked: Checked,
    operation: ProviderOperation,
    isTimely: boolean
  ) {
    const { store } = checked
    const charge = yield* release(checked, operation, isTimely)
    const released = yield* operations.find(store.id, operation.id)
    if (typeof charge === "string" || released === undefined || released.releasedAt === null) return
    // A company that does it later has answered, and done nothing yet.
    if (isUnreleased(charge))
      return yield* postpone(
        checked.store,
        released,
        charge.state === "pending" ? null : "the provider has not released it yet"
      )
    if (released.state === "refund_due" || !isQuiet(charge)) return
    yield* postponeUntil(store, released, null, null)
  })

  const refund = Effect.fnUntraced(function* (checked: Checked, operation: ProviderOperation, charge: Charge) {
    const { store, method } = checked
    const now = yield* Clock.currentTimeMillis
    const ours = charge.refunds.filter(({ key }) => key?.startsWith(`refund:${operation.id}`) === true)
    const failed = ours.filter(({ status }) => status === "failed")
    if (failed.length >= mostFailed) {
      yield* neglected.now(store.id, operation.id, `${failed.length} refunds of it have failed at the provider`)
      return true
    }
    if (failed.some(({ key }) => key === operation.refundKey))
      yield* database.write(store.id)(unwanted.refundFailed(store.id, operation, new Date(now)))
    const key = ours.length === 0 ? `refund:${operation.id}` : `refund:${operation.id}:${ours.length}`
    const begun = yield* database.write(store.id)(unwanted.beginRefund(store.id, operation, key, new Date(now)))
    if (begun === undefined) return true
    const age = now - begun.sentAt.getTime()
    const isNew = operation.refundKey !== begun.key
    if (!isNew && age < method.provider.settling) {
      yield* postpone(checked.store, operation, "the provider does not have it yet")
      return true
    }
    if (age >= method.provider.keyLifetime) {
      yield* neglected.now(
        store.id,
        operation.id,
        "the refund was asked for long ago, and the provider has no trace of it"
      )
      return true
    }
    const change = changeWith(checked, operation, begun.key, begun.upTo - operation.refunded)
    return (yield* ask(checked, operation, "refund", change)) !== "unanswered"
  })

  /** The next step, by what the provider has now. */
  const step = Effect.fnUntraced(function* (checked: Checked, operation: ProviderOperation, charge: Charge) {
    if (isUnreleased(charge)) return (yield* release(checked, operation, charge.state === "pending")) !== "unanswered"
    if (refundingOf(charge) === 0n) return yield* refund(checked, operation, charge)
    yield* postpone(checked.store, operation, null)
    return true
  })

  return {
    /** Releases what is only reserved of a charge whose rest is wanted no more, unless it is wanted after all. */
    release: Effect.fnUntraced(function* (checked: Checked, charge: Charge) {
      const operation = yield* operations.find(checked.store.id, checked.operation.id)
      if (operation === undefined || operation.releasedAt === null || charge.captured >= charge.amount) return
      yield* releaseForGood(checked, operation, charge.state === "pending")
    }),
    /** Nobody waits for the charge, and the provider does not say what becomes of it: it is made void. */
    releaseUnseen: (checked: Checked) => releaseForGood(checked, checked.operation, false),
    /** Nothing of the charge has arrived so far: it is made void, so that it comes to nothing if it still arrives. */
    releaseAbsent: Effect.fnUntraced(function* (checked: Checked) {
      const { store, operation } = checked
      const now = yield* Clock.currentTimeMillis
      if (now - operation.sentAt.getTime() <= lastLook) return yield* releaseForGood(checked, operation, true)
      yield* postponeUntil(store, operation, "The provider never got the request", null)
    }),
    /** Goes on with undoing. Returns whether the provider answered. */
    goOn: Effect.fnUntraced(function* (checked: Checked): Effect.fn.Return<boolean | undefined> {
      const { store, operation } = checked
      const looked = yield* Effect.result(looks.look(store, operation.chargeKey))
      if (looked._tag === "Failure") {
        yield* postpone(checked.store, operation, looked.failure.reason)
        return false
      }
      const found = looked.success
      if (found._tag === "Settled") {
        const now = yield* operations.find(store.id, operation.id)
        return now?.state === "refund_due" ? yield* step(checked, now, found.charge) : true
      }
      if (found._tag !== "Absent" && found._tag !== "Processing")
        return yield* Effect.as(postpone(checked.store, operation, "its provider cannot be asked"), true)
      const now = yield* Clock.currentTimeMillis
      if (found._tag === "Absent" && operation.captured > 0n) {
        const { provider } = checked.method
        yield* neglected.now(
          store.id,
          operation.id,
          `${provider.code} does not know the charge any more that it captured`
        )
        return true
      }
      if (found._tag === "Absent" && now - operation.sentAt.getTime() > lastLook)
        return yield* Effect.as(
          database.write(store.id)(unwanted.nothingToUndo(store.id, operation, new Date(now))),
          true
        )
      // Nothing of it has arrived so far: it is made void, so that it comes to nothing if it still arrives.
      return (yield* release(checked, operation, found._tag === "Absent")) !== "unanswered"
    })
  }
})
