/** The region that quotes choose decides which zones, payment methods and rules are for a shopper. */
import { FurtherAdjustmentSources } from "@effect-commerce/core/pricing/AdjustmentSource"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { addressIn, openPresentedShop } from "./presentedShop.ts"
import { defaultInFile } from "../../../core/test/defaultInFile.ts"

let at: Awaited<ReturnType<typeof openPresentedShop>>
/** The regions that quotes have shown to a source. */
const seen: Array<string | null> = []

const source = {
  load: (_: unknown, { buyer }: { buyer: { regionId: string | null } }) =>
    Effect.sync(() => {
      seen.push(buyer.regionId)
      return undefined
    })
}
defaultInFile(FurtherAdjustmentSources, [Effect.succeed(source)])
beforeAll(async () => {
  at = await openPresentedShop()
})
afterAll(() => at.shop.close())

const nameOf = (id: string | null | undefined) => Object.keys(at.ids).find((name) => at.ids[name] === id) ?? null
const last = () => nameOf(seen.at(-1))

describe("the region of a shopper", () => {
  it("is shown to sources: the default, then that of the shipping country, and before all the one given", async () => {
    const { cartId, id } = await at.begin(1_000n, 1)
    expect(last()).toBe("Europe")
    await at.send(id, "JP")
    expect(last()).toBe("Japan")
    await at.send(id, "DE")
    expect(last()).toBe("Europe")
    await at.shop.call("PATCH", `${at.shopper.at}/cart/${cartId}`, { body: { regionId: at.ids["Kuwait"] } })
    expect(last()).toBe("Kuwait")
    const made = await at.shop.call("POST", `${at.shopper.at}/checkout`, { body: { cartId } })
    await at.send(made.body.id, "JP")
    expect(last()).toBe("Kuwait")
    await at.admin("PATCH", `/v1/regions/${at.ids["Kuwait"]}`, { isActive: false })
    await at.read(made.body.id)
    expect(last()).toBe("Japan")
    await at.admin("PATCH", `/v1/regions/${at.ids["Kuwait"]}`, { isActive: true })
  })

  it("of an order in one call is that of the country it is shipped to", async () => {
    const lamp = await at.shopper.product({ price: 1_000n, stock: 1 })
    const placed = await at.shop.call("POST", `${at.shopper.at}/orders`, {
      body: {
        customer: { email: "ada@example.com", firstName: "Ada", lastName: "Byron" },
        shippingAddress: addressIn("JP"),
        items: [{ productId: lamp, quantity: 1, price: "10.00" }]
      }
    })
    expect([placed.status, last()]).toEqual([200, "Japan"])
    await at.admin("POST", "/v1/orders", { items: [{ name: "Lamp", quantity: 1, price: 10 }] })
    expect(last()).toBe("Europe")
  })

  it("decides which zones serve an address", async () => {
    const zone = await at.admin("POST", "/v1/shipping/zones", {
      name: "For Japan",
      countries: ["JP"],
      regionIds: [at.ids["Japan"]],
      priority: 0
    })
    await at.admin("POST", `/v1/shipping/zones/${zone.id}/rates`, { name: "Yamato", type: "FREE" })
    const zones = (await at.shop.call("GET", "/v1/shipping/zones")).body.data
    const world = zones.find(({ name }: { name: string }) => name === "World")
    await at.admin("PATCH", `/v1/shipping/zones/${world.id}`, { priority: 9 })
    const { id, cartId } = await at.begin(1_000n, 1)
    expect((await at.send(id, "JP")).shippingMethod.name).toBe("Yamato")
    const made = await at.shop.call("POST", `${at.shopper.at}/checkout`, {
      body: { cartId, regionId: at.ids["Kuwait"] }
    })
    expect((await at.send(made.body.id, "JP")).shippingMethod.name).toBe("Post")
    await at.admin("DELETE", `/v1/shipping/zones/${zone.id}`)
  })

  it("decides what it may be paid by", async () => {
    const bank = await at.admin("POST", "/v1/payment-providers", { type: "manual", name: "Bank of Japan" })
    await at.admin("PATCH", `/v1/regions/${at.ids["Japan"]}`, { providerInstallationIds: [bank.id] })
    const { id } = await at.begin(1_000n, 1)
    const methods = ({ paymentMethods }: { paymentMethods: ReadonlyArray<{ name: string }> }) =>
      paymentMethods.map(({ name }) => name)
    expect(methods(await at.send(id, "DE"))).toContain("Test payment")
    expect(methods(await at.send(id, "JP"))).toEqual(["Bank of Japan"])
    const refused = await at.pay(id, "approve")
    expect([refused.status, refused.body.code]).toEqual([503, "PROVIDER_NOT_CONFIGURED"])
    await at.send(id, "DE")
    expect((await at.pay(id, "approve")).status).toBe(200)
    await at.expectCleanBooks()
  })
})
