import { describe, expect, it } from "vitest"
import { declineCodes } from "../../src/payment/DeclineCode.ts"
import { cancellationOf, declineOf } from "../../src/stripe/StripeDeclines.ts"

describe("why Stripe declined", () => {
  it.each([
    ["insufficient_funds", "insufficient_funds"],
    ["expired_card", "expired_card"],
    ["incorrect_cvc", "incorrect_details"],
    ["incorrect_zip", "incorrect_details"],
    ["invalid_number", "incorrect_details"],
    ["authentication_required", "authentication_failed"],
    ["pin_try_exceeded", "authentication_failed"],
    ["card_velocity_exceeded", "limit_exceeded"],
    ["withdrawal_count_limit_exceeded", "limit_exceeded"],
    ["currency_not_supported", "currency_not_supported"],
    ["issuer_not_available", "processing_error"],
    ["try_again_later", "processing_error"],
    ["generic_decline", "card_declined"],
    ["do_not_honor", "card_declined"],
    ["a_code_of_next_year", "card_declined"]
  ])("reads the decline code %s as %s", (decline_code, code) => {
    expect(declineOf({ code: "card_declined", decline_code })).toBe(code)
  })

  it.each(["lost_card", "stolen_card", "fraudulent", "merchant_blacklist", "pickup_card"])(
    "does not tell a stranger with somebody else's card that it is %s",
    (decline_code) => {
      expect(declineOf({ code: "card_declined", decline_code })).toBe("card_declined")
    }
  )

  it.each([
    ["payment_intent_authentication_failure", "authentication_failed"],
    ["payment_method_customer_decline", "cancelled"],
    ["payment_method_provider_timeout", "expired"],
    ["payment_method_currency_mismatch", "currency_not_supported"],
    ["incorrect_number", "incorrect_details"],
    ["processing_error", "processing_error"]
  ])("reads the error code %s as %s where there is no decline code", (code, read) => {
    expect(declineOf({ code })).toBe(read)
  })

  it("takes an error of the request for none", () => {
    expect(declineOf({ code: "parameter_missing" })).toBeUndefined()
    expect(declineOf({})).toBeUndefined()
  })

  it.each([
    ["automatic", "expired"],
    ["expired", "expired"],
    ["fraudulent", "suspected_fraud"],
    ["requested_by_customer", "cancelled"],
    [null, "cancelled"]
  ])("reads the cancellation %s as %s", (reason, code) => {
    expect(cancellationOf(reason)).toBe(code)
    expect(declineCodes).toContain(code)
  })
})
