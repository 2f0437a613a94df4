import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce()
})
afterAll(() => shop.close())

const fields = "/v1/checkout-fields"
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const make = (body: object) => shop.call("POST", fields, { body: { key: "note", name: "Note", type: "text", ...body } })
const remove = (id: string) => shop.call("DELETE", `${fields}/${id}`)

describe("checkout fields", () => {
  it("answer every documented field, and are listed in pages by position", async () => {
    const made = await make({
      key: "gift_wrap",
      name: " Gift wrap ",
      type: "select",
      required: true,
      position: 2,
      options: [
        { value: "paper", label: "Paper" },
        { value: "silk", label: " Silk ", surcharge: { type: "FIXED", amount: 2.5 } }
      ],
      surcharge: { type: "PERCENTAGE", amount: "2.50" }
    })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      id: expect.stringMatching(/^chkfield_/),
      accountId: shop.accountId,
      storeId: shop.storeId,
      key: "gift_wrap",
      name: "Gift wrap",
      type: "select",
      required: true,
      options: [
        { value: "paper", label: "Paper", surcharge: null },
        { value: "silk", label: "Silk", surcharge: { type: "FIXED", amount: "2.50" } }
      ],
      surcharge: { type: "PERCENTAGE", amount: "2.5" },
      position: 2,
      createdAt: expect.stringMatching(isoTime),
      updatedAt: expect.stringMatching(isoTime)
    })
    const [note, terms] = [await make({}), await make({ key: "terms", name: "Terms", type: "checkbox", position: 3 })]
    expect(note.body).toMatchObject({ required: false, options: [], surcharge: null, position: 0 })
    expect((await shop.call("GET", `${fields}/${made.body.id}`)).body).toEqual(made.body)
    expect((await shop.call("GET", `${fields}?limit=2`)).body).toEqual({
      data: [note.body, made.body],
      meta: { page: 1, limit: 2, total: 3, totalPages: 2 }
    })
    expect((await shop.call("GET", `${fields}?limit=2&page=2`)).body.data).toEqual([terms.body])
    // What was read can be sent back.
    const again = await shop.call("PATCH", `${fields}/${made.body.id}`, { body: made.body })
    expect([again.status, { ...again.body, updatedAt: made.body.updatedAt }]).toEqual([200, made.body])
    for (const { body } of [made, note, terms]) expect((await remove(body.id)).body).toEqual({ success: true })
    expect((await remove(note.body.id)).status).toBe(404)
    expect((await shop.call("GET", fields)).body.data).toEqual([])
  })

  it("keep what a PATCH leaves out, clear what it sets to null, and drop the options of what is no select", async () => {
    const { body: made } = await make({
      type: "select",
      options: [{ value: "a", label: "A" }],
      surcharge: { type: "FIXED", amount: "1.00" }
    })
    const patch = async (body: object) => (await shop.call("PATCH", `${fields}/${made.id}`, { body })).body
    expect(await patch({ name: "Wish" })).toMatchObject({
      name: "Wish",
      options: made.options,
      surcharge: made.surcharge
    })
    expect((await patch({ options: null })).details.errors).toEqual({
      options: "are needed for a field of type select"
    })
    expect(await patch({ surcharge: null })).toMatchObject({ surcharge: null, type: "select" })
    expect(await patch({ type: "textarea" })).toMatchObject({ type: "textarea", options: [] })
    await remove(made.id)
  })

  it.each([
    ["key", { key: "" }],
    ["key", { key: "_note" }],
    ["key", { key: "a b" }],
    ["key", { key: "email" }],
    ["key", { key: "x".repeat(65) }],
    ["name", { name: "\t" }],
    ["type", { type: "radio" }],
    ["required", { required: "yes" }],
    ["options", { type: "select" }],
    ["options", { type: "select", options: [] }],
    ["options", { options: [{ value: "a", label: "A" }] }],
    ["options", { type: "select", options: Array.from({ length: 101 }, (_, i) => ({ value: `${i}`, label: "L" })) }],
    ["options.0.value", { type: "select", options: [{ value: " ", label: "L" }] }],
    ["surcharge.type", { surcharge: { type: "PERCENT", amount: 1 } }],
    ["surcharge.amount", { surcharge: { type: "FIXED", amount: "1.005" } }],
    ["surcharge.amount", { surcharge: { type: "FIXED", amount: "92233720368547758.08" } }],
    ["surcharge.amount", { surcharge: { type: "PERCENTAGE", amount: 100.01 } }],
    ["surcharge.amount", { surcharge: { type: "PERCENTAGE", amount: "0.125" } }],
    ["position", { position: 2_147_483_648 }],
    ["colour", { colour: "red" }]
  ])("refuse a wrong %s, naming it: %j", async (field, body) => {
    const refused = await make(body)
    expect([refused.status, refused.body.code, Object.keys(refused.body.details.errors)]).toEqual([
      400,
      "VALIDATION_FAILED",
      [field]
    ])
    expect((await shop.call("GET", fields)).body.meta.total).toBe(0)
  })

  it("have keys that are unique in their store alone", async () => {
    const { body: note } = await make({})
    const { body: wish } = await make({ key: "wish" })
    for (const twin of [
      await make({ type: "date" }),
      await shop.call("PATCH", `${fields}/${wish.id}`, { body: { key: "note" } })
    ])
      expect([twin.status, twin.body.code, twin.body.details]).toEqual([409, "CONFLICT", { key: "note" }])
    const other = await shop.openStore()
    const theirs = await shop.call("POST", fields, {
      key: other.apiKey,
      body: { key: "note", name: "Theirs", type: "text" }
    })
    expect(theirs.status).toBe(201)
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const foreign = await shop.call(method, `${fields}/${theirs.body.id}`, method === "PATCH" ? { body: {} } : {})
      expect([foreign.status, foreign.body.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
    }
    for (const { id } of [note, wish]) await remove(id)
  })

  it("are at most 100, and keep the currency of a store while they have amounts in it", async () => {
    const other = await shop.openStore()
    const call = (method: string, path: string, body?: object) =>
      shop.call(method, path, { key: other.apiKey, ...(body === undefined ? {} : { body }) })
    const ids: Array<string> = []
    for (let i = 0; i < 100; i++) {
      const surcharge = i === 0 ? { type: "FIXED", amount: "1.00" } : null
      ids.push((await call("POST", fields, { key: `f${i}`, name: "F", type: "text", surcharge })).body.id)
    }
    const full = await call("POST", fields, { key: "f100", name: "F", type: "text" })
    expect([full.status, full.body.details.errors]).toEqual([
      400,
      { checkoutFields: "there are 100 checkout fields, which is the most" }
    ])
    const held = await call("PATCH", "/v1/store", { currency: "JPY" })
    expect([held.status, held.body.code, held.body.details.usedBy]).toEqual([409, "CONFLICT", ["checkoutFields"]])
    await call("PATCH", `${fields}/${ids[0]}`, { surcharge: { type: "PERCENTAGE", amount: 5 } })
    expect((await call("PATCH", "/v1/store", { currency: "JPY" })).status).toBe(200)
    const yen = await call("PATCH", `${fields}/${ids[1]}`, { surcharge: { type: "FIXED", amount: "250.5" } })
    expect(yen.body.details.errors).toEqual({ "surcharge.amount": "JPY has 0 fraction digits" })
    const whole = await call("PATCH", `${fields}/${ids[1]}`, { surcharge: { type: "FIXED", amount: 250 } })
    expect(whole.body.surcharge).toEqual({ type: "FIXED", amount: "250" })
  })

  it("need the scopes of checkouts", async () => {
    const reader = await shop.mintKey({ scopes: ["checkout:read"] })
    expect((await shop.call("GET", fields, { key: reader })).status).toBe(200)
    const write = await shop.call("POST", fields, { key: reader, body: { key: "x", name: "X", type: "text" } })
    expect([write.status, write.body.details]).toEqual([403, { required: "checkout:write" }])
  })
})
