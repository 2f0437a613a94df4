/**
 * Looks at a charge: asks its provider for the whole of it, and brings the books to what it says, up or down. Notices,
 * polls and a shopper who comes back are all reasons to look and nothing more, so that it does not matter in which
 * order they come, whether one is lost, or who sent it. If another answer was applied while the provider was asked, it
 * is asked again: the answer that is applied last was given last.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { isOtherThan } from "../payment/chargeSums.ts"
import { Database } from "../database/Database.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { OperationOutcomes, type Settled } from "./OperationOutcomes.ts"
import type { PaymentUnanswered } from "../payment/PaymentErrors.ts"
import type { PaymentMethod } from "../payment/PaymentMethod.ts"
import { PaymentPolicy } from "../payment/PaymentPolicy.ts"
import type { Charge } from "../payment/PaymentProvider.ts"
import { PaymentProviders } from "../payment/PaymentProviders.ts"
import { answeredInTime } from "../payment/answeredInTime.ts"
import { keyOf, type ProviderOperation } from "./ProviderOperation.ts"
import { ProviderOperationRepository } from "./ProviderOperationRepository.ts"

/** How often a look is repeated at once before it is left to the schedule. */
const mostRepeats = 3

/**
 * What a look has found. `NotSetUp`: the provider, or this account of it, is not configured any more. `Busy`: others
 * apply answers all the time; the schedule looks again. `Gone`: there is no such operation.
 */
export type Looked =
  | { readonly _tag: "Settled"; readonly settled: Settled<unknown>; readonly charge: Charge }
  | { readonly _tag: "Processing" }
  | { readonly _tag: "Absent"; readonly operation: ProviderOperation }
  | { readonly _tag: "NotSetUp" }
  | { readonly _tag: "Busy" }
  | { readonly _tag: "Gone" }

export class ChargeLooks extends Context.Service<ChargeLooks>()("@effect-commerce/core/charge/ChargeLooks", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const operations = yield* ProviderOperationRepository
    const providers = yield* PaymentProviders
    const outcomes = yield* OperationOutcomes
    const policy = yield* PaymentPolicy

    /** Refunds of ours that the charge shows settle their operations, whoever told us to look. */
    const settleRefunds = Effect.fnUntraced(function* (store: StoreContext, charge: ProviderOperation, seen: Charge) {
      const ours = new Map(seen.refunds.flatMap(({ key, status }) => (key === null ? [] : [[key, status] as const])))
      if (ours.size === 0) return
      for (const change of yield* operations.changesUnderWay(store.id, charge.id)) {
        const handler = outcomes.handlerOf(change.subjectType)
        const status = ours.get(keyOf(change))
        // One that is still pending is no news: its own schedule goes on.
        if (handler !== undefined && status !== undefined && status !== change.state)
          yield* outcomes.settle({ handler, store, operation: change }, { _tag: "Answered", charge: seen })
      }
    })

    /** Applies an answer to the charge that was requested when the operation was as given. */
    const apply = Effect.fnUntraced(function* (store: StoreContext, operation: ProviderOperation, charge: Charge) {
      const handler = outcomes.handlerOf(operation.subjectType)
      if (handler === undefined)
        return yield* Effect.die(new Error(`This release has no room for payments of a ${operation.subjectType}`))
      // First: a change that is settled leaves its charge to be looked at, which is done by what follows.
      if (!isOtherThan(operation, charge)) yield* settleRefunds(store, operation, charge)
      return yield* outcomes.settle({ handler, store, operation }, { _tag: "Answered", charge })
    })

    const lookup = ({ provider, account }: PaymentMethod, { chargeKey, externalId }: ProviderOperation) =>
      answeredInTime(provider, policy)(provider.lookup(account, { key: chargeKey, externalId }))

    const look = Effect.fnUntraced(function* (
      store: StoreContext,
      chargeKey: string,
      repeats: number
    ): Effect.fn.Return<Looked, PaymentUnanswered> {
      const operation = yield* operations.findByKey(store.id, chargeKey)
      if (operation === undefined) return { _tag: "Gone" }
      const method = yield* providers.ofOperation(store.id, operation)
      if (method === undefined) return { _tag: "NotSetUp" }
      const found = yield* lookup(method, operation)
      if (found._tag === "Processing") return found
      if (found._tag === "Absent") return { _tag: "Absent", operation }
      const settled = yield* apply(store, operation, found.charge)
      if (settled._tag !== "Overlapped") return { _tag: "Settled", settled, charge: found.charge }
      return repeats < mostRepeats ? yield* look(store, chargeKey, repeats + 1) : { _tag: "Busy" }
    })

    return {
      apply,
      /** Asks for the whole charge, and applies nothing. */
      lookup,
      /** Whether we have this charge, by our key. */
      find: operations.findByKey,
      /** The charge of a store with this id at the provider. */
      findByExternalId: operations.findByExternalId,
      /** Asks the provider of this charge, and applies what it says. */
      look: (store: StoreContext, chargeKey: string) => look(store, chargeKey, 0),
      /**
       * For a shopper who has come back: looks, unless somebody has just looked. A provider that is silent changes
       * nothing.
       */
      lookOnReturn: Effect.fn("ChargeLooks.lookOnReturn")(function* (store: StoreContext, subjectId: string) {
        const operation = yield* operations.openOf(store.id, subjectId)
        if (operation?.state !== "awaiting_shopper") return
        const now = yield* Clock.currentTimeMillis
        const lease = { now: new Date(now), end: new Date(now + policy.outcomeLease) }
        const isOurs = yield* database.write(store.id)(
          operations.claimLook(store.id, operation.id, lease, new Date(now - policy.returnPause))
        )
        if (isOurs) yield* Effect.ignore(look(store, operation.chargeKey, 0))
      })
    }
  })
}) {
  static readonly layer = Layer.effect(ChargeLooks, ChargeLooks.make).pipe(
    Layer.provide(ProviderOperationRepository.layer)
  )
}
