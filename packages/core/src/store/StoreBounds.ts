/**
 * How many of each thing a store may have, where all of them are read at once, compiled, or told of an event. Generous:
 * far beyond what a large shop needs, far below what one process or one statement would feel. What is in a room of its
 * own (shipping, tax rates, carts) has its bounds there; all of them are listed in docs/bounds.md.
 */
import { Effect } from "effect"
import { FieldRejected } from "../kernel/FieldRejected.ts"

export const storeBounds = {
  /** The tree is read whole. */
  categories: 5_000,
  /** Storefronts read them whole. */
  brands: 10_000,
  salesChannels: 200,
  regions: 500,
  /**
   * That work: those that were revoked or have ended do not count. Keys for a whole account are counted by themselves,
   * for the account.
   */
  apiKeys: 500,
  /** Each event goes to all that want it. */
  webhookSubscriptions: 100,
  emailTemplates: 1_000,
  taxClasses: 1_000,
  shippingClasses: 1_000,
  /** Storefronts read all, and a process keeps them. */
  metafieldDefinitions: 200,
  /** Facets count the values of all of them, of each product. */
  filterableMetafields: 50,
  /** Storefronts and statements that compose products read the names of all of them. */
  attributes: 500,
  attributeOptions: 10_000,
  modifierGroups: 500,
  /** Bulk calls whose products are not all created yet. */
  imports: 50
} as const

export type BoundedThing = keyof typeof storeBounds

/**
 * Bytes of JSON of what a store's products share and what is read whole, together: categories, brands, attributes,
 * modifier groups, definitions of metafields, tax classes and rates, shipping classes. Triggers of their tables keep
 * the sum (`shared_size`, in the migration of the store); what makes it larger is refused above it, and nothing else.
 */
export const mostShared = 8_388_608

export const sharedReason =
  `would come to more than ${mostShared} bytes together with the other things that products share ` +
  "(categories, brands, attributes, modifier groups, metafield definitions, classes and tax rates): " +
  "shorten texts, or delete some"

/** For `constraintViolations` of a statement that writes one of them: `thing` is the collection. */
export const sharedSize = (thing: string) => ({
  shared_size: () => FieldRejected.at(thing, sharedReason)
})

const words: Readonly<Record<BoundedThing, string>> = {
  categories: "categories",
  brands: "brands",
  salesChannels: "sales channels",
  regions: "regions",
  apiKeys: "API keys",
  webhookSubscriptions: "webhook subscriptions",
  emailTemplates: "e-mail templates",
  taxClasses: "tax classes",
  shippingClasses: "shipping classes",
  metafieldDefinitions: "metafield definitions",
  filterableMetafields: "filterable metafield definitions",
  attributes: "attributes",
  attributeOptions: "options of attributes",
  modifierGroups: "modifier groups",
  imports: "bulk calls under way"
}

/** Why a store that has `count` of them gets no other; undefined where there is room. */
export const fullProblem = (thing: BoundedThing, count: number): string | undefined =>
  count < storeBounds[thing] ? undefined : `there are ${count} ${words[thing]}, which is the most`

export const checkRoom = (thing: BoundedThing, count: number): Effect.Effect<void, FieldRejected> => {
  const reason = fullProblem(thing, count)
  return reason === undefined ? Effect.void : FieldRejected.at(thing, reason)
}
