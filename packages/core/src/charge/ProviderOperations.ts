/**
 * Operations of payment providers, in steps that each leave the books consistent: `begin` writes the operation in the
 * transaction of its room; `run` calls the provider with no transaction open, stores the answer and settles it. If this
 * process stops in between, a look or the recovery worker settles it (`OperationOutcomes`).
 *
 * A room registers one `OutcomeHandler` and gets its operations from it. The same charge key is the same charge, and an
 * operation on a charge has a key of its own, so that nothing is done twice however often it is requested.
 */
import { Cause, Clock, Context, Effect, Fiber, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Database } from "../database/Database.ts"
import { FaultPoint } from "../database/FaultPoint.ts"
import { makeId } from "../kernel/Ids.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { ChargeLooks } from "./ChargeLooks.ts"
import { OperationOutcomes, type Settled, type Settling } from "./OperationOutcomes.ts"
import { OperationScheduleRepository } from "./OperationScheduleRepository.ts"
import { type OutcomeHandler, OutcomeHandlers } from "./OutcomeHandlers.ts"
import { ChangeExceedsCharge, PaymentMethodUnavailable, type PaymentUnanswered } from "../payment/PaymentErrors.ts"
import type { PaymentMethod } from "../payment/PaymentMethod.ts"
import { PaymentPolicy } from "../payment/PaymentPolicy.ts"
import { PaymentProviders } from "../payment/PaymentProviders.ts"
import { answeredInTime } from "../payment/answeredInTime.ts"
import { authorize, changeCharge, type ChargeRequestDetails } from "./ProviderCall.ts"
import type { OperationOutcome, ProviderOperation } from "./ProviderOperation.ts"
import { type NewOperation, ProviderOperationRepository } from "./ProviderOperationRepository.ts"
import { makePostponing } from "./internal/postponing.ts"
import { encodeAnswer } from "./StoredAnswer.ts"

export interface NewCharge extends ChargeRequestDetails {
  readonly method: PaymentMethod
  readonly subjectId: string
  /** A key makes one charge, however often it is sent. It begins with the store's id and a slash. */
  readonly chargeKey: string
  /** Minor units. */
  readonly amount: bigint
  readonly currency: string
  /** JSON that the handler needs to settle without the request, with the room's own version. */
  readonly details: string | null
}

/** An operation on an existing charge. */
export interface NewChange {
  readonly kind: "capture" | "void" | "refund"
  readonly subjectId: string
  /** The authorization that made the charge (`Charges.find`). */
  readonly charge: ProviderOperation
  /** Minor units; 0 for a void. */
  readonly amount: bigint
  readonly details: string | null
}

/** An operation that is written, and still to be run. */
export interface BegunOperation {
  readonly operation: ProviderOperation
  readonly method: PaymentMethod
  /** The charge that the operation changes, as it was when the operation began. */
  readonly charge: ProviderOperation | null
  readonly call: Effect.Effect<OperationOutcome, PaymentUnanswered>
}

/** `Unknown`: the provider may have done it. The outcome is found later. */
export type RunResult<Result> = Settled<Result> | { readonly _tag: "Unknown" }

/** The operations of one kind of subject. */
export interface SubjectOperations<Result, InHand> {
  /**
   * Inside the room's transaction, under the subject's lock. Undefined where the key is taken: its charge was requested
   * before. Fails where the provider was removed meanwhile. `beside` is a statement of the room that runs as part of
   * the one that writes the operation; it can read the written operation as a row of `begun`, or none.
   */
  readonly beginCharge: (
    store: StoreContext,
    charge: NewCharge,
    beside?: Statement.Fragment
  ) => Effect.Effect<BegunOperation | undefined, PaymentMethodUnavailable>
  /**
   * Inside the room's transaction, under the subject's lock; locks the charge. What is under way counts as done: two
   * refunds at once never exceed what was captured. Fails where the charge's provider is not set up any more.
   */
  readonly begin: (
    store: StoreContext,
    change: NewChange
  ) => Effect.Effect<BegunOperation, PaymentMethodUnavailable | ChangeExceedsCharge>
  /** Outside of any transaction. After this, a failure on our side never means "nothing was done": it is `Unknown`. */
  readonly run: (store: StoreContext, begun: BegunOperation, inHand?: InHand) => Effect.Effect<RunResult<Result>>
}

export class ProviderOperations extends Context.Service<ProviderOperations>()(
  "@effect-commerce/core/charge/ProviderOperations",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const operations = yield* ProviderOperationRepository
      const { postpone } = yield* makePostponing
      const outcomes = yield* OperationOutcomes
      const looks = yield* ChargeLooks
      const handlers = yield* OutcomeHandlers
      const providers = yield* PaymentProviders
      const policy = yield* PaymentPolicy
      const scope = yield* Effect.scope

      /** Writes the row, and returns the operation as it will be read. */
      const written = Effect.fnUntraced(function* (
        storeId: string,
        asked: Omit<NewOperation, "id" | "checkAt" | "keyLives" | "now">,
        { provider }: PaymentMethod,
        charge: Pick<ProviderOperation, "chargeKey" | "externalId">,
        beside?: Statement.Fragment
      ) {
        const millis = yield* Clock.currentTimeMillis
        const now = new Date(millis)
        const checkAt = new Date(millis + policy.outcomeLease)
        const keyLives = new Date(Math.max(0, millis - provider.keyLifetime))
        const row: NewOperation = { ...asked, id: makeId("pop", millis), checkAt, keyLives, now }
        const begun = yield* operations.begin(storeId, row, beside)
        if (begun?.isSetUp === false) return yield* new PaymentMethodUnavailable({ paymentMethod: row.provider })
        if (begun === undefined || begun.looks === null) return undefined
        const { details: _, chargeId: __, checkAt: ___, keyLives: ____, now: _____, ...kept } = row
        return { ...begunWith(now, begun.looks), ...kept, chargeKey: charge.chargeKey, externalId: charge.externalId }
      })

      /** The answer of a change also says how its charge stands. Where that is not recorded now, the worker does it. */
      const followCharge = Effect.fnUntraced(function* (
        store: StoreContext,
        { charge }: BegunOperation,
        outcome: OperationOutcome
      ) {
        if (charge === null || outcome._tag === "Refused") return
        const { _tag } = yield* looks.apply(store, charge, outcome.charge)
        if (_tag === "Overlapped") yield* Effect.ignore(looks.look(store, charge.chargeKey))
      })

      /**
       * The answer of a change is stored before its handler runs. That of a charge is stored by the statement that
       * settles it, and by itself where a handler fails: a crash costs a look at the charge, which makes no other one.
       */
      const settleAnswered = Effect.fnUntraced(function* <Subject, Result, InHand>(
        settling: Settling<Subject, Result, InHand>,
        outcome: OperationOutcome
      ) {
        const { id, kind, looks: asked } = settling.operation
        const { id: storeId } = settling.store
        const kept = database.write(storeId)(operations.answered(storeId, id, asked, encodeAnswer(outcome)))
        const settle = outcomes.settle(settling, outcome)
        if (kind === "authorize")
          return yield* Effect.tapCause(settle, (cause) => (Cause.hasInterruptsOnly(cause) ? Effect.void : kept))
        yield* kept
        yield* FaultPoint.hit("payment.answer-kept")
        return yield* settle
      })

      const callAndSettle = Effect.fnUntraced(function* <Subject, Result, InHand>(
        handler: OutcomeHandler<Subject, Result, InHand>,
        store: StoreContext,
        { begun, inHand }: { readonly begun: BegunOperation; readonly inHand: InHand | undefined }
      ) {
        const { operation, method, call } = begun
        yield* FaultPoint.hit("payment.begun")
        const answer = yield* Effect.result(call.pipe(answeredInTime(method.provider, policy)))
        yield* FaultPoint.hit("payment.answered")
        if (answer._tag === "Failure") {
          yield* postpone(store, operation, answer.failure.reason)
          return { _tag: "Unknown" as const }
        }
        const { success: outcome } = answer
        const settled = yield* settleAnswered({ handler, store, operation, inHand }, outcome)
        yield* Effect.catchCause(followCharge(store, begun, outcome), (cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.interrupt
            : Effect.logError(`The charge of ${operation.id} of ${store.id} is looked at later`, cause)
        )
        return settled
      })

      /** The database may be down by now, or this process about to end: the money may still have moved. */
      const run = Effect.fnUntraced(function* <Subject, Result, InHand>(
        handler: OutcomeHandler<Subject, Result, InHand>,
        store: StoreContext,
        running: { readonly begun: BegunOperation; readonly inHand: InHand | undefined }
      ) {
        // A caller that disconnects does not stop what was begun: only the waiting ends.
        const exit = yield* Effect.flatMap(Effect.forkIn(callAndSettle(handler, store, running), scope), Fiber.await)
        if (exit._tag === "Success") return exit.value
        const { id } = running.begun.operation
        yield* Effect.logError(
          `What became of the payment operation ${id} of ${store.id} could not be written down: it will be found out`,
          exit.cause
        )
        yield* Effect.ignoreCause(postpone(store, running.begun.operation, "its outcome could not be recorded"))
        return { _tag: "Unknown" as const }
      })

      const beginCharge = Effect.fnUntraced(function* (
        subjectType: string,
        store: StoreContext,
        { method, reference, email, returnUrl, noticeUrl, ...asked }: NewCharge,
        beside?: Statement.Fragment
      ) {
        const { provider, account } = method
        const whose = { ...accountOf(method), provider: provider.code }
        const row = { ...asked, ...whose, kind: "authorize" as const, subjectType, chargeId: null }
        const charge = { chargeKey: asked.chargeKey, externalId: null }
        const operation = yield* written(store.id, row, method, charge, beside)
        if (operation === undefined) return undefined
        const call = authorize({ provider, account }, operation, { reference, email, returnUrl, noticeUrl })
        return { operation, method, charge: null, call }
      })

      /** Fails where captures or refunds, with those under way, would exceed the charge. */
      const checkLeft = Effect.fnUntraced(function* (storeId: string, { kind, charge, amount }: NewChange) {
        yield* operations.lockCharge(storeId, charge.id)
        const left = yield* operations.leftOf(storeId, charge.id)
        if (left === undefined) return yield* Effect.die(new Error(`There is no charge ${charge.id}`))
        const available = kind === "capture" ? left.capturable : left.refundable
        if (kind !== "void" && amount > available)
          return yield* new ChangeExceedsCharge({ available, currency: charge.currency })
      })

      const begin = Effect.fnUntraced(function* (subjectType: string, store: StoreContext, change: NewChange) {
        const { charge: known, ...asked } = change
        const method = yield* providers.ofOperation(store.id, known)
        if (method === undefined) return yield* new PaymentMethodUnavailable({ paymentMethod: known.provider })
        yield* checkLeft(store.id, change)
        const charge = (yield* operations.find(store.id, known.id)) ?? known
        const { id: chargeId, currency, provider, providerId, account, mode } = charge
        const whose = { provider, providerId, account, mode }
        const row = { ...asked, ...whose, subjectType, chargeId, chargeKey: null, currency }
        const operation = yield* written(store.id, row, method, charge)
        if (operation === undefined)
          return yield* Effect.die(new Error(`The ${asked.kind} of ${chargeId} was not begun`))
        return { operation, method, charge, call: changeCharge(method, operation) }
      })

      return {
        /** For the constructor of a room's service: a handler that is not registered is a defect at start. */
        of: <Subject, Result, InHand>(handler: OutcomeHandler<Subject, Result, InHand>) => {
          const { subjectType } = handler
          const found: SubjectOperations<Result, InHand> = {
            beginCharge: (store, charge, beside) => beginCharge(subjectType, store, charge, beside),
            begin: (store, change) => begin(subjectType, store, change),
            run: (store, begun, inHand) => run(handler, store, { begun, inHand })
          }
          return handlers.some((registered) => registered === handler)
            ? Effect.succeed(found)
            : Effect.die(new Error(`The outcome handler of a ${subjectType} is not registered`))
        }
      }
    })
  }
) {
  static readonly layer = Layer.effect(ProviderOperations, ProviderOperations.make).pipe(
    Layer.provide([ProviderOperationRepository.layer, OperationScheduleRepository.layer])
  )
}

const accountOf = ({ account: { providerId, account, mode } }: PaymentMethod) => ({ providerId, account, mode })

/** What a new operation has before its provider is called. */
const begunWith = (now: Date, looks: number) => ({
  state: "calling" as const,
  captured: 0n,
  refunded: 0n,
  refunding: 0n,
  refundKey: null,
  checks: 0,
  looks,
  createdAt: now,
  sentAt: now,
  expiresAt: null,
  releasedAt: null
})
