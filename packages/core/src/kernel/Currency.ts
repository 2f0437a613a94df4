/**
 * ISO 4217: which currencies a store may use and how many minor digits each has. The table is our own, because `Intl`
 * reports cash habits instead of the standard (0 digits for IQD, HUF, IDR and a dozen more). Metals, funds and
 * withdrawn codes are left out; CLF, UYI and UYW are included, since the standard gives them minor units.
 * Source: ISO 4217 list one, amendments up to the leva's withdrawal (XCG and ZWG in; ANG, BGN, HRK, SLL and ZWL out).
 */

const WITHOUT_MINOR_UNITS = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
const THREE_DIGITS = "BHD IQD JOD KWD LYD OMR TND"
const FOUR_DIGITS = "CLF UYW"
const TWO_DIGITS =
  "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP " +
  "CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES " +
  "KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK " +
  "NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB " +
  "TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG"

const exponents: ReadonlyMap<string, number> = new Map(
  [
    { codes: WITHOUT_MINOR_UNITS, digits: 0 },
    { codes: TWO_DIGITS, digits: 2 },
    { codes: THREE_DIGITS, digits: 3 },
    { codes: FOUR_DIGITS, digits: 4 }
  ].flatMap(({ codes, digits }) => codes.split(" ").map((code): [string, number] => [code, digits]))
)

/** Every active currency code, in alphabetical order. */
export const CURRENCIES: ReadonlyArray<string> = [...exponents.keys()].sort()

/** Whether `code` is an active ISO 4217 currency. Codes are upper case; `eur` is not one. */
export const isCurrency = (code: string): boolean => exponents.has(code)

/**
 * The number of minor digits of a currency: 2 for EUR, 0 for JPY, 3 for KWD, 4 for CLF. Throws a RangeError for a code
 * that `isCurrency` rejects: such a code must not get past the edge.
 */
export const currencyExponent = (code: string): number => {
  const digits = exponents.get(code)
  if (digits === undefined) throw new RangeError(`${code} is not an active ISO 4217 currency code`)
  return digits
}
