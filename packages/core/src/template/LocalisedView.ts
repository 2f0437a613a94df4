/**
 * What a view says in the language of its mail: beside each amount `x` stands `xFormatted` with its currency, and
 * beside each word of the API, such as a role or a state, `xLabel`. The plain values stay for templates that print
 * them.
 */
import type { View } from "./TemplateRenderer.ts"

const isGerman = (language: string): boolean => language.split("-")[0] === "de"

/** Variables that hold an amount as a decimal string. */
const amounts: ReadonlySet<string> = new Set([
  "subtotal",
  "discountTotal",
  "shippingAmount",
  "surchargeTotal",
  "taxAmount",
  "totalAmount",
  "refundAmount",
  "concernedAmount",
  "unitPrice",
  "totalPrice"
])

/** Words of the API in English and German, by the variable that holds them. */
const states = {
  pending: ["outstanding", "offen"],
  authorized: ["authorised", "autorisiert"],
  partially_paid: ["partly paid", "teilweise bezahlt"],
  paid: ["paid", "bezahlt"],
  partially_refunded: ["partly refunded", "teilweise erstattet"],
  refunded: ["refunded", "erstattet"],
  voided: ["cancelled", "storniert"]
} as const
const roles = {
  owner: ["owner", "Inhaberin oder Inhaber"],
  admin: ["administrator", "Administration"],
  staff: ["staff", "Team"]
} as const
const resources = {
  orders: ["orders", "Bestellungen"],
  customers: ["customers", "Kundinnen und Kunden"],
  products: ["products", "Produkte"],
  inventory: ["stock", "Bestand"]
} as const
type Words = Readonly<Record<string, readonly [english: string, german: string]>>
const labels: ReadonlyMap<string, Words> = new Map<string, Words>([
  ["financialStatus", states],
  ["role", roles],
  ["previousRole", roles],
  ["resource", resources]
])

const decimal = /^-?\d{1,25}(?:\.(\d{1,4}))?$/

/** Making a format takes longer than using it: the last ones are kept. */
const formats = new Map<string, Intl.NumberFormat>()
const mostFormats = 500

const formatOf = (language: string, currency: string, fraction: number): Intl.NumberFormat => {
  const name = `${language} ${currency} ${fraction}`
  const known = formats.get(name)
  if (known !== undefined) return known
  const digits = { minimumFractionDigits: fraction, maximumFractionDigits: fraction }
  const made = new Intl.NumberFormat(language, { style: "currency", currency, ...digits })
  if (formats.size >= mostFormats) formats.clear()
  formats.set(name, made)
  return made
}

/** An amount with its currency as the language writes it; as it is where the language or the currency is unknown. */
const formattedMoney = (amount: string, currency: string, language: string): string => {
  const digits = decimal.exec(amount)
  if (digits === null) return `${amount} ${currency}`
  const fraction = digits[1]?.length ?? 0
  try {
    return formatOf(language, currency, fraction).format(amount as Intl.StringNumericLiteral)
  } catch {
    return `${amount} ${currency}`
  }
}

const labelOf = (words: Words, value: unknown, language: string): unknown => {
  const known = typeof value === "string" && Object.hasOwn(words, value) ? words[value] : undefined
  return known === undefined ? value : known[isGerman(language) ? 1 : 0]
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Adds what is said in the language to a view and to the records of its lists. Its own values win. */
export const localisedView = (view: View, language: string, currency: unknown = view["currency"]): View => {
  const added: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(view)) {
    if (amounts.has(name) && typeof currency === "string")
      added[`${name}Formatted`] = typeof value === "string" ? formattedMoney(value, currency, language) : value
    const words = labels.get(name)
    if (words !== undefined) added[`${name}Label`] = labelOf(words, value, language)
    if (Array.isArray(value))
      added[name] = value.map((entry: unknown) => (isRecord(entry) ? localisedView(entry, language, currency) : entry))
  }
  return { ...added, ...view, ...listsOf(added) }
}

/** Lists replace those of the view: their records have been added to. */
const listsOf = (added: Readonly<Record<string, unknown>>): View =>
  Object.fromEntries(Object.entries(added).filter(([, value]) => Array.isArray(value)))

/** What the row of taxes is called. */
export const taxLabelIn = (language: string, isIncluded: boolean): string => {
  if (isGerman(language)) return isIncluded ? "Enthaltene Steuern" : "Steuern"
  return isIncluded ? "Tax (included)" : "Tax"
}
