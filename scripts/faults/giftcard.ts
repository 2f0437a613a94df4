/** Faults in gift cards. */
import type { Fault } from "../plantedFaults.ts"

const room = "packages/core/src/giftcard"
const checkouts = ["packages/handler/test/giftcard/GiftCardCheckouts.pg.test.ts"]

export const giftCardFaults: ReadonlyArray<Fault> = [
  {
    id: "giftcard.held-twice",
    breaks: "A gift card is promised to two checkouts whose payments are under way",
    file: `${room}/GiftCardPayments.ts`,
    find: "card.balance - others < amount",
    replace: "card.balance < amount",
    tests: ["packages/core/test/giftcard/GiftCardHistories.prop.test.ts"],
    noticedBy: "is as the reference says"
  },
  {
    id: "giftcard.disabled-spent",
    breaks: "Late money spends a gift card that the merchant has disabled, although nothing was held any more",
    file: `${room}/GiftCardPayments.ts`,
    find: "const isPromised = !isNew && own >= amount",
    replace: "const isPromised = !isNew",
    tests: ["packages/handler/test/giftcard/GiftCardCharges.pg.test.ts"],
    noticedBy: "is refunded when the card was spent or disabled meanwhile"
  },
  {
    id: "giftcard.less-than-shown",
    breaks: "A shopper's credit card is charged for what a gift card was shown to pay",
    file: "packages/core/src/completion/CompletionChecks.ts",
    find: "yield* checkTenders(checkout, quote)",
    replace: "",
    tests: checkouts,
    noticedBy: "is not made where a card has less than was shown"
  },
  {
    id: "giftcard.code-readable",
    breaks: "A copy of the database holds codes that can be spent",
    file: `${room}/GiftCardCode.ts`,
    find: 'hmacSha256Hex(Buffer.from(key).toString("hex"), normaliseGiftCardCode(code))',
    replace: "normaliseGiftCardCode(code)",
    tests: ["packages/handler/test/giftcard/GiftCards.pg.test.ts"],
    noticedBy: "keeps nothing of its code but an HMAC"
  },
  {
    id: "giftcard.other-currency",
    breaks: "A gift card of 9 euros pays 9 dollars",
    file: `${room}/GiftCards.ts`,
    find: "card === undefined || card.currency !== checkout.currency",
    replace: "card === undefined",
    tests: checkouts,
    noticedBy: "is rejected by one error, whatever the reason"
  }
]
