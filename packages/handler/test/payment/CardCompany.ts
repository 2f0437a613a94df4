/** A payment company of a test: it knows accounts by their keys, and signs its notices. It charges nothing. */
import { constantTimeEqual, hmacSha256Hex } from "@effect-commerce/core/crypto/Hashing"
import {
  CredentialsRejected,
  NoticeRejected,
  PaymentFailed,
  PaymentUnanswered
} from "@effect-commerce/core/payment/PaymentErrors"
import type { CheckedAccount, PaymentProvider } from "@effect-commerce/core/payment/PaymentProvider"
import { Effect, Redacted } from "effect"

/** By their secret keys. */
const accounts: Readonly<Record<string, CheckedAccount>> = {
  key_live_1: { account: "acct_1", mode: "live" },
  key_live_1_new: { account: "acct_1", mode: "live" },
  key_test_1: { account: "acct_1", mode: "test" },
  key_live_2: { account: "acct_2", mode: "live" }
}

/** How it is at the moment, and the bytes of the notices that it was shown. */
export const company = { isSilent: false, read: [] as Array<string> }

export const signatureOf = (secret: string, body: string): string => hmacSha256Hex(secret, body)

const nothing = Effect.fail(new PaymentFailed({ reason: "nothing is charged here" }))

export const cardCompany: PaymentProvider = {
  code: "card",
  name: "Card",
  kind: "card",
  modes: ["test", "live"],
  credentialFields: { secretKey: "the secret key", webhookSecret: "the secret of the webhook" },
  keyLifetime: 60_000,
  settling: 1_000,
  notices: "signed",
  check: (credentials) =>
    Effect.suspend((): ReturnType<PaymentProvider["check"]> => {
      if (credentials === null) return Effect.fail(new CredentialsRejected({ field: null, reason: "no key" }))
      if (company.isSilent) return Effect.fail(new PaymentUnanswered({ reason: "silence" }))
      const { secretKey = "" } = Redacted.value(credentials)
      const account = accounts[secretKey]
      return account === undefined
        ? Effect.fail(new CredentialsRejected({ field: "secretKey", reason: `Invalid API key: ${secretKey}` }))
        : Effect.succeed(account)
    }),
  authorize: () => nothing,
  capture: () => nothing,
  void: () => nothing,
  refund: () => nothing,
  lookup: () => Effect.succeed({ _tag: "Absent" }),
  lookupChange: () => Effect.succeed({ _tag: "Absent" }),
  verifyNotice: ({ credentials }, { headers, body }) => {
    const text = Buffer.from(body).toString("latin1")
    const given = headers["x-card-signature"] ?? ""
    const isSigned = credentials.some((each) =>
      constantTimeEqual(given, signatureOf(Redacted.value(each)["webhookSecret"] ?? "", text))
    )
    return isSigned
      ? Effect.succeed({ eventId: null })
      : Effect.fail(new NoticeRejected({ reason: "The signature does not hold" }))
  },
  readNotice: (_, body) =>
    Effect.sync(() => {
      company.read.push(Buffer.from(body).toString("latin1"))
      return []
    })
}
