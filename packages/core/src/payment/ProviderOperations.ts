/**
 * Operations of payment providers, in steps that each leave the books consistent: `begin` writes the operation in the
 * transaction of its room; `run` calls the provider with no transaction open and settles the response. If this process
 * stops in between, a notice or the recovery worker settles it (`OperationOutcomes`).
 *
 * A room registers one `OutcomeHandler` and gets its operations from it. The same charge key is the same charge, and an
 * operation on a charge has a key of its own, so that nothing is done twice however often it is requested.
 */
import { Clock, Context, Effect, Fiber, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Database } from "../database/Database.ts"
import { FaultPoint } from "../database/FaultPoint.ts"
import { makeId } from "../kernel/Ids.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { OperationOutcomes, type Settled } from "./OperationOutcomes.ts"
import { type OutcomeHandler, OutcomeHandlers } from "./OutcomeHandlers.ts"
import { PaymentMethodUnavailable, type PaymentUnanswered } from "./PaymentErrors.ts"
import { nextCheckAfter, PaymentPolicy } from "./PaymentPolicy.ts"
import type { PaymentProvider } from "./PaymentProvider.ts"
import { PaymentProviders } from "./PaymentProviders.ts"
import { answeredInTime, authorize, changeCharge, type ChargeRequestDetails } from "./ProviderCall.ts"
import { type OperationOutcome, type ProviderOperation, toldReason } from "./ProviderOperation.ts"
import { type NewOperation, ProviderOperationRepository } from "./ProviderOperationRepository.ts"

export interface NewCharge extends ChargeRequestDetails {
  readonly provider: PaymentProvider
  readonly subjectId: string
  /** A key makes one charge, however often it is sent. */
  readonly chargeKey: string
  /** Minor units. */
  readonly amount: bigint
  readonly currency: string
  /** JSON that the handler needs to settle without the request, with the room's own version. */
  readonly details: string | null
}

/** An operation on an existing charge. The room has made sure that the charge allows the amount. */
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
  readonly provider: PaymentProvider
  readonly call: Effect.Effect<OperationOutcome, PaymentUnanswered>
}

/** `Unknown`: the provider may have done it. The outcome is found later. */
export type RunResult<Result> = Settled<Result> | { readonly _tag: "Unknown" }

/** The operations of one kind of subject. */
export interface SubjectOperations<Result, InHand> {
  /**
   * Inside the room's transaction, under the subject's lock. Undefined where the key is taken: its charge was requested
   * before. `beside` is a statement of the room that runs as part of the one that writes the operation; it can read the
   * written operation as a row of `begun`, or none.
   */
  readonly beginCharge: (
    store: StoreContext,
    charge: NewCharge,
    beside?: Statement.Fragment
  ) => Effect.Effect<BegunOperation | undefined>
  /** Inside the room's transaction, under the subject's lock. Fails where the charge's provider is not set up. */
  readonly begin: (store: StoreContext, change: NewChange) => Effect.Effect<BegunOperation, PaymentMethodUnavailable>
  /** Outside of any transaction. After this, a failure on our side never means "nothing was done": it is `Unknown`. */
  readonly run: (store: StoreContext, begun: BegunOperation, inHand?: InHand) => Effect.Effect<RunResult<Result>>
}

export class ProviderOperations extends Context.Service<ProviderOperations>()(
  "@effect-commerce/core/payment/ProviderOperations",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const operations = yield* ProviderOperationRepository
      const outcomes = yield* OperationOutcomes
      const handlers = yield* OutcomeHandlers
      const providers = yield* PaymentProviders
      const policy = yield* PaymentPolicy
      const scope = yield* Effect.scope

      /** The row to write, and the operation as it will be read. */
      const written = Effect.fnUntraced(function* (
        storeId: string,
        asked: Omit<NewOperation, "id" | "checkAt" | "now">,
        charge: Pick<ProviderOperation, "chargeKey" | "externalId">,
        beside?: Statement.Fragment
      ) {
        const millis = yield* Clock.currentTimeMillis
        const now = new Date(millis)
        const row: NewOperation = {
          ...asked,
          id: makeId("pop", millis),
          checkAt: new Date(millis + policy.outcomeLease),
          now
        }
        if (!(yield* operations.begin(storeId, row, beside))) return undefined
        const { details: _, chargeId: __, checkAt: ___, now: ____, ...kept } = row
        const operation: ProviderOperation = {
          ...kept,
          chargeKey: charge.chargeKey,
          externalId: charge.externalId,
          state: "calling",
          captured: 0n,
          refunded: 0n,
          refunding: 0n,
          checks: 0,
          createdAt: now
        }
        return operation
      })

      const postpone = Effect.fnUntraced(function* (storeId: string, operation: ProviderOperation, reason: string) {
        const millis = yield* Clock.currentTimeMillis
        const checkAt = new Date(millis + nextCheckAfter(policy, operation.checks))
        const again = { error: toldReason(reason), checkAt, now: new Date(millis) }
        yield* database.write(storeId)(operations.postpone(storeId, operation, again))
      })

      const callAndSettle = Effect.fnUntraced(function* <Subject, Result, InHand>(
        handler: OutcomeHandler<Subject, Result, InHand>,
        store: StoreContext,
        { begun, inHand }: { readonly begun: BegunOperation; readonly inHand: InHand | undefined }
      ) {
        const { operation, provider, call } = begun
        yield* FaultPoint.hit("payment.begun")
        const answer = yield* Effect.result(call.pipe(answeredInTime(provider, policy)))
        yield* FaultPoint.hit("payment.answered")
        if (answer._tag === "Success")
          return yield* outcomes.settle({ handler, store, operation, inHand }, answer.success)
        yield* postpone(store.id, operation, answer.failure.reason)
        return { _tag: "Unknown" as const }
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
        return { _tag: "Unknown" as const }
      })

      const beginCharge = Effect.fnUntraced(function* (
        subjectType: string,
        store: StoreContext,
        { provider, reference, email, ...asked }: NewCharge,
        beside?: Statement.Fragment
      ) {
        const row = { ...asked, kind: "authorize" as const, subjectType, chargeId: null, provider: provider.code }
        const charge = { chargeKey: asked.chargeKey, externalId: null }
        const operation = yield* written(store.id, row, charge, beside)
        if (operation === undefined) return undefined
        return { operation, provider, call: authorize(provider, store.id, operation, { reference, email }) }
      })

      const begin = Effect.fnUntraced(function* (
        subjectType: string,
        store: StoreContext,
        { charge, ...asked }: NewChange
      ) {
        const provider = providers.byCode(charge.provider)
        if (provider === undefined) return yield* new PaymentMethodUnavailable({ paymentMethod: charge.provider })
        const { id: chargeId, currency } = charge
        const row = { ...asked, subjectType, chargeId, chargeKey: null, provider: provider.code, currency }
        const operation = yield* written(store.id, row, charge)
        if (operation === undefined)
          return yield* Effect.die(new Error(`The ${asked.kind} of ${chargeId} was not begun`))
        return { operation, provider, call: changeCharge(provider, store.id, operation) }
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
    Layer.provide(ProviderOperationRepository.layer)
  )
}
