/**
 * How a route's declaration says which version its writes are judged by. The version of a resource is its `updatedAt`,
 * as every answer shows it. Preconditions.ts reads the headers and judges them.
 */
import type { VersionedResource } from "@effect-commerce/core/CommerceRooms"

export type Versioned =
  /** Judged before the endpoint runs, under the row's lock. `ids` are the path parameters of its key, its own last. */
  | { readonly by: "row"; readonly resource: VersionedResource; readonly ids: ReadonlyArray<string> }
  /** Judged by the use case, which locks the row in its own order and knows whether the caller may see it. */
  | { readonly by: "useCase" }

/** The route ignores If-Match and If-Unmodified-Since, for this reason. */
export interface Unversioned {
  readonly by: "nothing"
  readonly why: string
}

/** The version of one row, named by path parameters: `row("variant", "id", "variantId")`. */
export const row = (resource: VersionedResource, ...ids: ReadonlyArray<string>): Versioned => ({
  by: "row",
  resource,
  ids
})

export const useCase: Versioned = { by: "useCase" }

export const unversioned = (why: string): Unversioned => ({ by: "nothing", why })

/** Stands in `row` where a path parameter would: the id of the customer who is signed in. */
export const signedIn = "signed-in customer"

/** How a route's version is judged, or undefined where it has none. */
export const versionOf = ({ version }: { readonly version?: Versioned | Unversioned }): Versioned | undefined =>
  version === undefined || version.by === "nothing" ? undefined : version
