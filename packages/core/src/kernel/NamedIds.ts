/** Ids that a body names in its fields: each must be one of the store's. */
import { Effect } from "effect"
import { type FieldRejected, rejectFields } from "./FieldRejected.ts"

/** Where things of a store are looked up by their ids. */
export interface StoreIds {
  /** Those of the ids that the store has. */
  readonly existing: (storeId: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
}

/** A field of a body, and the id that it names. */
export type NamedId = readonly [field: string, id: string | null | undefined]

/** Rejects each field whose id the store does not have; `kind` says of what it is an id, such as "product". */
export const checkNamedIds = (
  { existing }: StoreIds,
  storeId: string,
  kind: string,
  named: ReadonlyArray<NamedId>
): Effect.Effect<void, FieldRejected> => {
  const ids = [...new Set(named.flatMap(([, id]) => id ?? []))]
  if (ids.length === 0) return Effect.void
  return Effect.flatMap(existing(storeId, ids), (known) => {
    const unknown = named.filter(([, id]) => typeof id === "string" && !known.has(id))
    return rejectFields(Object.fromEntries(unknown.map(([field]) => [field, `is not a ${kind} of this store`])))
  })
}
