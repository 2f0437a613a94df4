/**
 * The roles of people in a store's team, and what each may do. A route belongs to one area; the last segments of its
 * path say which (`areaOf`).
 */
import { Schema } from "effect"

export const teamRoles = ["owner", "admin", "staff"] as const
export const TeamRole = Schema.Literals(teamRoles)
export type TeamRole = typeof TeamRole.Type

/** Parts of the dashboard's work. `shop` is everything that the others do not name. */
export const dashboardAreas = ["shop", "settings", "domains", "providers", "keys", "team", "ownership"] as const
export type DashboardArea = (typeof dashboardAreas)[number]

/** What each area is, for people. */
export const areaWords: Readonly<Record<DashboardArea, string>> = {
  shop: "the daily work: orders, coupons, e-mail templates, webhooks",
  settings: "settings of the store and of its e-mails",
  domains: "domains that mails come from",
  providers: "payment and login providers",
  keys: "API keys",
  team: "who is in the team, and in which role",
  ownership: "who owns the store, and deleting it"
}

const rights: Readonly<Record<TeamRole, ReadonlySet<DashboardArea>>> = {
  owner: new Set(dashboardAreas),
  admin: new Set(dashboardAreas.filter((area) => area !== "ownership")),
  staff: new Set<DashboardArea>(["shop"])
}

export const roleMay = (role: TeamRole, area: DashboardArea): boolean => rights[role].has(area)

/** Segments of paths that stand for an area of their own. */
const areaOfSegment: ReadonlyMap<string, DashboardArea> = new Map([
  ["settings", "settings"],
  ["domains", "domains"],
  ["payment-providers", "providers"],
  ["oauth-providers", "providers"],
  ["api-keys", "keys"],
  ["team", "team"]
])

/** The area of a route of the dashboard, by its path. */
export const areaOf = (path: string): DashboardArea => {
  for (const segment of path.split("/")) {
    const area = areaOfSegment.get(segment)
    if (area !== undefined) return area
  }
  return "shop"
}
