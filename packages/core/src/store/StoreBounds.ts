/**
 * Checks of how much a store may have: the number of things of one kind (each room declares its own `StoreBound`), and
 * the size of what its products share.
 */
import { Effect } from "effect"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import type { StoreBound } from "../kernel/StoreBound.ts"

/**
 * Bytes of JSON of what a store's products share and what is read whole, together: categories, brands, attributes,
 * modifier groups, definitions of metafields, tax classes and rates, shipping classes. Triggers of their tables keep
 * the sum (`shared_size`, in the migration of the store); what makes it larger is refused above it, and nothing else.
 */
const mostShared = 8_388_608

export const sharedReason =
  `would come to more than ${mostShared} bytes together with the other things that products share ` +
  "(categories, brands, attributes, modifier groups, metafield definitions, classes and tax rates): " +
  "shorten texts, or delete some"

/** For `constraintViolations` of a statement that writes one of them: `thing` is the collection. */
export const sharedSize = (thing: string) => ({
  shared_size: () => FieldRejected.at(thing, sharedReason)
})

/** Why a store that has `count` of them gets no other; undefined where there is room. */
export const fullProblem = ({ most, words }: StoreBound, count: number): string | undefined =>
  count < most ? undefined : `there are ${count} ${words}, which is the most`

/** Before one more is written; count with `countLocked`, so that two requests cannot both take the last place. */
export const checkRoom = (bound: StoreBound, count: number): Effect.Effect<void, FieldRejected> => {
  const reason = fullProblem(bound, count)
  return reason === undefined ? Effect.void : FieldRejected.at(bound.field, reason)
}
