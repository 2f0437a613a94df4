import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { renewMemory, shopperOf } from "../Shopper.ts"

const statements = makeStatementCounter()
let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
const ids: Record<string, string> = {}

beforeAll(async () => {
  shop = await openTestCommerce({ statementLog: statements, role: "api" })
  shopper = shopperOf(shop)
  await shop.call("POST", "/v1/tax/rates", { body: { name: "Sales tax", country: "US", rate: 10 } })
  const define = async (key: string, type: string, more: object = {}) => {
    const made = await shop.call("POST", "/v1/checkout-fields", { body: { key, name: `The ${key}`, type, ...more } })
    ids[key] = made.body.id
  }
  await define("wrap", "checkbox", { surcharge: { type: "FIXED", amount: "2.50" } })
  await define("note", "text", { surcharge: { type: "PERCENTAGE", amount: "2.5" } })
  await define("letter", "textarea")
  await define("speed", "select", {
    surcharge: { type: "FIXED", amount: "1.00" },
    options: [
      { value: "slow", label: "Slow" },
      { value: "fast", label: "Fast", surcharge: { type: "PERCENTAGE", amount: 10 } }
    ]
  })
  await define("day", "date")
  await define("floor", "number")
})
afterAll(() => shop.close())

const at = (id: string, path = "") => `${shopper.at}/checkout/${id}${path}`
const fill = (id: string, values: object) => shop.call("PATCH", at(id, "/custom-fields"), { body: { values } })
/** Lines of 19.80 and a tax of 10 %. */
const begun = async () => shopper.checkout(await shopper.cart([await shopper.product({ price: 990n }), 2]))
const money = ({
  appliedSurcharges,
  surchargeAmount,
  taxAmount,
  total,
  customFieldValues
}: Record<string, unknown>) => ({
  appliedSurcharges,
  surchargeAmount,
  taxAmount,
  total,
  customFieldValues
})

describe("fields of a checkout", () => {
  it("are shown with their options and surcharges, in the order of the store", async () => {
    const { body } = await shop.call("GET", at(await begun()))
    expect(body.customFields.map(({ key }: { key: string }) => key)).toEqual([
      "wrap",
      "note",
      "letter",
      "speed",
      "day",
      "floor"
    ])
    expect(body.customFields[3]).toEqual({
      key: "speed",
      name: "The speed",
      type: "select",
      required: false,
      options: [
        { value: "slow", label: "Slow", surcharge: null },
        { value: "fast", label: "Fast", surcharge: { type: "PERCENTAGE", amount: "10" } }
      ],
      surcharge: { type: "FIXED", amount: "1.00" }
    })
    expect(money(body)).toEqual({
      appliedSurcharges: [],
      surchargeAmount: "0.00",
      taxAmount: "1.98",
      total: "21.78",
      customFieldValues: {}
    })
  })

  it("bring surcharges on top, untaxed, which the order keeps: fixed, of the lines half up, of the chosen option too", async () => {
    const id = await begun()
    const filled = await fill(id, { wrap: true, note: "For Grace", speed: "fast", day: "2028-02-29", floor: -0.5 })
    // 2.5 % of 19.80 is 0.495: half up. 1.00 and 10 % of 19.80 for the speed.
    const expected = {
      appliedSurcharges: [
        { key: "wrap", name: "The wrap", value: true, amount: "2.50" },
        { key: "note", name: "The note", value: "For Grace", amount: "0.50" },
        { key: "speed", name: "The speed", value: "fast", amount: "2.98" }
      ],
      surchargeAmount: "5.98",
      taxAmount: "1.98",
      total: "27.76",
      customFieldValues: { wrap: true, note: "For Grace", speed: "fast", day: "2028-02-29", floor: -0.5 }
    }
    expect([filled.status, money(filled.body)]).toEqual([200, expected])
    expect(money((await shop.call("GET", at(id))).body)).toEqual(expected)
    const done = await shopper.complete(id, "surcharged", { expectedTotal: "27.76" })
    expect([done.status, done.body.total]).toEqual([200, "27.76"])
    const { body: order } = await shop.call("GET", `/v1/orders/${done.body.orderId}`)
    expect(money({ ...order, total: order.totalAmount })).toEqual(expected)
    // What the order keeps does not follow the field.
    await shop.call("PATCH", `/v1/checkout-fields/${ids["wrap"]}`, {
      body: { surcharge: { type: "FIXED", amount: 9 } }
    })
    const { body: kept } = await shop.call("GET", `/v1/orders/${done.body.orderId}`)
    expect(money({ ...kept, total: kept.totalAmount })).toEqual(expected)
    await shop.call("PATCH", `/v1/checkout-fields/${ids["wrap"]}`, {
      body: { surcharge: { type: "FIXED", amount: "2.50" } }
    })
  })

  it("count only where they are ticked or filled in, stay as they are when left out, and are cleared by null", async () => {
    const id = await begun()
    expect((await fill(id, { wrap: false, note: "  ", speed: "slow" })).body).toMatchObject({
      appliedSurcharges: [{ key: "speed", value: "slow", amount: "1.00" }],
      customFieldValues: { wrap: false, note: "  ", speed: "slow" }
    })
    expect((await fill(id, { wrap: true })).body).toMatchObject({
      surchargeAmount: "3.50",
      customFieldValues: { wrap: true, note: "  ", speed: "slow" }
    })
    const cleared = await fill(id, { wrap: null, speed: null, note: null, day: null })
    expect(money(cleared.body)).toMatchObject({ appliedSurcharges: [], total: "21.78", customFieldValues: {} })
  })

  it.each([
    ["an unknown key", { colour: "red" }, { "values.colour": "this store has no such checkout field" }],
    ["a name of JavaScript", { constructor: "x" }, { "values.constructor": "this store has no such checkout field" }],
    ["an unknown key even to clear it", { x: null }, { "values.x": "this store has no such checkout field" }],
    ["text for a tick", { wrap: "true" }, { "values.wrap": "must be true or false" }],
    ["a number for text", { note: 7 }, { "values.note": "must be text" }],
    ["a long text", { note: "x".repeat(501) }, { "values.note": "must have at most 500 characters" }],
    ["what is no option", { speed: "Fast" }, { "values.speed": "must be the value of one of the options" }],
    ["no day", { day: "2027-02-29" }, { "values.day": "must be a day as YYYY-MM-DD" }],
    ["a time", { day: "2028-02-29T00:00:00Z" }, { "values.day": "must be a day as YYYY-MM-DD" }],
    ["a number as text", { floor: "3" }, { "values.floor": "must be a number" }],
    [
      "several at once, each named",
      { wrap: 1, note: [], letter: "fine" },
      { "values.wrap": "must be true or false", "values.note": "must be text" }
    ]
  ])("refuse %s, and change nothing", async (_what, values, errors) => {
    const id = await begun()
    await fill(id, { letter: "before" })
    const refused = await fill(id, values)
    expect([refused.status, refused.body.code, refused.body.details.errors]).toEqual([400, "VALIDATION_FAILED", errors])
    expect((await shop.call("GET", at(id))).body.customFieldValues).toEqual({ letter: "before" })
  })

  it("that are required keep a checkout from being completed until they are filled in: a box must be ticked", async () => {
    const required = async (key: string, isRequired: boolean) =>
      shop.call("PATCH", `/v1/checkout-fields/${ids[key]}`, { body: { required: isRequired } })
    for (const key of ["wrap", "letter", "floor"]) await required(key, true)
    const id = await begun()
    await fill(id, { wrap: false, letter: " \n", floor: 0 })
    const early = await shopper.complete(id, "incomplete")
    expect([early.status, early.body.code, early.body.details]).toEqual([
      400,
      "MISSING_REQUIRED_FIELDS",
      { fields: ["wrap", "letter"] }
    ])
    expect((await shop.call("GET", at(id))).body.status).toBe("PENDING")
    const begin = await shop.call("POST", at(id, "/payment"), { body: { providerId: "test" } })
    expect([begin.status, begin.body.code]).toEqual([400, "MISSING_REQUIRED_FIELDS"])
    await fill(id, { wrap: true, letter: "Dear Grace" })
    const paid = await shopper.complete(id, "complete", { paymentMethod: "test", paymentReference: "approve" })
    const { body: order } = await shop.call("GET", `/v1/orders/${paid.body.orderId}`)
    expect([order.status, order.totalAmount, order.surchargeAmount, order.customFieldValues]).toEqual([
      "PAID",
      "24.28",
      "2.50",
      { wrap: true, letter: "Dear Grace", floor: 0 }
    ])
    for (const key of ["wrap", "letter", "floor"]) await required(key, false)
  })

  it("follow the store: what is gone, or no option any more, is not filled in, costs nothing and reaches no order", async () => {
    const made = await shop.call("POST", "/v1/checkout-fields", {
      body: { key: "card", name: "Card", type: "text", surcharge: { type: "FIXED", amount: "3.00" } }
    })
    const id = await begun()
    expect((await fill(id, { card: "Hello", speed: "fast" })).body.surchargeAmount).toBe("5.98")
    await shop.call("DELETE", `/v1/checkout-fields/${made.body.id}`)
    const speed = `/v1/checkout-fields/${ids["speed"]}`
    const { body: before } = await shop.call("GET", speed)
    await shop.call("PATCH", speed, { body: { options: [{ value: "slow", label: "Slow" }] } })
    expect(money((await shop.call("GET", at(id))).body)).toMatchObject({
      surchargeAmount: "0.00",
      customFieldValues: {}
    })
    const done = await shopper.complete(id, "forgotten")
    const { body: order } = await shop.call("GET", `/v1/orders/${done.body.orderId}`)
    expect([order.customFieldValues, order.appliedSurcharges, order.totalAmount]).toEqual([{}, [], "21.78"])
    await shop.call("PATCH", speed, { body: { options: before.options } })
  })

  it("have values of at most 64 KiB together", async () => {
    const fields: Array<string> = []
    for (let i = 0; i < 5; i++) {
      const body = { key: `long${i}`, name: "Long", type: "textarea" }
      fields.push((await shop.call("POST", "/v1/checkout-fields", { body })).body.id)
    }
    const id = await begun()
    // Three bytes each in UTF-8.
    const text = "€".repeat(5_000)
    expect((await fill(id, { long0: text, long1: text, long2: text, long3: text })).status).toBe(200)
    const refused = await fill(id, { long4: text })
    expect([refused.status, Object.keys(refused.body.details.errors)]).toEqual([400, ["values"]])
    expect((await fill(id, { long0: null, long4: text })).status).toBe(200)
    for (const field of fields) await shop.call("DELETE", `/v1/checkout-fields/${field}`)
  })

  it("cost a checkout no statement once they are read, with values or without", async () => {
    const statementsOf = async (id: string) => {
      await renewMemory(shop)
      // The process looks the channel and the store up anew, and reads the fields.
      await get(id)
      statements.reset()
      expect((await get(id)).status).toBe(200)
      return statements.statements().length
    }
    const other = await shop.openStore()
    const theirs = shopperOf(shop, other.channelId)
    const product = await shop.call("POST", "/v1/products", {
      key: other.apiKey,
      body: { name: "Lamp", basePrice: "9.90", status: "active", inventory: { total: 10 } }
    })
    const bare = await theirs.checkout(await theirs.cart([product.body.id, 2]))
    const filled = await begun()
    await fill(filled, { wrap: true, speed: "fast" })
    const get = (id: string) => shop.call("GET", `${id === bare ? theirs.at : shopper.at}/checkout/${id}`)
    const [without, withValues] = [await statementsOf(bare), await statementsOf(filled)]
    expect(without).toBeGreaterThan(0)
    expect(withValues).toBe(without)
  })
})
