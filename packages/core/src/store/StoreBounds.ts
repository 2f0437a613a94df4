/**
 * Checks the limits of a store: the number of things of one kind (each room declares its own `StoreBound`), and the
 * size of the data that its products share.
 */
import { Effect } from "effect"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import type { StoreBound } from "../kernel/StoreBound.ts"

/**
 * The most bytes of JSON, in total, of the data that a store's products share and that is read whole: categories,
 * brands, attributes, modifier groups, definitions of metafields, tax classes and rates, shipping classes, promotions.
 * Triggers of their tables keep the sum (`shared_size`, in the migration of the store). Above the limit, only writes
 * that make the sum larger are rejected.
 */
const mostShared = 8_388_608

export const sharedReason =
  `would come to more than ${mostShared} bytes together with the other things that products share ` +
  "(categories, brands, attributes, modifier groups, metafield definitions, classes, tax rates, promotions): " +
  "shorten texts, or delete some"

/** For `constraintViolations` of a statement that writes such data: `thing` is the collection. */
export const sharedSize = (thing: string) => ({
  shared_size: () => FieldRejected.at(thing, sharedReason)
})

/** Why a store that has `count` of these cannot add another; undefined if it can. */
export const fullProblem = ({ most, words }: StoreBound, count: number): string | undefined =>
  count < most ? undefined : `there are ${count} ${words}, which is the most`

/**
 * Called before one more is inserted; count with `countLocked`, so that two requests cannot both take the last place.
 */
export const checkRoom = (bound: StoreBound, count: number): Effect.Effect<void, FieldRejected> => {
  const reason = fullProblem(bound, count)
  return reason === undefined ? Effect.void : FieldRejected.at(bound.field, reason)
}
