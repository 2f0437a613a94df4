/** Ids in the fields of a body: each must exist in the store. */
import { Effect } from "effect"
import { type FieldRejected, rejectFields } from "./FieldRejected.ts"

/** Looks up resources of a store by their ids. */
export interface StoreIds {
  /** The ids that exist in the store. */
  readonly existing: (storeId: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
}

/** A field of a body, and the id in it. */
export type NamedId = readonly [field: string, id: string | null | undefined]

/** Rejects each field whose id does not exist in the store; `kind` is the resource, such as "product". */
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
