/**
 * Ids of samples: one of each kind, with the prefix that the server gives it, so that all samples of the API document
 * speak of the same store, channel, product, cart and order.
 */

/** What an id is of -> how such an id begins (the callers of core's `makeId`); null: the server makes none of those. */
const prefixes: Readonly<Record<string, string | null>> = {
  account: "acct",
  actor: "key",
  address: "addr",
  adjustment: "mov",
  attachment: "modatt",
  attribute: "attr",
  brand: "brand",
  "bundle item": "bundle",
  "bundle offer": "offer",
  cart: "cart",
  category: "cat",
  channel: "vc",
  checkout: "chk",
  "checkout field": "chkfield",
  conflict: "mfconf",
  connection: "vc",
  coupon: "coupon",
  "coupon conflict": "cpnconf",
  "cross sell": "prod",
  customer: "cust",
  "customization field": "mfdef",
  delivery: "whd",
  "draft order": "draft",
  dispute: "dsp",
  download: "file",
  event: "evt",
  export: "exp",
  file: "file",
  "gift card": "gc",
  "gift card transaction": "gct",
  fulfillment: "ful",
  group: "modgrp",
  image: "img",
  import: "job",
  item: "item",
  job: "job",
  key: "key",
  label: "olabel",
  line: "line",
  mail: "mail",
  media: "media",
  message: "mail",
  metafield: "mfdef",
  "metafield conflict": "mfconf",
  modifier: "mod",
  offer: "offer",
  "modifier group": "modgrp",
  movement: "mov",
  option: "opt",
  order: "ord",
  parent: "cat",
  payment: "pay",
  "payment provider": "ppr",
  product: "prod",
  promotion: "promo",
  profile: "cust",
  rate: "tax",
  refund: "ref",
  region: "region",
  review: "review",
  related: "prod",
  "shipping class": "shipclass",
  "shipping rate": "shiprate",
  store: "store",
  subscription: "whs",
  "tax class": "taxclass",
  "tax rate": "tax",
  template: "tmpl",
  tender: "gc",
  upsell: "prod",
  user: "user",
  variant: "var",
  zone: "zone",
  "zone rate": "shiprate"
}

/** The word for one: `categories` -> `category`, `addresses` -> `address`, `keys` -> `key`. */
const singular = (word: string): string =>
  word.endsWith("ies") ? `${word.slice(0, -3)}y` : word.replace(/(?<=ss)es$|(?<!s)s$/, "")

/** `StorefrontTaxClasses` and `storefront-tax-classes` -> storefront, tax, class. */
export const wordsOf = (name: string): ReadonlyArray<string> =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .map((word) => singular(word.toLowerCase()))

/** The prefix of what `name` speaks of: its last words say it best. null where the server makes no such ids. */
export const prefixOf = (name: string): string | null => {
  const words = wordsOf(name)
  for (let end = words.length; end > 0; end--)
    for (let start = 0; start < end; start++) {
      const prefix = prefixes[words.slice(start, end).join(" ")]
      if (prefix !== undefined) return prefix
    }
  return null
}

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
const hexadecimal = "0123456789abcdef"

/** Letters that look chosen at random and are the same for the same text. */
export const lettersOf = (text: string, length: number, letters: string): string => {
  let state = [...text].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 2_147_483_647, 7)
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647
    return letters.charAt(state % letters.length)
  }).join("")
}

/**
 * The id that samples of a kind have; with `which` that of another one of the kind. Ids of carts and checkouts are
 * secrets, and longer.
 */
export const sampleId = (prefix: string, which = 0): string => {
  const text = which === 0 ? prefix : `${prefix} ${which}`
  if (prefix === "evt") return `evt_${lettersOf(text, 32, hexadecimal)}`
  return `${prefix}_01kjqf3m2q${lettersOf(text, prefix === "cart" || prefix === "chk" ? 26 : 16, alphabet)}`
}

const isId = /^[a-z]+_[0-9a-z]{26,}$/

/** Ids in an example that was written by hand become those of the other samples. */
export const withSampleIds = (example: unknown): unknown => {
  if (Array.isArray(example)) return example.map(withSampleIds)
  if (typeof example === "string") {
    const prefix = example.split("_")[0] ?? ""
    return isId.test(example) && Object.values(prefixes).includes(prefix) ? sampleId(prefix) : example
  }
  if (typeof example !== "object" || example === null) return example
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, withSampleIds(value)]))
}
