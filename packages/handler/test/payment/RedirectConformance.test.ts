/** The provider of examples/redirect-payments keeps what the payment room relies on. */
import { paymentProviderChecks } from "@effect-commerce/core/testing/PaymentProviderConformance"
import { Effect } from "effect"
import { afterAll, describe, it } from "vitest"
import { startFlorin } from "../../../../examples/redirect-payments/emulation.ts"
import { florinSubject } from "./florinSubject.ts"

const company = await startFlorin()
afterAll(() => company.stop())

describe("a payment provider of a host's own", () => {
  it.each(paymentProviderChecks(florinSubject(company)))("$name", ({ run }) => Effect.runPromise(run))
})
