/**
 * Amounts as Stripe's API has them. Its minor units are those of ISO 4217 with exceptions (https://docs.stripe.com/
 * currencies): MGA has none at Stripe, ISK and UGX have none in the standard and are sent as two digits that must be
 * 00, and of the currencies with three digits five are known, whose last digit must be 0. HUF and TWD are charged with
 * two digits as in the standard; only payouts, which we do not make, are restricted. Nothing is ever rounded: what
 * cannot be expressed exactly is an error.
 */
import { currencyExponent, isCurrency } from "../kernel/Currency.ts"

/** The amount has no exact form on the other side. */
export class InexactAmount extends Error {
  readonly _tag = "InexactAmount"
}

const zeroDecimals: ReadonlySet<string> = new Set(
  "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" ")
)
const wholeUnitsAsHundreds: ReadonlySet<string> = new Set(["ISK", "UGX"])
const threeDecimals: ReadonlySet<string> = new Set("BHD JOD KWD OMR TND".split(" "))

interface StripeUnits {
  /** Minor units of ours in `per` units of Stripe's. */
  readonly ours: bigint
  readonly per: bigint
  /** Stripe takes multiples of this alone. */
  readonly step: bigint
}

const unitsOf = (currency: string): StripeUnits => {
  if (!isCurrency(currency)) throw new InexactAmount(`${currency} is not a currency`)
  const digits = currencyExponent(currency)
  if (threeDecimals.has(currency)) return { ours: 1n, per: 1n, step: 10n }
  if (wholeUnitsAsHundreds.has(currency)) return { ours: 1n, per: 100n, step: 100n }
  if (zeroDecimals.has(currency)) return { ours: 10n ** BigInt(digits), per: 1n, step: 1n }
  if (digits !== 2) throw new InexactAmount(`Stripe does not take ${currency}`)
  return { ours: 1n, per: 1n, step: 1n }
}

/** What Stripe is sent for an amount in our minor units. Throws InexactAmount. */
export const toStripeAmount = (amount: bigint, currency: string): number => {
  const { ours, per, step } = unitsOf(currency)
  const scaled = amount * per
  if (scaled % ours !== 0n || (scaled / ours) % step !== 0n)
    throw new InexactAmount(`Stripe cannot take ${amount} minor units of ${currency} to the minor unit`)
  const sent = Number(scaled / ours)
  if (!Number.isSafeInteger(sent)) throw new InexactAmount(`Stripe cannot take so large an amount of ${currency}`)
  return sent
}

/** Our minor units of an amount of Stripe's. Throws InexactAmount. */
export const fromStripeAmount = (amount: number, currency: string): bigint => {
  const { ours, per } = unitsOf(currency.toUpperCase())
  const scaled = BigInt(amount) * ours
  if (scaled % per !== 0n) throw new InexactAmount(`${amount} ${currency} of Stripe is no whole number of minor units`)
  return scaled / per
}
