import { describe, expect, it } from "vitest"
import { type GiftCardState, giftCardStatusAt, toGiftCardView } from "../../src/giftcard/GiftCard.ts"
import { balanceAt, toTransactionView } from "../../src/giftcard/GiftCardLedger.ts"

const noon = Date.parse("2026-06-01T12:00:00.000Z")
const at = (offset: number) => new Date(noon + offset)
const card = (changes: Partial<GiftCardState> = {}): GiftCardState => ({
  id: "gc_1",
  codeLast4: "5D1E",
  initialBalance: 5_000n,
  balance: 3_750n,
  currency: "USD",
  disabledAt: null,
  expiresAt: null,
  customerId: null,
  recipientEmail: null,
  senderName: null,
  message: null,
  note: null,
  createdAt: at(0),
  updatedAt: at(0),
  ...changes
})

describe("the status of a gift card", () => {
  it.each([
    ["ACTIVE", {}],
    ["ACTIVE", { expiresAt: at(1) }],
    ["EXPIRED", { expiresAt: at(0) }],
    ["EXPIRED", { expiresAt: at(0), balance: 0n }],
    ["REDEEMED", { balance: 0n }],
    ["REDEEMED", { balance: 0n, expiresAt: at(1) }],
    ["DISABLED", { disabledAt: at(0) }],
    ["DISABLED", { disabledAt: at(0), expiresAt: at(0), balance: 0n }]
  ] as const)("is %s: %o", (status, changes) => {
    expect(giftCardStatusAt(card(changes), noon)).toBe(status)
    expect(toGiftCardView(card(changes), noon).status).toBe(status)
  })
})

describe("what is shown of a gift card", () => {
  it("is amounts in its own currency", () => {
    expect(toGiftCardView(card({ currency: "JPY" }), noon)).toMatchObject({ initialBalance: "5000", balance: "3750" })
    const entry = {
      id: "gct_1",
      type: "REDEEM",
      amount: -1_250n,
      balance: 3_750n,
      orderId: "ord_1",
      reason: null
    } as const
    expect(toTransactionView({ ...entry, createdAt: at(0) }, "USD")).toEqual({
      ...entry,
      amount: "-12.50",
      balance: "37.50",
      createdAt: "2026-06-01T12:00:00.000Z"
    })
  })

  it("to shoppers is its balance, and nothing of what cannot be used", () => {
    expect(balanceAt(card(), "USD", noon)).toEqual({ balance: "37.50", usable: true, currency: "USD" })
    expect(balanceAt(card(), "EUR", noon)).toEqual({ balance: "37.50", usable: false, currency: "USD" })
    for (const changes of [{ disabledAt: at(0) }, { expiresAt: at(0) }, { balance: 0n }])
      expect(balanceAt(card({ ...changes, currency: "JPY" }), "JPY", noon)).toEqual({ balance: "0.00", usable: false })
    expect(balanceAt(undefined, "USD", noon)).toEqual({ balance: "0.00", usable: false })
  })
})
