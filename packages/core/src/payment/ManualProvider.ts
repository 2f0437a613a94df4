/**
 * `manual`: cash, a bank transfer, an invoice. The order is placed unpaid; the merchant records the money when it has
 * come.
 */
import { Effect } from "effect"
import { NoticeRejected, PaymentFailed } from "./PaymentErrors.ts"
import type { PaymentProvider } from "./PaymentProvider.ts"

const byHand = Effect.fail(new PaymentFailed({ reason: "Money paid by hand is moved by hand" }))

export const manualProvider: PaymentProvider = {
  code: "manual",
  kind: "offline",
  testOnly: false,
  authorize: ({ key }) => Effect.succeed({ state: "pending", externalId: key, captured: 0n }),
  capture: () => byHand,
  void: () => Effect.void,
  refund: () => byHand,
  lookup: () => Effect.succeed({ _tag: "Absent" }),
  readNotice: () => Effect.fail(new NoticeRejected({ reason: "Nobody sends notices for money paid by hand" }))
}
