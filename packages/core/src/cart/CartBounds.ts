/**
 * How large a cart may be. Every read of a cart, a checkout or an order returns all of its lines, so their number and
 * the data that callers attach to them are limited. Bytes are of JSON in UTF-8; empty values count as 0.
 */
import { jsonBytes } from "../kernel/JsonSize.ts"
import type { CartLine } from "./Cart.ts"

/** Distinct lines a storefront caller may have. */
export const maxStorefrontLines = 50
/** Distinct lines of any cart, the same as for an order: neither an admin key nor a merge adds more. */
export const maxCartLines = 500
/** `metadata` and `customizations` of one line together. */
export const maxLineExtras = 8 * 1_024
/** `metadata`, `customizations` and modifiers of all lines together, for a storefront and for an admin key. */
export const maxStorefrontExtras = 64 * 1_024
export const maxAdminExtras = 512 * 1_024

type Extras = Pick<CartLine, "metadata" | "customizations" | "modifiers">

const bytesOf = (value: object): number => (Object.keys(value).length === 0 ? 0 : jsonBytes(value))

export const lineExtraBytes = ({ metadata, customizations }: Extras): number =>
  bytesOf(metadata) + bytesOf(customizations)

/** The larger of the two: the error names this field. */
export const largerExtra = ({ metadata, customizations }: Extras): "metadata" | "customizations" =>
  bytesOf(customizations) > bytesOf(metadata) ? "customizations" : "metadata"

/** The largest of the three: the error names this field. */
export const largestExtra = (extras: Extras): "metadata" | "customizations" | "modifiers" => {
  const larger = largerExtra(extras)
  return bytesOf(extras.modifiers) > bytesOf(extras[larger]) ? "modifiers" : larger
}

export const cartExtraBytes = (lines: ReadonlyArray<Extras>): number =>
  lines.reduce((sum, line) => sum + lineExtraBytes(line) + bytesOf(line.modifiers), 0)

/**
 * Splits the lines that a merge brings from another cart: `taken` fit into a cart that has `present`, `left` do not. A
 * line equal to one of `present` always fits, because it only adds to its quantity.
 */
export const fitting = (present: ReadonlyArray<CartLine>, coming: ReadonlyArray<CartLine>) => {
  const presentIdentities = new Set(present.map((line) => line.identity))
  let count = present.length
  let bytes = cartExtraBytes(present)
  const taken: Array<CartLine> = []
  const left: Array<CartLine> = []
  for (const line of coming) {
    const more = presentIdentities.has(line.identity) ? 0 : cartExtraBytes([line])
    const isFitting =
      presentIdentities.has(line.identity) ||
      (count < maxCartLines && (more === 0 || bytes + more <= maxStorefrontExtras))
    if (!isFitting) {
      left.push(line)
      continue
    }
    taken.push(line)
    if (!presentIdentities.has(line.identity)) count++
    bytes += more
  }
  return { taken, left }
}
