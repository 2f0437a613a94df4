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
  name: "Manual payment",
  kind: "manual",
  modes: ["test", "live"],
  credentialFields: {},
  keyLifetime: 0,
  settling: 0,
  notices: "none",
  check: () => Effect.succeed({ account: "", mode: null }),
  authorize: ({ key, amount, currency }) =>
    Effect.succeed({
      externalId: key,
      key,
      state: "pending",
      amount,
      currency,
      authorized: 0n,
      captured: 0n,
      refunds: [],
      disputes: [],
      expiresAt: null,
      nextAction: null,
      reason: null
    }),
  capture: () => byHand,
  void: () => byHand,
  refund: () => byHand,
  lookup: () => Effect.succeed({ _tag: "Absent" }),
  lookupChange: () => Effect.succeed({ _tag: "Absent" }),
  verifyNotice: () => Effect.fail(new NoticeRejected({ reason: "Nobody sends notices for money paid by hand" })),
  readNotice: () => Effect.succeed([])
}
