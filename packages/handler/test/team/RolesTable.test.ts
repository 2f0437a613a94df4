import { readFileSync } from "node:fs"
import { areaOf, areaWords, dashboardAreas, roleMay, teamRoles } from "@effect-commerce/core/team/TeamRole"
import { describe, expect, it } from "vitest"
import { Api } from "../../src/Api.ts"
import { routesOf } from "../../src/middleware/routesOf.ts"

const guide = readFileSync(new URL("../../../../docs/guides/dashboard.md", import.meta.url), "utf8")

/** Cells of the rows of a table, after its head. */
const rowsUnder = (heading: string): ReadonlyArray<ReadonlyArray<string>> =>
  (guide.split(`## ${heading}\n`)[1] ?? "")
    .split("\n## ")[0]!
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim())
    )

describe("the roles", () => {
  it("are in the guide as they are in the code", () => {
    expect(rowsUnder("Roles")).toEqual(
      dashboardAreas.map((area) => [
        `\`${area}\``,
        areaWords[area],
        ...teamRoles.map((role) => (roleMay(role, area) ? "yes" : "no"))
      ])
    )
  })

  it("open routes by their paths", () => {
    const areas = routesOf(Api).flatMap(({ method, path, policy }) =>
      policy.area === undefined || policy.area === "shop" ? [] : [`${policy.area}: ${method} ${path}`]
    )
    expect(areas).toEqual(
      expect.arrayContaining([
        "settings: GET /api/stores/:storeId/email/settings",
        "settings: PUT /api/stores/:storeId/email/settings",
        "team: GET /api/stores/:storeId/team",
        "team: POST /api/stores/:storeId/team",
        "team: PATCH /api/stores/:storeId/team/:id",
        "team: DELETE /api/stores/:storeId/team/:id"
      ])
    )
    expect(
      ["/stores/x/email/domains", "/stores/x/payment-providers", "/stores/x/oauth-providers/y"].map(areaOf)
    ).toEqual(["domains", "providers", "providers"])
    expect(["/stores/x/api-keys", "/coupons", "/orders/x/refunds"].map(areaOf)).toEqual(["keys", "shop", "shop"])
  })
})
