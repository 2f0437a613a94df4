/**
 * A group of routes as the API document shows it: under which part of the interface it stands, what it is called and
 * what it is for. A room's endpoints are added to what `apiGroup` returns.
 */
import { Context } from "effect"
import { HttpApiGroup } from "effect/http-api"

/** The parts of the interface, in the order in which a reader meets them. */
export const parts = ["Storefront", "Admin", "Public", "Dashboard", "Apps", "System"] as const
export type Part = (typeof parts)[number]

export interface GroupFacts {
  readonly part: Part
  /** What a person calls it; unique among all groups. */
  readonly title: string
  /** One or two sentences: what these routes are for. */
  readonly description: string
}

export class GroupDocument extends Context.Service<GroupDocument, GroupFacts>()(
  "@effect-commerce/handler/middleware/GroupDocument"
) {}

/** A group without endpoints. `id` begins the operation ids: `cart.addItem`. */
export const apiGroup = <const Id extends string>(id: Id, facts: GroupFacts) =>
  HttpApiGroup.make(id).annotate(GroupDocument, facts)
