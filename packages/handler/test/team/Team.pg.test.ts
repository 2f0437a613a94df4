import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"
import {
  addOwner,
  advance,
  coded,
  joinAs,
  knownToken,
  logIn,
  mailsTo,
  type Member,
  ownerOf,
  password,
  queryOf,
  tokenOf
} from "./desk.ts"

let shop: TestCommerce
let owner: string

beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  owner = await ownerOf(shop, shop, "ada@example.com")
})
afterAll(() => shop.close())

const team = (at: TestStore = shop) => `/stores/${at.storeId}/team`
const invite = (key: string, email: string, role: string, at: TestStore = shop) =>
  shop.call("POST", team(at), { key, body: { email, role } })
const accept = (body: object) => shop.call("POST", "/auth/invitations/accept", { body })
const invitationOf = (id: string) => knownToken(shop, "team_member", `id = '${id}'`)
const rowsOf = () => queryOf(shop, "SELECT id, email, role, user_id, updated_at FROM team_member ORDER BY id")

describe("an invitation", () => {
  it("makes a new person a member, who chooses the password", async () => {
    const { status, body } = await invite(owner, " Grace@Example.com ", "staff")
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^team_/),
        storeId: shop.storeId,
        userId: null,
        email: "grace@example.com",
        name: null,
        role: "staff",
        status: "invited",
        invitedBy: "Ada",
        expiresAt: expect.stringMatching(/Z$/),
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/)
      }
    ])
    const [mail] = await mailsTo(shop, shop, "grace@example.com")
    expect([mail?.eventType, mail?.subject, mail?.text.includes("/dashboard/invitation?token=")]).toEqual([
      "TEAM_INVITATION",
      "Ada invites you to Test store",
      true
    ])
    const token = await invitationOf(body.id)
    const before = await rowsOf()
    const without = await accept({ token })
    expect([...coded(without), without.body.details.errors]).toEqual([
      400,
      "VALIDATION_FAILED",
      { password: "is required of a person who is new here" }
    ])
    expect(coded(await accept({ token, password: "short" }))).toEqual([400, "VALIDATION_FAILED"])
    expect(await rowsOf()).toEqual(before)
    const joined = await accept({ token, password, name: "Grace Hopper" })
    expect([joined.status, joined.body]).toEqual([
      200,
      {
        ...body,
        userId: expect.stringMatching(/^user_/),
        name: "Grace Hopper",
        status: "active",
        expiresAt: null,
        updatedAt: expect.stringMatching(/Z$/)
      }
    ])
    expect(coded(await accept({ token, password }))).toEqual([400, "VALIDATION_FAILED"])
    const { body: known } = await logIn(shop, "grace@example.com")
    expect(known.user).toMatchObject({ name: "Grace Hopper", stores: [{ id: shop.storeId, role: "staff" }] })
    const { body: listed } = await shop.call("GET", team(), { key: owner })
    expect(listed.data.map(({ email, role, status: is }: Member) => [email, role, is])).toEqual([
      ["ada@example.com", "owner", "active"],
      ["grace@example.com", "staff", "active"]
    ])
  })

  it("of a person who is known needs no password, and changes none", async () => {
    const other = await shop.openStore()
    await addOwner(shop, other, "known@example.com")
    const { body } = await invite(owner, "known@example.com", "admin")
    const [mail] = await mailsTo(shop, shop, "known@example.com")
    expect(mail?.eventType).toBe("STORE_INVITATION")
    expect((await accept({ token: await invitationOf(body.id), password: "Th1ef-Password!" })).status).toBe(200)
    expect((await logIn(shop, "known@example.com", "Th1ef-Password!")).status).toBe(401)
    const { body: known } = await logIn(shop, "known@example.com")
    expect(known.user.stores.map(({ id, role }: Member) => [id, role])).toEqual(
      expect.arrayContaining([
        [shop.storeId, "admin"],
        [other.storeId, "owner"]
      ])
    )
  })

  it("is sent again in place of the one before, five times a day", async () => {
    const { body: first } = await invite(owner, "again@example.com", "staff")
    const old = await invitationOf(first.id)
    const { body: second } = await invite(owner, "again@example.com", "admin")
    expect([second.id, second.role, second.updatedAt > first.updatedAt]).toEqual([first.id, "admin", true])
    expect(coded(await accept({ token: old, password }))).toEqual([400, "VALIDATION_FAILED"])
    for (let n = 0; n < 3; n++) expect((await invite(owner, "again@example.com", "staff")).status).toBe(201)
    const before = await rowsOf()
    const refused = await invite(owner, "again@example.com", "staff")
    expect([...coded(refused), refused.body.details]).toEqual([422, "BUSINESS_RULE_VIOLATION", { most: 5 }])
    expect([await rowsOf(), (await mailsTo(shop, shop, "again@example.com")).length]).toEqual([before, 5])
    await advance(shop, 86_400_000)
    expect((await invite(owner, "again@example.com", "staff")).status).toBe(201)
    owner = await tokenOf(shop, "ada@example.com")
  })

  it("counts for the day also where it was withdrawn, and a store sends 200 a day", async () => {
    const other = await shop.openStore()
    const leading = await ownerOf(shop, other, "lead@example.com")
    const withdraw = async (id: string) =>
      expect((await shop.call("DELETE", `${team(other)}/${id}`, { key: leading })).status).toBe(200)
    for (let n = 0; n < 5; n++) {
      const { status, body } = await invite(leading, "target@example.com", "staff", other)
      expect(status).toBe(201)
      await withdraw(body.id)
    }
    const before = await rowsOf()
    const again = await invite(leading, "target@example.com", "staff", other)
    expect([...coded(again), again.body.details, again.body.message]).toEqual([
      422,
      "BUSINESS_RULE_VIOLATION",
      { most: 5 },
      "This address was sent 5 invitations today; try again tomorrow"
    ])
    await queryOf(shop, `UPDATE rate_window SET count = 199 WHERE bucket = 'invitations:${other.storeId}'`)
    expect([await rowsOf(), (await mailsTo(shop, other, "target@example.com")).length]).toEqual([before, 5])
    const last = await invite(leading, "last@example.com", "staff", other)
    expect(last.status).toBe(201)
    await withdraw(last.body.id)
    const full = await invite(leading, "more@example.com", "staff", other)
    expect([...coded(full), full.body.details, full.body.message]).toEqual([
      422,
      "BUSINESS_RULE_VIOLATION",
      { most: 200 },
      "The store has sent 200 invitations today; try again tomorrow"
    ])
    expect(await rowsOf()).toEqual(before)
    // Another store sends its own.
    expect((await invite(owner, "more@example.com", "staff")).status).toBe(201)
  })

  it("is good for seven days, and can be withdrawn", async () => {
    const late = await invite(owner, "late@example.com", "staff")
    const token = await invitationOf(late.body.id)
    await advance(shop, 7 * 86_400_000)
    expect(coded(await accept({ token, password }))).toEqual([400, "VALIDATION_FAILED"])
    owner = await tokenOf(shop, "ada@example.com")
    const gone = await invite(owner, "gone@example.com", "staff")
    const withdrawn = await invitationOf(gone.body.id)
    expect((await shop.call("DELETE", `${team()}/${gone.body.id}`, { key: owner })).status).toBe(200)
    expect(coded(await accept({ token: withdrawn, password }))).toEqual([400, "VALIDATION_FAILED"])
    expect(coded(await shop.call("DELETE", `${team()}/${gone.body.id}`, { key: owner }))).toEqual([
      404,
      "RESOURCE_NOT_FOUND"
    ])
  })

  it("of whoever is in the team, or to no address, is refused", async () => {
    expect(coded(await invite(owner, "ada@example.com", "staff"))).toEqual([409, "CONFLICT"])
    const wrong = await invite(owner, "nobody", "boss")
    expect([wrong.status, Object.keys(wrong.body.details.errors)]).toEqual([400, ["email", "role"]])
  })
})

describe("a role", () => {
  it("changes at once, and the person is told", async () => {
    const { memberId, token } = await joinAs(shop, shop, owner, "rise@example.com", "staff")
    const settings = `/stores/${shop.storeId}/email/settings`
    expect((await shop.call("GET", settings, { key: token })).status).toBe(403)
    const changed = await shop.call("PATCH", `${team()}/${memberId}`, { key: owner, body: { role: "admin" } })
    expect([changed.status, changed.body.role]).toEqual([200, "admin"])
    expect((await shop.call("GET", settings, { key: token })).status).toBe(200)
    const told = (await mailsTo(shop, shop, "rise@example.com")).filter(
      (mail) => mail.eventType === "STORE_ROLE_CHANGED"
    )
    expect([told.length, told[0]?.text.includes("was staff and is now admin")]).toEqual([1, true])
    expect((await shop.call("PATCH", `${team()}/${memberId}`, { key: owner, body: { role: "admin" } })).body).toEqual(
      changed.body
    )
    const version = { key: owner, body: { role: "staff" }, headers: { "if-match": `"${changed.body.createdAt}"` } }
    expect(coded(await shop.call("PATCH", `${team()}/${memberId}`, version))).toEqual([409, "CONFLICT"])
  })

  it("of an admin makes no owner, and touches none", async () => {
    const { token: admin, memberId } = await joinAs(shop, shop, owner, "admin@example.com", "admin")
    const { body } = await shop.call("GET", team(), { key: admin })
    const ada = body.data.find(({ email }: Member) => email === "ada@example.com").id
    const before = await rowsOf()
    const refused = [
      await invite(admin, "crown@example.com", "owner"),
      await shop.call("PATCH", `${team()}/${memberId}`, { key: admin, body: { role: "owner" } }),
      await shop.call("PATCH", `${team()}/${ada}`, { key: admin, body: { role: "staff" } }),
      await shop.call("DELETE", `${team()}/${ada}`, { key: admin })
    ]
    for (const { status, body: said } of refused)
      expect([status, said.code, said.details]).toEqual([
        403,
        "INSUFFICIENT_PERMISSION",
        { role: "admin", area: "ownership" }
      ])
    expect(await rowsOf()).toEqual(before)
    expect((await invite(admin, "hand@example.com", "staff")).status).toBe(201)
  })

  it("of staff shows nothing of the team", async () => {
    const { token } = await joinAs(shop, shop, owner, "quiet@example.com", "staff")
    expect(coded(await shop.call("GET", team(), { key: token }))).toEqual([403, "INSUFFICIENT_PERMISSION"])
    expect(coded(await invite(token, "friend@example.com", "staff"))).toEqual([403, "INSUFFICIENT_PERMISSION"])
  })

  it("of the last owner stays: neither demoted nor removed", async () => {
    const { body } = await shop.call("GET", team(), { key: owner })
    const ada = body.data.find(({ email }: Member) => email === "ada@example.com").id
    const before = await rowsOf()
    for (const last of [
      await shop.call("PATCH", `${team()}/${ada}`, { key: owner, body: { role: "admin" } }),
      await shop.call("DELETE", `${team()}/${ada}`, { key: owner })
    ])
      expect([last.status, last.body.code, last.body.details]).toEqual([409, "CONFLICT", { reason: "last_owner" }])
    expect(await rowsOf()).toEqual(before)
    // An owner who has only been invited does not count.
    await invite(owner, "soon@example.com", "owner")
    expect(coded(await shop.call("DELETE", `${team()}/${ada}`, { key: owner }))).toEqual([409, "CONFLICT"])
  })
})

describe("whoever is removed", () => {
  it("is shut out of the store at once, and stays known", async () => {
    const { memberId, token } = await joinAs(shop, shop, owner, "leaver@example.com", "staff")
    const path = `/stores/${shop.storeId}/email/templates`
    expect((await shop.call("GET", path, { key: token })).status).toBe(200)
    expect((await shop.call("DELETE", `${team()}/${memberId}`, { key: owner })).body).toEqual({ success: true })
    expect(coded(await shop.call("GET", path, { key: token }))).toEqual([404, "RESOURCE_NOT_FOUND"])
    expect((await shop.call("GET", "/auth/me", { key: token })).body.stores).toEqual([])
    const { body } = await invite(owner, "leaver@example.com", "staff")
    expect((await accept({ token: await invitationOf(body.id) })).status).toBe(200)
    expect((await shop.call("GET", path, { key: token })).status).toBe(200)
  })
})

describe("an admin key", () => {
  it("lists the team with store:read, and changes it only with every scope", async () => {
    const reads = await shop.mintKey({ scopes: ["store:read"] })
    expect((await shop.call("GET", team(), { key: reads })).status).toBe(200)
    const writes = await shop.mintKey({ scopes: ["store:*"] })
    const refused = await invite(writes, "key@example.com", "staff")
    expect(coded(refused)).toEqual([403, "INSUFFICIENT_SCOPE"])
    const made = await invite(shop.apiKey, "key@example.com", "staff")
    expect([made.status, made.body.invitedBy]).toEqual([201, "test"])
  })
})

describe("another store", () => {
  it("of the account belongs to its owners from the start", async () => {
    const next = await shop.openStore({ accountId: shop.accountId })
    const { body } = await shop.call("GET", team(next), { key: owner })
    expect(body.data.map(({ email, role }: Member) => [email, role])).toEqual([["ada@example.com", "owner"]])
  })

  it("has members whom no other store can name", async () => {
    const other = await shop.openStore()
    const theirs = await ownerOf(shop, other, "theirs@example.com")
    const { body } = await shop.call("GET", team(other), { key: theirs })
    const before = await rowsOf()
    for (const [method, given] of [
      ["PATCH", { body: { role: "staff" } }],
      ["DELETE", {}]
    ] as const)
      expect(coded(await shop.call(method, `${team()}/${body.data[0].id}`, { key: owner, ...given }))).toEqual([
        404,
        "RESOURCE_NOT_FOUND"
      ])
    expect(coded(await shop.call("GET", team(other), { key: owner }))).toEqual([404, "RESOURCE_NOT_FOUND"])
    expect(await rowsOf()).toEqual(before)
  })
})
