/** Which routes have a limit of their own, and how much it is: the declarations beside the contract. */
import { tierLimits } from "@effect-commerce/core/identity/ApiKey"
import { describe, expect, it } from "vitest"
import { Api } from "../../src/Api.ts"
import { routesOf } from "../../src/middleware/routesOf.ts"

const minute = 60_000
const routes = routesOf(Api)
const capped = routes.filter(({ policy }) => policy.cap !== undefined)
const nameOf = ({ method, path }: { readonly method: string; readonly path: string }) =>
  `${method} ${path.replace(/^\/api/, "").replaceAll(/:\w+/g, "{}")}`

/** Requests of one address in a minute. */
const caps: Readonly<Record<string, number>> = {
  "POST /vc/{}/customers/register": 5,
  "POST /vc/{}/customers/login": 5,
  "GET /vc/{}/customers/oauth/{}/authorize": 5,
  "POST /vc/{}/customers/oauth/{}/callback": 5,
  "POST /vc/{}/customers/forgot-password": 3,
  "POST /vc/{}/customers/reset-password": 3,
  "POST /vc/{}/customers/verify-email": 3,
  "POST /vc/{}/customers/resend-verification": 3,
  "POST /vc/{}/customers/logout": 3,
  "POST /vc/{}/customers/change-password": 3,
  "DELETE /vc/{}/customers/me": 3,
  "POST /auth/login": 5,
  "POST /auth/invitations/accept": 5,
  "POST /auth/forgot-password": 3,
  "POST /auth/reset-password": 3,
  "POST /vc/{}/cart/{}/coupon": 10,
  "POST /vc/{}/checkout/{}/coupon": 10,
  "POST /v1/cart/{}/coupon": 10,
  "POST /vc/{}/checkout/{}/gift-card": 5,
  "POST /vc/{}/gift-cards/balance": 5,
  "POST /vc/{}/products/{}/reviews": 3,
  "POST /vc/{}/stock-alerts": 5,
  "POST /vc/{}/customization-upload": 10,
  "POST /vc/{}/products/{}/review-photo": 10,
  "POST /vc/{}/orders/guest/downloads": 10,
  "POST /vc/{}/newsletter/subscribe": 5,
  "POST /vc/{}/newsletter/confirm": 10,
  "POST /vc/{}/bot/summarize": 10
}

describe("the routes with a limit of their own", () => {
  it("are these, each with this many requests of an address in a minute", () => {
    const declared = routes.map((route) => [nameOf(route), route.policy.cap?.limit] as const)
    expect(declared.filter(([name, limit]) => limit !== caps[name])).toEqual([])
    expect(capped.filter(({ policy }) => policy.cap?.ms !== minute).map(nameOf)).toEqual([])
  })

  it("take a password, a code, a token or a file, or have a mail sent: whoever may read is held by the address alone", () => {
    expect(capped.filter(({ method, path }) => method === "GET" && !path.endsWith("/authorize")).map(nameOf)).toEqual(
      []
    )
  })

  it("say so in their description, where a shopper tries codes", () => {
    const tries = capped.filter(({ path }) => /coupon|gift-card/.test(path))
    expect(tries.length).toBe(5)
    for (const { policy } of tries)
      expect(policy.description).toMatch(new RegExp(`At most ${policy.cap?.limit} \\w+ a minute`))
  })
})

describe("the tiers of keys", () => {
  it("allow this many requests a minute", () => {
    expect(tierLimits).toEqual({ FREE: 60, PRO: 500, GROWTH: 2_000, ENTERPRISE: 10_000 })
  })
})
