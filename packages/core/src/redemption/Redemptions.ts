/**
 * Uses of rules and coupons, counted exactly: an order uses each source once, and a checkout whose payment is under way
 * holds a use. Concurrent orders cannot exceed a limit: a transaction locks the row of the source's counter before it
 * counts.
 */
import { Context, Effect, Layer } from "effect"
import type { ClaimError } from "../claim/ClaimErrors.ts"
import type { Claim, ClaimKind } from "../claim/ClaimKind.ts"
import { lockThenRead } from "../database/Repository.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { RedemptionRepository, type Uses, type UsesBy } from "./RedemptionRepository.ts"

export interface UseLimits {
  /** How many orders may use it; null is without limit. */
  readonly usageLimit: number | null
  /** How many orders of one customer may use it; null is without limit. */
  readonly usageLimitPerCustomer: number | null
}

export interface LimitedKind<Limits extends UseLimits> {
  /** As its AdjustmentSource calls its discounts. */
  readonly kind: string
  /** Reads the limits of a source as they are now; undefined: it is not counted at all. */
  readonly limits: (storeId: string, sourceId: string) => Effect.Effect<Limits | undefined>
  /** The error of a limit that is reached: by this customer, or by all. */
  readonly usedUp: (limits: Limits, claim: Claim, byCustomer: boolean) => ClaimError
}

/** Which limit is reached; undefined where one more use is allowed. */
export const reachedLimit = (
  { usageLimit, usageLimitPerCustomer }: UseLimits,
  { uses, byCustomer }: Uses
): "usage_limit" | "customer_limit" | undefined => {
  if (usageLimit !== null && uses >= usageLimit) return "usage_limit"
  return usageLimitPerCustomer !== null && byCustomer >= usageLimitPerCustomer ? "customer_limit" : undefined
}

export class Redemptions extends Context.Service<Redemptions>()("@effect-commerce/core/redemption/Redemptions", {
  make: Effect.gen(function* () {
    const repository = yield* RedemptionRepository

    /** How the orders claim uses of one kind of source. */
    const kindOf = <Limits extends UseLimits>({ kind, limits, usedUp }: LimitedKind<Limits>): ClaimKind => {
      /** Locks and counts; returns whether it is counted. Fails where a limit is reached. */
      const check = Effect.fnUntraced(function* (storeId: string, claim: Claim) {
        const { sourceId } = claim
        const found = yield* limits(storeId, sourceId)
        if (found === undefined) return false
        const source = { storeId, kind, sourceId }
        if (found.usageLimit === null && found.usageLimitPerCustomer === null) return true
        const [, uses] = yield* lockThenRead(repository.lock(source), repository.uses(source, claim))
        const isAnonymous = found.usageLimitPerCustomer !== null && claim.customerId === null
        const reached = isAnonymous ? "customer_limit" : reachedLimit(found, uses)
        if (reached !== undefined) return yield* Effect.fail(usedUp(found, claim, reached === "customer_limit"))
        return true
      })
      return {
        kind,
        hold: (store, claim) =>
          Effect.flatMap(check(store.id, claim), (isCounted) =>
            isCounted ? repository.hold({ storeId: store.id, kind, sourceId: claim.sourceId }, claim) : Effect.void
          ),
        spend: (store, claim) =>
          Effect.flatMap(check(store.id, claim), (isCounted) =>
            isCounted ? repository.spend({ storeId: store.id, kind, sourceId: claim.sourceId }, claim) : Effect.void
          ),
        release: (store, holderId) => repository.release(store.id, kind, holderId),
        // An order that was paid keeps its uses, also where it is refunded: it was priced with them.
        giveBack: (store, { sourceId, orderId }) => {
          const source = { storeId: store.id, kind, sourceId }
          return Effect.as(Effect.andThen(repository.lock(source), repository.giveBack(source, orderId)), null)
        }
      }
    }

    return {
      kindOf,
      /** How often sources of a kind are used already, by their ids: for quotes. One statement. */
      usesOf: (store: StoreContext, kind: string, sourceIds: ReadonlyArray<string>, by: UsesBy) =>
        repository.usesOfAll(store.id, kind, sourceIds, by)
    }
  })
}) {
  static readonly layer = Layer.effect(Redemptions, Redemptions.make).pipe(Layer.provide(RedemptionRepository.layer))
}
