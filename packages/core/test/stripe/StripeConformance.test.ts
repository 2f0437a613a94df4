import { Effect } from "effect"
import { afterAll, describe, it } from "vitest"
import { paymentProviderChecks } from "../../src/testing/PaymentProviderConformance.ts"
import { startStripeEmulation } from "../../src/emulation/StripeEmulation.ts"
import { emulatedAccounts, stripeSubject } from "./stripeSubject.ts"

const stripe = await startStripeEmulation({ accounts: emulatedAccounts })
afterAll(() => stripe.stop())

describe("the payment provider stripe", () => {
  it.each(paymentProviderChecks(stripeSubject(stripe)))("$name", ({ run }) => Effect.runPromise(run))
})
