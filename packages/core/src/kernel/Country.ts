/**
 * Country codes: the 249 officially assigned alpha-2 codes of ISO 3166-1, and nothing else. Codes that only look
 * official (EL, XI, UK, IC) are rejected and never mapped to another. XK (Kosovo) is user-assigned; a store may allow
 * it. Source: ISO 3166-1.
 */

const CODES =
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY " +
  "BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK " +
  "FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR " +
  "IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK " +
  "ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM " +
  "PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF " +
  "TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW"

/** All 249 codes, in alphabetical order. */
export const COUNTRY_CODES: ReadonlyArray<string> = Object.freeze(CODES.split(" "))

const KNOWN: ReadonlySet<string> = new Set(COUNTRY_CODES)

export interface CountryOptions {
  /** Also accept XK. Default false. */
  readonly allowKosovo?: boolean
}

/** Whether `code` is an upper-case alpha-2 code of ISO 3166-1. `de` is not: normalise input first. */
export const isCountry = (code: string, options?: CountryOptions): boolean =>
  KNOWN.has(code) || (code === "XK" && options?.allowKosovo === true)

/** Trimmed and upper-cased, the form in which country codes are stored and compared. Does not check the code. */
export const normaliseCountry = (input: string): string => input.trim().toUpperCase()

/** Display-name tables are expensive to make and locales come from requests, hence a small cache. */
const CACHED_LOCALES = 32
const names = new Map<string, Intl.DisplayNames>()

const displayNames = (locale: string): Intl.DisplayNames => {
  const known = names.get(locale)
  if (known !== undefined) return known
  if (names.size >= CACHED_LOCALES) names.clear()
  const made = new Intl.DisplayNames([supported(locale), "en"], { type: "region", fallback: "code" })
  names.set(locale, made)
  return made
}

const supported = (locale: string): string => {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? "en"
  } catch {
    return "en"
  }
}

/**
 * The name of a country in a BCP 47 locale, or in English if the locale is unknown or malformed. For an unknown code
 * the code itself.
 */
export const countryName = (code: string, locale = "en"): string =>
  isCountry(code, { allowKosovo: true }) ? (displayNames(locale).of(code) ?? code) : code
