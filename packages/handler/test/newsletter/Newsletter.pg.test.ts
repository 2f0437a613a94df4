import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
beforeAll(async () => {
  shop = await openTestCommerce()
  shopper = shopperOf(shop)
})
afterAll(() => shop.close())

const benefit = { isEnabled: true, type: "PERCENTAGE", value: "10", expiresInDays: 30, minimumOrderAmount: "20.00" }
const set = (body: object) => shop.call("PUT", "/v1/newsletter-benefit", { body })
const subscribe = (body: object) => shop.call("POST", `/vc/${shop.channelId}/newsletter/subscribe`, { body, key: null })
const confirm = (token: string) =>
  shop.call("POST", `/vc/${shop.channelId}/newsletter/confirm`, { body: { token }, key: null })

/** The mails to an address, oldest first: their kind and text. */
const mailsTo = async (address: string) => {
  const { data } = (await shop.call("GET", "/v1/email/messages?limit=100")).body
  return (data as ReadonlyArray<{ to: string; eventType: string; text: string }>)
    .filter(({ to }) => to === address)
    .toReversed()
}
const mailed = (address: string, count: number) =>
  expect.poll(async () => (await mailsTo(address)).length, { timeout: 20_000, interval: 50 }).toBe(count)
const tokenIn = async (address: string, at: number): Promise<string> => {
  await mailed(address, at + 1)
  return /token=([\w-]+)/.exec((await mailsTo(address))[at]?.text ?? "")?.[1] ?? ""
}

describe("the newsletter benefit", () => {
  it("of a store that has set none is off", async () => {
    const { status, body } = await shop.call("GET", "/v1/newsletter-benefit")
    expect([status, body.isEnabled, body.type, body.value]).toEqual([200, false, "PERCENTAGE", "10"])
    expect([body.expiresInDays, body.minimumOrderAmount]).toEqual([30, null])
  })

  it("is replaced as a whole, and read as it was set", async () => {
    const first = await set({ ...benefit, value: 12.5 })
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject({ ...benefit, value: "12.5" })
    const { minimumOrderAmount: _, ...rest } = benefit
    const second = await set({ ...rest, type: "FIXED_AMOUNT", value: "5" })
    expect(second.body).toMatchObject({ type: "FIXED_AMOUNT", value: "5.00", minimumOrderAmount: null })
    expect((await shop.call("GET", "/v1/newsletter-benefit")).body).toEqual(second.body)
  })

  for (const [body, field] of [
    [{ ...benefit, value: 101 }, "value"],
    [{ ...benefit, value: "0" }, "value"],
    [{ ...benefit, value: "10.123" }, "value"],
    [{ ...benefit, type: "FIXED_AMOUNT", value: "5.001" }, "value"],
    [{ ...benefit, type: "FIXED_AMOUNT", value: "-1" }, "value"],
    [{ ...benefit, type: "FIXED_AMOUNT", value: "99999999999999999999" }, "value"],
    [{ ...benefit, minimumOrderAmount: "-0.01" }, "minimumOrderAmount"],
    [{ ...benefit, expiresInDays: 0 }, "expiresInDays"],
    [{ ...benefit, isEnabled: "yes" }, "isEnabled"]
  ] as const)
    it(`refuses ${JSON.stringify(body)}`, async () => {
      await set(benefit)
      const { status, body: answer } = await set(body)
      expect([status, answer.code, Object.keys(answer.details.errors)]).toEqual([400, "VALIDATION_FAILED", [field]])
      expect((await shop.call("GET", "/v1/newsletter-benefit")).body).toMatchObject(benefit)
    })
})

describe("a sign-up", () => {
  beforeEach(() => set(benefit))

  it("mints one coupon for a mailbox when it is confirmed, which the cart takes", async () => {
    const asked = await subscribe({ email: " Ada@Example.com " })
    expect([asked.status, asked.text]).toEqual([200, '{"ok":true}'])
    const token = await tokenIn("ada@example.com", 0)
    expect((await mailsTo("ada@example.com")).map(({ eventType }) => eventType)).toEqual(["NEWSLETTER_CONFIRMATION"])
    const { status, body } = await confirm(token)
    expect([status, body.ok]).toEqual([200, true])
    expect(body.coupon.code).toMatch(/^NEWS[0-9A-Z]{8,}$/)
    // The same token once more, and another sign-up: the same coupon, and no second one.
    expect((await confirm(token)).body).toEqual(body)
    await mailed("ada@example.com", 2)
    expect((await subscribe({ email: "ada@example.com" })).text).toBe('{"ok":true}')
    await mailed("ada@example.com", 3)
    const [, welcome, again] = await mailsTo("ada@example.com")
    expect([welcome?.eventType, again?.eventType]).toEqual(["NEWSLETTER_WELCOME", "NEWSLETTER_WELCOME"])
    for (const mail of [welcome, again]) expect(mail?.text).toContain(body.coupon.code)
    expect((await confirm(token)).body).toEqual(body)
    const minted = (await shop.call("GET", "/v1/coupons?search=NEWS")).body.data
    expect(minted).toHaveLength(1)
    expect(minted[0]).toMatchObject({ code: body.coupon.code, type: "PERCENTAGE", value: "10", usageLimit: 1 })
    expect(minted[0]).toMatchObject({ minimumOrderAmount: "20.00", endsAt: body.coupon.expiresAt })

    const lamp = await shopper.product({ price: 3_000n, stock: 5 })
    const cartId = await shopper.cart([lamp, 1])
    const code = body.coupon.code.toLowerCase()
    const cart = await shop.call("POST", `${shopper.at}/cart/${cartId}/coupon`, { body: { code }, key: null })
    expect([cart.status, cart.body.discountAmount]).toEqual([200, "3.00"])
  })

  it("without a benefit is confirmed without a coupon", async () => {
    await set({ ...benefit, isEnabled: false })
    await subscribe({ email: "grace@example.com" })
    expect((await confirm(await tokenIn("grace@example.com", 0))).body).toEqual({ ok: true, coupon: null })
    await subscribe({ email: "grace@example.com" })
    // Once there is a benefit, the mailbox confirms again and gets its one coupon.
    await set(benefit)
    await subscribe({ email: "grace@example.com" })
    const { coupon } = (await confirm(await tokenIn("grace@example.com", 1))).body
    await mailed("grace@example.com", 3)
    expect((await mailsTo("grace@example.com"))[2]?.text).toContain(coupon.code)
  })

  it("answers a robot as anybody, and mails nothing", async () => {
    const asked = await subscribe({ email: "robot@example.com", honeypot: "x" })
    expect([asked.status, asked.text]).toEqual([200, '{"ok":true}'])
    await subscribe({ email: "person@example.com" })
    await mailed("person@example.com", 1)
    expect(await mailsTo("robot@example.com")).toEqual([])
  })

  it("is mailed at most five times a day", async () => {
    for (let i = 0; i < 7; i++) expect((await subscribe({ email: "flood@example.com" })).status).toBe(200)
    await mailed("flood@example.com", 5)
    await shop.call("POST", "/test/clock", { body: { advanceMs: 86_400_000 } })
    await subscribe({ email: "flood@example.com" })
    await mailed("flood@example.com", 6)
  })

  it("is confirmed by the link of each of its mails, and not after seven days", async () => {
    const unknown = await confirm("nothing")
    expect([unknown.status, unknown.body.code, Object.keys(unknown.body.details.errors)]).toEqual([
      400,
      "VALIDATION_FAILED",
      ["token"]
    ])
    await subscribe({ email: "late@example.com" })
    const first = await tokenIn("late@example.com", 0)
    await subscribe({ email: "late@example.com" })
    expect(await tokenIn("late@example.com", 1)).toBe(first)
    await shop.call("POST", "/test/clock", { body: { advanceMs: 6.5 * 86_400_000 } })
    await subscribe({ email: "late@example.com" })
    // What would soon end is mailed anew.
    const second = await tokenIn("late@example.com", 2)
    expect([(await confirm(first)).status, (await confirm(second)).status]).toEqual([400, 200])
    await subscribe({ email: "later@example.com" })
    const third = await tokenIn("later@example.com", 0)
    await shop.call("POST", "/test/clock", { body: { advanceMs: 7 * 86_400_000 } })
    expect((await confirm(third)).status).toBe(400)
  })

  it("gives one coupon to several confirmations at once", async () => {
    await subscribe({ email: "twice@example.com" })
    const token = await tokenIn("twice@example.com", 0)
    const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(token)))
    expect(new Set(answers.map(({ body }) => body.coupon.code)).size).toBe(1)
    await mailed("twice@example.com", 2)
  })
})
