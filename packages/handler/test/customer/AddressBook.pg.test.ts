import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { answer, customersOf, type Shopper } from "./SignedIn.ts"
import { asDocumented } from "../system/documentedAnswers.ts"

let shop: TestCommerce
let at: ReturnType<typeof customersOf>
beforeAll(async () => {
  shop = asDocumented(await openTestCommerce({ role: "api" }))
  at = customersOf(shop)
})
afterAll(() => shop.close())

const street = (line1: string, more: object = {}) => ({ line1, city: "Town", country: "US", ...more })
const bookOf = ({ token }: Shopper) => {
  const call = (method: string, path: string, body?: object) => at.me(token, method, `/addresses${path}`, body)
  const add = async (line1: string, more: object = {}): Promise<string> =>
    (await call("POST", "", street(line1, more))).body.id
  /** Streets in the order shown, the default marked. */
  const shown = async (): Promise<ReadonlyArray<string>> =>
    (await call("GET", "")).body.map(({ line1, isDefault }: { readonly line1: string; readonly isDefault: boolean }) =>
      isDefault ? `*${line1}` : line1
    )
  return { call, add, shown }
}
const opened = async () => {
  const customer = await at.known({ firstName: "Ada", lastName: "Byron", phone: "+15550100" })
  return { customer, ...bookOf(customer) }
}

describe("an address book", () => {
  it("is empty at first, and an address is answered and shown with every field", async () => {
    const { customer, call } = await opened()
    expect((await call("GET", "")).body).toEqual([])
    const given = {
      label: " Home ",
      name: "Ada",
      lastName: "Byron",
      company: "Engines",
      line1: " 1 Main St ",
      line2: "Flat 2",
      city: "Town",
      state: "US-CA"
    }
    const made = await call("POST", "", {
      ...given,
      postalCode: "94105",
      country: "us",
      phone: "1",
      lat: 37.5,
      lng: -122.5
    })
    expect(made.status).toBe(201)
    const { id, createdAt } = made.body
    expect(id).toMatch(/^addr_[0-9a-z]{26}$/)
    expect(made.body).toEqual({
      id,
      label: "Home",
      isDefault: true,
      firstName: "Ada",
      lastName: "Byron",
      company: "Engines",
      line1: "1 Main St",
      line2: "Flat 2",
      city: "Town",
      region: "CA",
      postalCode: "94105",
      country: "US",
      phone: "1",
      lat: 37.5,
      lng: -122.5,
      createdAt,
      updatedAt: createdAt
    })
    expect((await call("GET", "")).body).toEqual([made.body])
    const [told] = await at.told(customer.id, "customer.updated")
    expect(told?.data.customer.addresses).toEqual([made.body])
  })

  it.each([
    [{ line1: undefined }, "line1"],
    [{ line1: "" }, "line1"],
    [{ city: "  " }, "city"],
    [{ city: undefined }, "city"],
    [{ country: "XX" }, "country"],
    [{ country: undefined }, "country"],
    [{ lat: 91, lng: 0 }, "lat"],
    [{ label: "x".repeat(101) }, "label"],
    [{ isDefault: "yes" }, "isDefault"]
  ])("refuses %j, naming the field", async (wrong, field) => {
    const { call, shown } = await opened()
    const refused = await call("POST", "", street("1", wrong))
    expect([refused.status, Object.keys(refused.body.details.errors)]).toEqual([400, [field]])
    expect(await shown()).toEqual([])
  })

  it("has one default as long as it has any: the first, then whichever is made so, and after it goes the newest", async () => {
    const { call, add, shown } = await opened()
    const first = await add("First", { isDefault: false })
    expect(await shown()).toEqual(["*First"])
    const second = await add("Second")
    const third = await add("Third", { isDefault: true })
    expect(await shown()).toEqual(["*Third", "Second", "First"])
    const made = await call("POST", `/${first}/default`, {})
    expect([made.status, made.body.id, made.body.isDefault]).toEqual([200, first, true])
    expect(await shown()).toEqual(["*First", "Third", "Second"])
    expect((await call("PATCH", `/${second}`, { isDefault: true })).body.isDefault).toBe(true)
    expect(await shown()).toEqual(["*Second", "Third", "First"])
    expect((await call("DELETE", `/${second}`)).body).toEqual({ success: true })
    expect(await shown()).toEqual(["*Third", "First"])
    await call("DELETE", `/${first}`)
    expect(await shown()).toEqual(["*Third"])
    await call("DELETE", `/${third}`)
    expect(await shown()).toEqual([])
    await add("Fourth", { isDefault: false })
    expect(await shown()).toEqual(["*Fourth"])
  })

  it("never gives up its default without another", async () => {
    const { call, add, shown } = await opened()
    const id = await add("Only")
    const refused = await call("PATCH", `/${id}`, { isDefault: false, line1: "Changed" })
    expect([refused.status, Object.keys(refused.body.details.errors)]).toEqual([400, ["isDefault"]])
    expect(await shown()).toEqual(["*Only"])
    const second = await add("Second")
    expect((await call("PATCH", `/${second}`, { isDefault: false })).status).toBe(200)
    expect(await shown()).toEqual(["*Only", "Second"])
  })

  it("changes what is named, clears what is null, keeps the rest, and refuses to clear what an address needs", async () => {
    const { call, add } = await opened()
    const id = await add("1 Main St", { firstName: "Ada", region: "CA", postalCode: "94105", label: "Home" })
    const changed = await call("PATCH", `/${id}`, {
      line1: "2 Main St",
      label: null,
      postalCode: null,
      state: "NY",
      name: "Augusta"
    })
    expect([changed.status, changed.body]).toEqual([
      200,
      expect.objectContaining({
        line1: "2 Main St",
        label: null,
        postalCode: null,
        region: "NY",
        firstName: "Augusta",
        city: "Town",
        country: "US"
      })
    ])
    for (const field of ["line1", "city", "country"])
      expect(await answer(call("PATCH", `/${id}`, { [field]: null }))).toEqual([400, "VALIDATION_FAILED"])
    expect((await call("PATCH", `/${id}`, {})).body).toMatchObject({ line1: "2 Main St", region: "NY" })
  })

  it("is nobody else's: another customer's address is as unknown as one that never was", async () => {
    const mine = await opened()
    const theirs = await opened()
    const id = await theirs.add("Theirs")
    for (const unknown of [id, "addr_00000000000000000000000000", "nonsense"]) {
      for (const [method, path, body] of [
        ["PATCH", `/${unknown}`, { line1: "Mine" }],
        ["POST", `/${unknown}/default`, {}],
        ["DELETE", `/${unknown}`, undefined]
      ] as const) {
        expect(await answer(mine.call(method, path, body))).toEqual([404, "RESOURCE_NOT_FOUND"])
      }
    }
    expect(await theirs.shown()).toEqual(["*Theirs"])
    const gone = await mine.add("Mine")
    await mine.call("DELETE", `/${gone}`)
    expect(await answer(mine.call("DELETE", `/${gone}`))).toEqual([404, "RESOURCE_NOT_FOUND"])
  })

  it("demands a token on every route", async () => {
    for (const [method, path] of [
      ["GET", ""],
      ["POST", ""],
      ["PATCH", "/addr_x"],
      ["DELETE", "/addr_x"],
      ["POST", "/addr_x/default"]
    ] as const) {
      expect(
        await answer(at.me(undefined, method, `/addresses${path}`, method === "GET" ? undefined : street("1")))
      ).toEqual([401, "UNAUTHORIZED"])
    }
  })
})

describe("the prefill of a checkout", () => {
  const prefill = async ({ token }: Shopper) => (await at.me(token, "GET", "/checkout-prefill")).body

  it("knows the person before there is an address", async () => {
    const { customer } = await opened()
    const { id, email, firstName, lastName, phone, emailVerified, birthMonth, birthDay } = (await at.me(customer.token))
      .body
    expect(await prefill(customer)).toEqual({
      customer: { id, email, firstName, lastName, phone, emailVerified, birthMonth, birthDay },
      defaultAddress: null,
      shippingAddress: {
        email: customer.email,
        firstName: "Ada",
        lastName: "Byron",
        phone: "+15550100",
        company: null,
        line1: null,
        line2: null,
        city: null,
        region: null,
        postalCode: null,
        country: null
      }
    })
  })

  it("takes the default address, whose names and telephone number win over the person's", async () => {
    const { customer, call, add } = await opened()
    await add("Other")
    const id = await add("1 Main St", {
      isDefault: true,
      firstName: "Charles",
      company: "Engines",
      region: "CA",
      postalCode: "94105"
    })
    const { body: shown } = await call("GET", "")
    expect(await prefill(customer)).toMatchObject({
      defaultAddress: { id, ...shown[0] },
      shippingAddress: {
        email: customer.email,
        firstName: "Charles",
        lastName: "Byron",
        phone: "+15550100",
        company: "Engines",
        line1: "1 Main St",
        line2: null,
        city: "Town",
        region: "CA",
        postalCode: "94105",
        country: "US"
      }
    })
  })

  it("demands a token", async () => {
    expect(await answer(at.me(undefined, "GET", "/checkout-prefill"))).toEqual([401, "UNAUTHORIZED"])
  })
})
