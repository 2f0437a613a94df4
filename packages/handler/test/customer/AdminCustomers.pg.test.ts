import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"
import { answer, customersOf, freshEmail } from "./SignedIn.ts"

let shop: TestCommerce
let at: ReturnType<typeof customersOf>
let theirs: ReturnType<typeof customersOf>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  at = customersOf(shop)
  theirs = customersOf(shop, await shop.openStore())
})
afterAll(() => shop.close())

const create = (body: object) => at.admin("POST", "/customers", body)
const byEmail = (email: string) => at.admin("GET", `/customers/by-email?email=${encodeURIComponent(email)}`)

describe("a merchant's customer", () => {
  it("is made without a password, told of once, and read by id and by e-mail in any case", async () => {
    const email = freshEmail()
    const made = await create({
      email: ` ${email.toUpperCase()} `,
      firstName: "Ada",
      emailVerified: true,
      birthMonth: 12,
      birthDay: 10
    })
    const { id, createdAt } = made.body
    expect([made.status, made.body]).toEqual([
      201,
      {
        id,
        email,
        firstName: "Ada",
        lastName: null,
        phone: null,
        emailVerified: true,
        hasAccount: false,
        acceptsMarketing: false,
        birthMonth: 12,
        birthDay: 10,
        role: "CUSTOMER",
        addresses: [],
        createdAt,
        updatedAt: createdAt
      }
    ])
    expect((await at.admin("GET", `/customers/${id}`)).body).toEqual(made.body)
    expect((await byEmail(email.toUpperCase())).body).toEqual(made.body)
    expect(await at.told(id)).toEqual([{ type: "customer.created", data: { customerId: id, customer: made.body } }])
  })

  it("needs an address that nobody of the store has, and no password is taken", async () => {
    const { email } = await at.known()
    const withPassword = await create({ email, password: "Corr3ct-Horse" })
    expect([withPassword.status, withPassword.body.details.errors]).toEqual([
      400,
      { password: "no field of a customer" }
    ])
    const taken = await create({ email: ` ${email.toUpperCase()}` })
    expect([taken.status, taken.body.code, taken.body.details]).toEqual([409, "CONFLICT", { field: "email" }])
    expect((await theirs.admin("POST", "/customers", { email })).status).toBe(201)
    expect(await answer(create({}))).toEqual([400, "VALIDATION_FAILED"])
    expect(await answer(create({ email: "nobody" }))).toEqual([400, "VALIDATION_FAILED"])
    expect(await answer(create({ email: freshEmail(), birthMonth: 2, birthDay: 30 }))).toEqual([
      400,
      "VALIDATION_FAILED"
    ])
  })

  it("is made once for an Idempotency-Key", async () => {
    const body = { email: freshEmail() }
    const send = () => shop.call("POST", "/v1/customers", { body, headers: { "idempotency-key": "one customer" } })
    const first = await send()
    const again = await send()
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body])
    expect(await at.told(first.body.id)).toHaveLength(1)
  })

  it("changes what is named and clears what is null", async () => {
    const { id, email } = await at.known({ firstName: "Ada", phone: "1" })
    const changed = await at.admin("PATCH", `/customers/${id}`, {
      firstName: null,
      lastName: "Byron",
      acceptsMarketing: true
    })
    expect(changed.body).toMatchObject({
      id,
      email,
      firstName: null,
      lastName: "Byron",
      phone: "1",
      acceptsMarketing: true
    })
    expect((await at.told(id, "customer.updated")).map((event) => event.data.customer)).toEqual([changed.body])
  })

  it("with a new address is not verified by default, and keeps its tokens and its own address", async () => {
    const { id, token, email } = await at.known({ emailVerified: true })
    const same = await at.admin("PATCH", `/customers/${id}`, { email: email.toUpperCase() })
    expect(same.body).toMatchObject({ email, emailVerified: true })
    const moved = freshEmail()
    expect((await at.admin("PATCH", `/customers/${id}`, { email: moved })).body).toMatchObject({
      email: moved,
      emailVerified: false
    })
    expect((await at.me(token)).body).toMatchObject({ email: moved, emailVerified: false })
    expect((await at.admin("PATCH", `/customers/${id}`, { email, emailVerified: true })).body).toMatchObject({
      email,
      emailVerified: true
    })
    const { email: taken } = await at.known()
    expect(await answer(at.admin("PATCH", `/customers/${id}`, { email: taken }))).toEqual([409, "CONFLICT"])
    expect(await answer(at.admin("PATCH", `/customers/${id}`, { email: null }))).toEqual([400, "VALIDATION_FAILED"])
    expect((await byEmail(email)).body.id).toBe(id)
  })

  it("is deleted once: unknown by id and by e-mail, the address free, orders as they were", async () => {
    const { id, email } = await at.known({ firstName: "Ada" })
    const lamp = await shopperOf(shop).product()
    const { body: order } = await at.admin("POST", "/orders", {
      customerId: id,
      items: [{ productId: lamp, quantity: 1 }]
    })
    expect((await at.admin("DELETE", `/customers/${id}`)).body).toEqual({ success: true })
    for (const call of [
      at.admin("DELETE", `/customers/${id}`),
      at.admin("GET", `/customers/${id}`),
      at.admin("PATCH", `/customers/${id}`, { firstName: "Back" }),
      at.admin("GET", `/customers/${id}/addresses`),
      at.admin("POST", `/customers/${id}/addresses`, { line1: "1", city: "T", country: "US" }),
      byEmail(email),
      at.admin("POST", "/orders", { customerId: id, items: [{ productId: lamp, quantity: 1 }] })
    ]) {
      expect(await answer(call)).toEqual([404, "CUSTOMER_NOT_FOUND"])
    }
    expect((await at.told(id, "customer.deleted")).map((event) => event.data)).toEqual([{ customerId: id }])
    expect((await at.admin("GET", `/orders/${order.id}`)).body).toEqual(order)
    const again = await create({ email })
    expect([again.status, again.body.id === id, again.body.firstName]).toEqual([201, false, null])
  })

  it("takes the mails to them along when deleted, and nobody else's", async () => {
    const [gone, stays] = [await at.known(), await at.known()]
    const template = {
      name: "n",
      eventType: "ORDER_NOTE",
      language: "en",
      subject: "n",
      htmlContent: "n",
      isActive: false
    }
    const { body: made } = await at.admin("POST", "/email/templates", template)
    for (const { email } of [gone, stays])
      await at.admin("POST", `/email/templates/${made.id}/send`, { to: email.toUpperCase() })
    const mailed = async () =>
      (await at.admin("GET", "/email/messages")).body.data.map(({ to }: { readonly to: string }) => to)
    expect(await mailed()).toEqual(expect.arrayContaining([gone.email, stays.email]))
    await at.admin("DELETE", `/customers/${gone.id}`)
    const left = await mailed()
    expect([left.includes(gone.email), left.includes(stays.email)]).toEqual([false, true])
  })

  it("has an address book the merchant keeps too", async () => {
    const { id, token } = await at.known()
    const made = await at.admin("POST", `/customers/${id}/addresses`, {
      label: "Home",
      line1: "1 Main St",
      city: "Town",
      country: "US"
    })
    expect([made.status, made.body.isDefault]).toEqual([201, true])
    const path = `/customers/${id}/addresses/${made.body.id}`
    expect((await at.admin("PATCH", path, { city: "Village" })).body.city).toBe("Village")
    const second = await at.admin("POST", `/customers/${id}/addresses`, {
      line1: "2 Main St",
      city: "Town",
      country: "US"
    })
    const { body: all } = await at.me(token, "GET", "/addresses")
    const list = async (query: string) => (await at.admin("GET", `/customers/${id}/addresses${query}`)).body
    expect(await list("")).toEqual({ data: all, meta: { page: 1, limit: 20, total: 2, totalPages: 1 } })
    expect(await list("?page=2&limit=1")).toEqual({
      data: [all[1]],
      meta: { page: 2, limit: 1, total: 2, totalPages: 2 }
    })
    expect(await answer(at.admin("GET", `/customers/${id}/addresses?limit=0`))).toEqual([400, "VALIDATION_FAILED"])
    await at.admin("DELETE", `/customers/${id}/addresses/${second.body.id}`)
    expect((await at.admin("GET", `/customers/${id}`)).body.addresses).toHaveLength(1)
    expect((await at.admin("DELETE", path)).body).toEqual({ success: true })
    expect(await answer(at.admin("DELETE", path))).toEqual([404, "RESOURCE_NOT_FOUND"])
  })

  it("is not written over by who has not seen the last change", async () => {
    const { id } = await at.known()
    const address = (await at.admin("POST", `/customers/${id}/addresses`, { line1: "1", city: "T", country: "US" }))
      .body
    const write = (path: string, match: string, body: object) =>
      shop.call("PATCH", `/v1/customers/${path}`, { body, headers: { "if-match": `"${match}"` } })
    const { updatedAt } = (await at.admin("GET", `/customers/${id}`)).body
    const changed = await write(id, updatedAt, { firstName: "Ada" })
    expect(changed.status).toBe(200)
    await shop.call("POST", "/test/clock", { body: { advanceMs: 10 } })
    const later = await at.admin("PATCH", `/customers/${id}`, { firstName: "Augusta" })
    expect(await answer(write(id, changed.body.updatedAt, { firstName: "Lost" }))).toEqual([409, "CONFLICT"])
    expect((await write(`${id}/addresses/${address.id}`, address.updatedAt, { city: "Village" })).status).toBe(200)
    expect(await answer(write(`${id}/addresses/${address.id}`, "2020-01-01T00:00:00.000Z", { city: "Lost" }))).toEqual([
      409,
      "CONFLICT"
    ])
    expect(await answer(write(`${id}/addresses/addr_none`, "2020-01-01T00:00:00.000Z", { city: "Lost" }))).toEqual([
      404,
      "RESOURCE_NOT_FOUND"
    ])
    const kept = (await at.admin("GET", `/customers/${id}`)).body
    expect([kept.firstName, kept.addresses[0].city]).toEqual([later.body.firstName, "Village"])
  })

  it("is read with customers:read and written with customers:write alone", async () => {
    const { id } = await at.known()
    const reader = await shop.mintKey({ scopes: ["customers:read"] })
    const writer = await shop.mintKey({ scopes: ["customers:write"] })
    const send = (key: string, method: string, path: string, body?: object) =>
      shop.call(method, `/v1/customers${path}`, { key, ...(body === undefined ? {} : { body }) })
    expect((await send(reader, "GET", `/${id}`)).status).toBe(200)
    expect((await send(writer, "PATCH", `/${id}`, {})).status).toBe(200)
    for (const [key, method, path] of [
      [reader, "PATCH", `/${id}`],
      [reader, "DELETE", `/${id}`],
      [reader, "POST", ""],
      [reader, "POST", `/${id}/addresses`],
      [writer, "GET", `/${id}`],
      [writer, "GET", "/by-email?email=a%40b.co"],
      [writer, "GET", `/${id}/addresses`]
    ] as const) {
      expect(await answer(send(key, method, path, method === "GET" ? undefined : {}))).toEqual([
        403,
        "INSUFFICIENT_SCOPE"
      ])
    }
    expect(await answer(send(shop.apiKey, "GET", ""))).toEqual([405, "METHOD_NOT_ALLOWED"])
  })

  it("is found for a key of the whole account in the store it names", async () => {
    const { id, email } = await at.known()
    const wide = await shop.mintKey({ scopes: ["customers:*"], storeId: null })
    const get = (path: string) => shop.call("GET", `/v1/customers/${path}`, { key: wide })
    expect((await get(`by-email?email=${email}&storeId=${shop.storeId}`)).body.id).toBe(id)
    expect((await get(`${id}?storeId=${shop.storeId}`)).body.email).toBe(email)
    expect(await answer(get(id))).toEqual([400, "STORE_ID_REQUIRED"])
    expect(await answer(get("by-email"))).toEqual([400, "STORE_ID_REQUIRED"])
    expect(await answer(byEmail(""))).toEqual([400, "VALIDATION_FAILED"])
  })
})

describe("an order for a customer", () => {
  it("is theirs, with the name and the address the store knows; not with a buyer of the body's too", async () => {
    const { id, email, token } = await at.known({ firstName: "Ada", lastName: "Byron" })
    const items = [{ productId: await shopperOf(shop).product(), quantity: 1 }]
    const made = await at.admin("POST", "/orders", { customerId: id, items })
    expect([made.status, made.body.customerId, made.body.customer]).toEqual([201, id, { email, name: "Ada Byron" }])
    expect((await at.me(token, "GET", `/orders/${made.body.id}`)).body.id).toBe(made.body.id)
    expect(await answer(at.admin("POST", "/orders", { customerId: id, customer: { email }, items }))).toEqual([
      400,
      "VALIDATION_FAILED"
    ])
    const foreign = await theirs.known()
    for (const unknown of [foreign.id, "cust_00000000000000000000000000", ""]) {
      expect(await answer(at.admin("POST", "/orders", { customerId: unknown, items }))).toEqual([
        404,
        "CUSTOMER_NOT_FOUND"
      ])
    }
    expect((await at.events("order.created")).filter((event) => event.data.order.customerId === id)).toHaveLength(1)
  })
})
