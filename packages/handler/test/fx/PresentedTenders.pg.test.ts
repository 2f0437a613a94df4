/** Tenders of an order whose rest is asked of a provider in another currency; surcharges and discounts of rules. */
import { FurtherAdjustmentSources, type LoadedSource } from "@effect-commerce/core/pricing/AdjustmentSource"
import { FurtherClaimKinds } from "@effect-commerce/core/claim/ClaimKind"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openPresentedShop } from "./presentedShop.ts"
import { defaultInFile } from "../../../core/test/defaultInFile.ts"

let at: Awaited<ReturnType<typeof openPresentedShop>>
let granted: LoadedSource | undefined
const voucher = {
  kind: "voucher",
  hold: () => Effect.void,
  spend: () => Effect.void,
  release: () => Effect.void,
  giveBack: () => Effect.succeed(null)
}

defaultInFile(FurtherAdjustmentSources, [Effect.succeed({ load: () => Effect.sync(() => granted) })])
defaultInFile(FurtherClaimKinds, [Effect.succeed(voucher)])
beforeAll(async () => {
  at = await openPresentedShop()
})
afterAll(async () => {
  await at.expectCleanBooks()
  await at.shop.close()
})

const paidBy = (amount: bigint): LoadedSource => ({
  tenders: [{ kind: "voucher", sourceId: "v1", tenderId: "v1", reason: null, pay: () => amount }]
})

describe("a presented checkout", () => {
  it("asks the provider for its total less the converted tender", async () => {
    granted = paidBy(1_000n)
    const { id, checkout } = await at.inJapan()
    expect([checkout.total, checkout.providerAmountDue, checkout.presentment.total]).toEqual(["49.48", "39.48", "8231"])
    const done = await at.pay(id, "approve")
    // 10.00 are 1,663 yen.
    expect(await at.chargesOf(id)).toEqual([
      { state: "succeeded", amount: 6_568, currency: "JPY", captured: 6_568, refunded: 0 }
    ])
    const order = await at.orderOf(done.body.orderId)
    expect(order).toMatchObject({ paymentAmount: "6568", paymentCurrency: "JPY", financialStatus: "paid" })
    expect(order.tenders.map(({ type, amountBase }: Record<string, string>) => [type, amountBase])).toEqual([
      ["test", "39.48"],
      ["voucher", "10.00"]
    ])
    await at.tell({ orderId: order.id, type: "refunded", amount: "3284" })
    expect(await at.orderOf(order.id)).toMatchObject({
      financialStatus: "partially_refunded",
      paymentRefundedAmount: "3284",
      refunds: [{ amount: "19.74", type: "partial" }]
    })
    await at.tell({ orderId: order.id, type: "refunded" })
    expect(await at.orderOf(order.id)).toMatchObject({
      paymentRefundedAmount: "6568",
      refunds: [{ amount: "19.74" }, { amount: "19.74" }]
    })
  })

  it("asks nobody where the tender pays for all of it", async () => {
    granted = paidBy(4_948n)
    const { id, checkout } = await at.inJapan()
    expect(checkout.providerAmountDue).toBe("0.00")
    const done = await at.pay(id, "decline")
    expect([done.status, await at.chargesOf(id)]).toEqual([200, []])
    expect(await at.orderOf(done.body.orderId)).toMatchObject({ paymentAmount: "49.48", paymentCurrency: "EUR" })
  })

  it("shows discounts of codes and rules as one, and surcharges by themselves", async () => {
    granted = {
      discounts: [
        {
          kind: "promotion",
          sourceId: "p1",
          name: "Rule",
          code: null,
          type: "FIXED_AMOUNT",
          value: "3.33",
          part: "rule_discount",
          combines: true,
          evaluate: ({ lines }) => ({
            lines: lines.map(({ id }) => ({ lineId: id, amount: 333n, units: 2 })),
            formula: "3.33"
          })
        }
      ],
      surcharges: [
        {
          kind: "checkout_field",
          sourceId: "f1",
          name: "Gift",
          type: "FIXED",
          value: "1.11",
          evaluate: () => ({ amount: 111n, formula: "1.11" })
        }
      ]
    }
    const { id, checkout } = await at.inJapan()
    // Tax: 10 % of 36.65 and of 5.00.
    expect([checkout.ruleDiscountAmount, checkout.discountAmount, checkout.taxAmount, checkout.total]).toEqual([
      "3.33",
      "0.00",
      "4.17",
      "46.93"
    ])
    expect(checkout.presentment).toMatchObject({
      subtotal: "6650",
      discountAmount: "554",
      shippingAmount: "832",
      surchargeAmount: "185",
      taxAmount: "694",
      total: "7807"
    })
    expect((await at.pay(id, "approve")).status).toBe(200)
    expect(await at.chargesOf(id)).toMatchObject([{ amount: 7_807, currency: "JPY" }])
  })
})
