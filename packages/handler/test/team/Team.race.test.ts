import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { addOwner, joinAs, knownToken, logIn, type Member, ownerOf, password, queryOf, tokenOf } from "./desk.ts"

let shop: TestCommerce

beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
})
afterAll(() => shop.close())

const counted = (statuses: ReadonlyArray<number>) => [...statuses].sort()

describe("two owners at once", () => {
  it.each([1, 2, 3, 4, 5])("who demote or remove each other leave one owner (%i)", async (round) => {
    const at = await shop.openStore()
    const first = await ownerOf(shop, at, `first${round}@example.com`)
    const second = await joinAs(shop, at, first, `second${round}@example.com`, "owner")
    const { body } = await shop.call("GET", `/stores/${at.storeId}/team`, { key: first })
    const ada = body.data.find(({ email }: Member) => email.startsWith("first")).id
    const path = (id: string) => `/stores/${at.storeId}/team/${id}`
    const answers = await Promise.all([
      shop.call("PATCH", path(second.memberId), { key: first, body: { role: "staff" } }),
      shop.call("DELETE", path(ada), { key: second.token })
    ])
    const statuses = counted(answers.map(({ status }) => status))
    expect(statuses[0]).toBe(200)
    // The other one was no owner any more, or was removed, when its turn came.
    expect([403, 404]).toContain(statuses[1])
    const owners = await queryOf(
      shop,
      `SELECT count(*)::int AS n FROM team_member WHERE store_id = '${at.storeId}' AND role = 'owner'`
    )
    expect(owners).toEqual([{ n: 1 }])
  })

  it.each([1, 2, 3])("who both leave leave one behind (%i)", async (round) => {
    const at = await shop.openStore()
    const first = await ownerOf(shop, at, `leave${round}@example.com`)
    const second = await joinAs(shop, at, first, `stay${round}@example.com`, "owner")
    const { body } = await shop.call("GET", `/stores/${at.storeId}/team`, { key: first })
    const ada = body.data.find(({ email }: Member) => email.startsWith("leave")).id
    const path = (id: string) => `/stores/${at.storeId}/team/${id}`
    const answers = await Promise.all([
      shop.call("DELETE", path(ada), { key: first }),
      shop.call("DELETE", path(second.memberId), { key: second.token })
    ])
    expect(counted(answers.map(({ status }) => status))).toEqual([200, 409])
  })
})

describe("one invitation", () => {
  it("that is accepted five times at once makes one member", async () => {
    const at = await shop.openStore()
    const owner = await ownerOf(shop, at, "host@example.com")
    const invited = await shop.call("POST", `/stores/${at.storeId}/team`, {
      key: owner,
      body: { email: "guest@example.com", role: "staff" }
    })
    const token = await knownToken(shop, "team_member", `id = '${invited.body.id}'`)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => shop.call("POST", "/auth/invitations/accept", { body: { token, password } }))
    )
    expect(counted(answers.map(({ status }) => status))).toEqual([200, 400, 400, 400, 400])
    expect(
      await queryOf(shop, "SELECT count(*)::int AS n FROM dashboard_user WHERE email = 'guest@example.com'")
    ).toEqual([{ n: 1 }])
  })

  it("of two stores makes one person, with one password", async () => {
    const stores = [await shop.openStore(), await shop.openStore()]
    const tokens = await Promise.all(
      stores.map(async (at, n) => {
        const owner = await ownerOf(shop, at, `owner-of-${n}@example.com`)
        const { body } = await shop.call("POST", `/stores/${at.storeId}/team`, {
          key: owner,
          body: { email: "both@example.com", role: "staff" }
        })
        return knownToken(shop, "team_member", `id = '${body.id}'`)
      })
    )
    const passwords = ["F1rst-Password!", "S3cond-Password!"]
    const answers = await Promise.all(
      tokens.map((token, n) =>
        shop.call("POST", "/auth/invitations/accept", { body: { token, password: passwords[n] } })
      )
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const logins = await Promise.all(passwords.map((one) => logIn(shop, "both@example.com", one)))
    expect(counted(logins.map(({ status }) => status))).toEqual([200, 401])
    expect(logins.find(({ status }) => status === 200)?.body.user.stores).toHaveLength(2)
  })
})

describe("a reset of the password", () => {
  it("leaves no session behind that the old password has opened meanwhile", async () => {
    await addOwner(shop, shop, "swift@example.com")
    for (let round = 0; round < 5; round++) {
      const [old, next] = [`${password}${round === 0 ? "" : round - 1}`, `${password}${round}`]
      await shop.call("POST", "/auth/forgot-password", { body: { email: "swift@example.com" } })
      const where = "user_id = (SELECT id FROM dashboard_user WHERE email = 'swift@example.com')"
      const token = await knownToken(shop, "dashboard_reset", where)
      const answers = await Promise.all([
        shop.call("POST", "/auth/reset-password", { body: { token, newPassword: next } }),
        ...Array.from({ length: 4 }, () => logIn(shop, "swift@example.com", old))
      ])
      expect(answers[0]?.status).toBe(200)
      const open = await queryOf(
        shop,
        `SELECT count(*)::int AS n FROM dashboard_session WHERE ended_at IS NULL AND ${where}`
      )
      expect(open).toEqual([{ n: 0 }])
    }
    expect(await tokenOf(shop, "swift@example.com").catch(() => "none")).toBe("none")
  })
})
