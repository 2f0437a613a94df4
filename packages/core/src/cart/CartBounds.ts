/**
 * How much a cart may hold: every read of a cart, a checkout or an order carries all of its lines, so that their number
 * and what a caller writes on them is bounded. Bytes are of JSON in UTF-8; what is empty counts nothing.
 */
import { jsonBytes } from "../kernel/JsonSize.ts"
import type { CartLine } from "./Cart.ts"

/** Distinct lines a storefront caller may have. */
export const maxStorefrontLines = 50
/** Distinct lines of any cart, as many as an order may have: beyond it an admin key, or a merge, adds none. */
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

/** Which of the two is to be shorter. */
export const largerExtra = ({ metadata, customizations }: Extras): "metadata" | "customizations" =>
  bytesOf(customizations) > bytesOf(metadata) ? "customizations" : "metadata"

/** Which of the three is to be shorter. */
export const largestExtra = (extras: Extras): "metadata" | "customizations" | "modifiers" => {
  const larger = largerExtra(extras)
  return bytesOf(extras.modifiers) > bytesOf(extras[larger]) ? "modifiers" : larger
}

export const cartExtraBytes = (lines: ReadonlyArray<Extras>): number =>
  lines.reduce((sum, line) => sum + lineExtraBytes(line) + bytesOf(line.modifiers), 0)

/**
 * Splits the lines that come from another cart by a merge: `taken` fit into a cart that has `present`, `left` do not. A
 * line that is the same as one of `present` always fits, because it only adds to its quantity.
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
