/**
 * The texts around the operations of the API document: the introduction that opens the reference page, and what each
 * group of tags is for. Markdown; the description of a single tag stands at its group of endpoints.
 */
import type { Part } from "../middleware/ApiGroup.ts"
import { admin } from "./introduction/Admin.ts"
import { changelog } from "./introduction/Changelog.ts"
import { requests } from "./introduction/Requests.ts"
import { start } from "./introduction/Start.ts"
import { storefront } from "./introduction/Storefront.ts"

/** A group of tags in the reference page: one part of the interface. */
export interface TagGroup {
  readonly name: Part
  readonly description: string
}

/** In the order in which the reference page shows them. */
export const tagGroups: ReadonlyArray<TagGroup> = [
  {
    name: "Storefront",
    description:
      "What a storefront calls, under `/vc/{salesChannelId}`: products, carts, checkouts, orders, customer accounts. " +
      "The sales channel in the path and the page's Origin are the only credential; a signed-in customer adds a " +
      "token."
  },
  {
    name: "Admin",
    description:
      "What a merchant's own servers call, under `/v1`: the whole store. Every request needs an admin API key that " +
      "has the scope of the route. Never call these routes from a browser."
  },
  {
    name: "Public",
    description:
      "A read-only catalogue under `/stores/{storeId}`, for pages that only show products. It needs no credential, " +
      "but the Origin header must be present."
  },
  {
    name: "Dashboard",
    description:
      "Routes that a merchant's dashboard uses: log-in under `/auth`, and what people do for a store under " +
      "`/stores/{storeId}` and `/coupons`. They take a person's session, or an admin API key with the matching " +
      "scope. They are not part of the stable contract."
  },
  {
    name: "Apps",
    description:
      "Apps that a merchant installs, under `/v1/installations`. Below its own installation an app uses its token, " +
      "`app_inst_…`, which has the scopes of its manifest and opens nothing else: `x-app-scope` of a route says " +
      "which it needs. An admin API key with `installations:read` or `installations:write` opens these routes too."
  },
  {
    name: "System",
    description: "Whether the server is alive and ready. These routes need no credential and have no rate limit."
  }
]

/** What opens the reference page: Markdown, a chapter a file. */
export const introduction = [start, storefront, admin, requests, changelog].join("\n")

/** The introduction of an API that is reached below `basePath`. Its samples name the address of an example. */
export const introductionAt = (basePath: string): string =>
  introduction
    .replaceAll("https://commerce.example/api", `https://commerce.example${basePath}`)
    .replace("followed by `/api`", basePath === "" ? "itself" : `followed by \`${basePath}\``)
