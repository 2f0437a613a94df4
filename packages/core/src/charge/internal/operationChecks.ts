/**
 * What is done with an operation that is due, by its state. A charge is looked at, so that none is made. A change of a
 * charge is looked up first; it is requested again, under its key, only where the provider has no trace of it although
 * the request had time to arrive, and while the provider still recognises the key.
 */
import { Cause, Clock, Effect } from "effect"
import { classify } from "../../database/SqlErrors.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import { ChargeLooks, type Looked } from "../ChargeLooks.ts"
import { isOtherThan, isOver } from "../../payment/chargeSums.ts"
import { NeglectedPayments } from "../NeglectedPayments.ts"
import { OperationOutcomes } from "../OperationOutcomes.ts"
import { makePostponing } from "./postponing.ts"
import { nextCheckAfter, nextWatchAfter, PaymentPolicy } from "../../payment/PaymentPolicy.ts"
import type { Charge } from "../../payment/PaymentProvider.ts"
import { PaymentProviders } from "../../payment/PaymentProviders.ts"
import { answeredInTime } from "../../payment/answeredInTime.ts"
import { changeCharge, changeOf } from "../ProviderCall.ts"
import { type OperationOutcome, type ProviderOperation, toldReason } from "../ProviderOperation.ts"
import { ProviderOperationRepository } from "../ProviderOperationRepository.ts"
import { decodeAnswer } from "../StoredAnswer.ts"
import type { Checked, Unasked } from "./checked.ts"
import { makeUnwantedMoney } from "./unwantedMoney.ts"

/** Whether the provider answered; undefined where it was not asked. */
type Answered = boolean | undefined

export const makeOperationChecks = Effect.gen(function* () {
  const providers = yield* PaymentProviders
  const operations = yield* ProviderOperationRepository
  const outcomes = yield* OperationOutcomes
  const looks = yield* ChargeLooks
  const neglected = yield* NeglectedPayments
  const policy = yield* PaymentPolicy
  const undo = yield* makeUnwantedMoney
  const { postpone, postponeUntil } = yield* makePostponing

  /** Settles; what our own side fails to do is tried again later, less and less often. */
  const settle = Effect.fnUntraced(function* (checked: Checked, outcome: OperationOutcome) {
    const { store, operation } = checked
    const isSettled = yield* Effect.catchCause(Effect.as(outcomes.settle(checked, outcome), true), (cause) =>
      Effect.as(refuseLate(checked, outcome, cause), false)
    )
    if (isSettled && outcome._tag === "Answered" && operation.kind !== "authorize")
      yield* Effect.ignore(looks.look(store, operation.chargeKey))
  })

  const notRecorded = Effect.fnUntraced(function* ({ store, operation }: Checked, cause: Cause.Cause<unknown>) {
    yield* Effect.logError(`The payment ${operation.id} of ${store.id} could not be recorded: it is tried again`, cause)
    yield* postpone(store, operation, "its outcome could not be recorded")
  })

  /**
   * Where the charge's deadline has passed and its room still fails to accept the money, although the database
   * responds, it never will: the money is refunded.
   */
  const refuseLate = Effect.fnUntraced(function* (
    checked: Checked,
    outcome: OperationOutcome,
    cause: Cause.Cause<unknown>
  ) {
    const { store, operation } = checked
    if (Cause.hasInterruptsOnly(cause)) return yield* Effect.interrupt
    const isHopeless =
      outcome._tag === "Answered" &&
      operation.kind === "authorize" &&
      operation.state !== "succeeded" &&
      !(yield* isBeforeDeadline(checked)) &&
      classify(Cause.squash(cause)) !== "unavailable"
    if (!isHopeless) return yield* notRecorded(checked, cause)
    yield* Effect.logError(
      `Nothing can be made of the payment ${operation.id} of ${store.id}: its money is refunded`,
      cause
    )
    yield* outcomes.refuseMoney(checked, outcome.charge, "nothing could be made of it")
  })

  /**
   * Nothing of the charge has arrived. Requests take their time, so that is believed late, and looked at twice again.
   */
  const absent = Effect.fnUntraced(function* (checked: Checked) {
    const { store, operation, method } = checked
    const now = yield* Clock.currentTimeMillis
    const age = now - operation.sentAt.getTime()
    if (operation.state === "failed") return yield* undo.releaseAbsent(checked)
    if (operation.state === "absent") {
      const next = policy.absentAgain.find((at) => at > age)
      return yield* postponeUntil(store, operation, null, next === undefined ? null : new Date(now + next - age))
    }
    if (operation.state === "awaiting_shopper" && !(yield* isBeforeDeadline(checked)))
      return yield* outcomes.giveUp(checked)
    const { settling } = method.provider
    if (age < settling)
      return yield* postponeUntil(store, operation, "the provider does not have it yet", new Date(now + settling - age))
    if (operation.externalId !== null) {
      const missing = `${method.provider.code} does not know the charge ${operation.externalId} any more`
      return yield* isOpen(operation) ? stillOpen(checked, missing) : neglected.now(store.id, operation.id, missing)
    }
    const reason = "The provider never got the request"
    yield* settle(checked, { _tag: "Refused", state: "absent", code: "processing_error", reason })
  })

  /** The charge stays as it was: until the deadline that is waited for; then nobody wants it any more. */
  const stillOpen = Effect.fnUntraced(function* (checked: Unasked, error: string | null) {
    const { store, operation } = checked
    if (isOpen(operation) && !(yield* isBeforeDeadline(checked))) return yield* outcomes.giveUp(checked)
    const now = yield* Clock.currentTimeMillis
    const wait =
      error === null
        ? yield* nextWatchAfter(policy, operation.checks + 1, operation.state === "awaiting_shopper")
        : yield* nextCheckAfter(policy, operation.checks)
    yield* postponeUntil(store, operation, error, new Date(now + wait))
  })

  /**
   * The provider could not be asked. Nobody waits for a shopper beyond the deadline for that; where the shopper may
   * have paid, the outcome is awaited as long as it takes.
   */
  const unasked = (checked: Unasked, reason: string) =>
    checked.operation.state === "awaiting_shopper"
      ? stillOpen(checked, reason)
      : postpone(checked.store, checked.operation, reason)

  /** The look has applied the charge: what is left to be done about it. */
  const afterApplied = Effect.fnUntraced(function* (checked: Checked, charge: Charge) {
    const { operation } = checked
    if (charge.state === "awaiting_shopper") {
      if (operation.state === "awaiting_shopper" && !(yield* isBeforeDeadline(checked))) yield* giveUpNow(checked)
      if (operation.state === "absent") yield* stillOpen(checked, null)
    }
    if (operation.releasedAt !== null && !isOver(charge)) yield* undo.release(checked, charge)
  })

  const afterLook = Effect.fnUntraced(function* (checked: Checked, looked: Looked) {
    const { store, operation } = checked
    switch (looked._tag) {
      case "Absent":
        return yield* absent(checked)
      case "Processing":
        if (operation.releasedAt !== null) return yield* undo.releaseUnseen(checked)
        return yield* stillOpen(checked, operation.state === "succeeded" ? null : "the provider is still processing it")
      case "Busy":
        return yield* postpone(store, operation, "other answers are being recorded")
      case "Settled":
        return yield* afterApplied(checked, looked.charge)
      case "NotSetUp":
      case "Gone":
        return
    }
  })

  /** Read again: the look has changed it. */
  const giveUpNow = (checked: Checked) =>
    Effect.flatMap(operations.find(checked.store.id, checked.operation.id), (operation) =>
      operation === undefined ? Effect.void : outcomes.giveUp({ ...checked, operation })
    )

  const checkCharge = Effect.fnUntraced(function* (checked: Checked): Effect.fn.Return<Answered> {
    const looked = yield* Effect.result(
      Effect.catchCause(looks.look(checked.store, checked.operation.chargeKey), (cause) =>
        Cause.hasFails(cause) ? Effect.failCause(cause) : broken(checked, cause)
      )
    )
    if (looked._tag === "Success") {
      if (looked.success !== undefined) yield* afterLook(checked, looked.success)
      return true
    }
    yield* unasked(checked, looked.failure.reason)
    return false
  })

  /** Our own side failed while the answer was applied. */
  const broken = Effect.fnUntraced(function* (checked: Checked, cause: Cause.Cause<unknown>) {
    const { store, operation } = checked
    const found = yield* looks.lookup(checked.method, operation)
    if (found._tag === "Found") yield* refuseLate(checked, { _tag: "Answered", charge: found.charge }, cause)
    else yield* postpone(store, operation, "its outcome could not be recorded")
    return undefined
  })

  const askAgain = Effect.fnUntraced(function* (checked: Checked): Effect.fn.Return<Answered> {
    const { store, operation, method } = checked
    const answer = yield* Effect.result(answeredInTime(method.provider, policy)(changeCharge(method, operation)))
    if (answer._tag === "Failure") {
      yield* postpone(store, operation, answer.failure.reason)
      return false
    }
    yield* settle(checked, answer.success)
    return true
  })

  const checkChange = Effect.fnUntraced(function* (checked: Checked): Effect.fn.Return<Answered> {
    const { store, operation, method } = checked
    const { provider } = method
    if (operation.kind === "authorize") return undefined
    const found = yield* Effect.result(
      answeredInTime(provider, policy)(provider.lookupChange(changeOf(method, operation), operation.kind))
    )
    if (found._tag === "Failure") {
      yield* postpone(store, operation, found.failure.reason)
      return false
    }
    switch (found.success._tag) {
      case "Done":
        yield* settle(checked, { _tag: "Answered", charge: found.success.charge })
        return true
      case "Failed": {
        const reason = toldReason(found.success.reason)
        yield* settle(checked, { _tag: "Refused", state: "failed", code: "processing_error", reason })
        return true
      }
      case "Processing":
        yield* stillOpen(checked, null)
        return true
      case "Absent": {
        const age = (yield* Clock.currentTimeMillis) - operation.sentAt.getTime()
        if (operation.state === "pending" || age < provider.settling) {
          yield* postpone(store, operation, "the provider does not have it yet")
          return true
        }
        if (age < provider.keyLifetime) return yield* askAgain(checked)
        const reason = "The provider never got the request, and would not recognise it any more"
        yield* settle(checked, { _tag: "Refused", state: "failed", code: "processing_error", reason })
        return true
      }
    }
  })

  /**
   * The answer was stored, and what follows from it was not recorded. What the shopper is to do next is not stored with
   * it, and a sum that was wrong may have been mended since: then the provider is asked.
   */
  const settleStored = Effect.fnUntraced(function* (checked: Checked, stored: unknown) {
    const answer = yield* Effect.result(decodeAnswer(stored))
    if (answer._tag === "Failure") return false
    const outcome = answer.success
    if (outcome._tag === "Answered" && checked.operation.kind === "authorize") {
      const { charge } = outcome
      if (charge.state === "awaiting_shopper" || isOtherThan(checked.operation, charge)) return false
    }
    yield* settle(checked, outcome)
    return true
  })

  /** What our own side fails to do is tried again later, less and less often. */
  const undoing = (checked: Checked) =>
    Effect.catchCause(undo.goOn(checked), (cause) => {
      if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
      return Effect.as(notRecorded(checked, cause), undefined)
    })

  return Effect.fnUntraced(function* (store: StoreContext, id: string): Effect.fn.Return<Answered> {
    const operation = yield* operations.find(store.id, id)
    if (operation === undefined) return undefined
    const handler = outcomes.handlerOf(operation.subjectType)
    if (handler === undefined) {
      yield* postpone(store, operation, `this release has no payments of a ${operation.subjectType}`)
      return undefined
    }
    const method = yield* providers.ofOperation(store.id, operation)
    if (method === undefined) {
      const reason = `the provider ${operation.providerId} is not set up for this account any more`
      yield* unasked({ store, operation, handler }, reason)
      return undefined
    }
    const checked = { store, operation, handler, method }
    if (operation.state === "refund_due") return yield* undoing(checked)
    if (operation.state === "calling") {
      const stored = yield* operations.answerOf(store.id, id)
      if (stored !== undefined && (yield* settleStored(checked, stored))) return undefined
    }
    return yield* operation.kind === "authorize" ? checkCharge(checked) : checkChange(checked)
  })
})

/** Whether somebody may still wait for the outcome. */
const isOpen = ({ state }: ProviderOperation) => state === "calling" || state === "awaiting_shopper"

/** Operations without a deadline stay open until their outcome is known: so does every change of a charge. */
const isBeforeDeadline = ({ store, operation, handler: { charges } }: Unasked) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    if (operation.kind !== "authorize" || charges === undefined) return true
    return now < charges.deadline(store, operation)
  })
