/**
 * Scopes of admin keys: `<resource>:read`, `<resource>:write`, and `<resource>:*` for both (operations.md, Scopes). `*`
 * cannot be minted and `*:read` matches nothing. A route under `/v1` needs the resource that the first segment of its
 * path names (`scopeOf` of the handler): a route whose resource is not listed here does not start.
 */
import { listed, named } from "../kernel/Fields.ts"

export const resources = [
  "store",
  "products",
  "categories",
  "brands",
  "attributes",
  "metafields",
  "media",
  "inventory",
  "tax",
  "shipping",
  "coupons",
  "promotions",
  "gift-cards",
  "loyalty",
  "reviews",
  "regions",
  "cart",
  "checkout",
  "orders",
  "customers",
  "oauth-providers",
  "email",
  "webhooks",
  "api-keys",
  "sales-channels",
  "installations",
  "events",
  "metrics"
] as const
export type Resource = (typeof resources)[number]

/** What a key may be given: a resource with `read`, `write` or `*` for both. */
export const mintableScopes: ReadonlyArray<string> = resources.flatMap((resource) =>
  ["read", "write", "*"].map((action) => `${resource}:${action}`)
)

/** A scope on the wire. */
export const ScopeName = named(
  "Scope",
  "A resource of the API with `read`, `write` or `*` for both. The introduction lists what each resource is for.",
  listed(mintableScopes)
)

export type Scope = `${Resource}:${"read" | "write"}`

const known: ReadonlySet<string> = new Set(resources)

export const isResource = (name: string): name is Resource => known.has(name)

/** Whether a key may be minted with it. */
export const isMintable = (scope: string): boolean => mintableScopes.includes(scope)

/** Whether `granted` covers `needed`. */
export const grants = (granted: ReadonlyArray<string>, needed: string): boolean => {
  const resource = needed.slice(0, needed.indexOf(":"))
  return granted.includes(needed) || granted.includes(`${resource}:*`)
}

/** Every resource with both actions: what `init` mints. */
export const everyScope: ReadonlyArray<string> = resources.map((resource) => `${resource}:*`)
