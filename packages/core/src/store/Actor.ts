/**
 * Who does what is being done: the handler names the caller of a request, and whatever nobody calls is the system's
 * doing. Rows about what people do keep it with the change, so that a history can tell it afterwards.
 */
import { Context, Schema } from "effect"
import { nullableString, oneOf } from "../kernel/Fields.ts"

const actorTypes = ["key", "user", "customer", "provider", "system"] as const

/** Where a change came from: this API, a payment provider's own dashboard, or a shopper's browser. */
export const actorSources = ["service", "provider", "storefront"] as const
export type ActorSource = (typeof actorSources)[number]

/** The order of the fields is that of stored actors. */
export const Actor = Schema.Struct({
  type: oneOf(
    actorTypes,
    "Who it was: an admin `key`, a `user` of the dashboard, a `customer` or guest of a storefront, a payment " +
      "`provider`, or the `system` by itself."
  ),
  id: nullableString(
    "Id of the key, user, customer or provider; null for a guest and for the system.",
    "key_01k9f3m2q7x4b8n6c5d1e0h2jk"
  ),
  name: nullableString("Its name when it happened, such as that of the key; null where there is none.", "erp")
}).annotate({ identifier: "Actor", description: "Who did something." })
export interface Actor {
  readonly type: (typeof actorTypes)[number]
  readonly id: string | null
  readonly name: string | null
}

export const systemActor: Actor = { type: "system", id: null, name: null }

/** A shopper who is not signed in. */
export const guestActor: Actor = { type: "customer", id: null, name: null }

/** A payment provider, by its code. */
export const providerActor = (code: string): Actor => ({ type: "provider", id: code, name: code })

export const CurrentActor = Context.Reference<Actor>("@effect-commerce/core/store/CurrentActor", {
  defaultValue: () => systemActor
})

export const sourceOf = ({ type }: Actor): ActorSource =>
  type === "provider" ? "provider" : type === "customer" ? "storefront" : "service"
