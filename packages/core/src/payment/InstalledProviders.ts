/**
 * The payment providers of this installation: those that come with it, and a host's own
 * (`createCommerce({ payments: { providers } })`). The root of the application makes the list.
 */
import { Context } from "effect"
import type { PaymentProvider } from "./PaymentProvider.ts"

export interface PaymentOptions {
  /** Payment providers of the host's own, beside those that come with the installation. */
  readonly providers?: ReadonlyArray<PaymentProvider> | undefined
}

export class InstalledProviders extends Context.Service<InstalledProviders, ReadonlyArray<PaymentProvider>>()(
  "@effect-commerce/core/payment/InstalledProviders"
) {}

/** Codes of providers that come with the installation, and names of payment methods that no provider serves. */
const takenCodes = ["manual", "test", "stripe", "free", "provider", "gift_card"]

/** Why a host's own providers cannot be installed; undefined if they can. */
export const providersProblem = (own: ReadonlyArray<PaymentProvider>): string | undefined => {
  const codes = own.map(({ code }) => code)
  const malformed = codes.find((code) => !/^[a-z][a-z0-9_-]{0,49}$/.test(code))
  if (malformed !== undefined)
    return `the code ${JSON.stringify(malformed)} must begin with a-z and have at most 50 of a-z, 0-9, _ and -`
  const twice = codes.find((code, i) => takenCodes.includes(code) || codes.indexOf(code) !== i)
  return twice === undefined ? undefined : `the code ${twice} is taken`
}
