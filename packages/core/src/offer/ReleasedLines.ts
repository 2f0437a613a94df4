/**
 * Which lines lose the price of their offer once the lines they are bought with have changed. Pure. A bundle is sold as
 * it was added: once one of its lines is changed or removed, the others are ordinary lines. A bundle and an order bump
 * also need the product that brought them up.
 */
import { type LineOffer, needsTrigger } from "./OfferTerms.ts"

/** A line, and what makes it the same line as before. */
interface ComparedLine {
  readonly id: string
  readonly identity: string
  readonly productId: string
  readonly quantity: number
  readonly offer: LineOffer | null
}
type Lines = ReadonlyArray<ComparedLine>

/** Bundles of which a line was changed or removed. */
const changedBundles = (before: Lines, after: Lines): ReadonlySet<string> => {
  const now = new Map(after.map((line) => [line.id, line]))
  return new Set(
    before.flatMap(({ id, quantity, identity, offer }) => {
      const line = now.get(id)
      const isSame = line?.quantity === quantity && line.identity === identity
      return isSame || offer === null || offer.bundleItemId === null ? [] : [offer.bundleItemId]
    })
  )
}

/** Ids of the lines in `after` that no longer get the price of their offer. */
export const releasedBy = (before: Lines, after: Lines): ReadonlySet<string> => {
  if (after.every(({ offer }) => offer === null)) return new Set()
  const bundles = changedBundles(before, after)
  const present = new Set(after.map(({ productId }) => productId))
  const left = new Set(before.flatMap(({ productId }) => (present.has(productId) ? [] : [productId])))
  return new Set(
    after.flatMap(({ id, offer }) => {
      if (offer === null) return []
      const isBroken = offer.bundleItemId !== null && bundles.has(offer.bundleItemId)
      const isAlone = needsTrigger(offer) && left.has(offer.terms?.triggerProductId ?? "")
      return isBroken || isAlone ? [id] : []
    })
  )
}

export interface Released<Line> {
  /** All lines of the cart. */
  readonly lines: ReadonlyArray<Line>
  /** Those among them that have changed. */
  readonly changed: ReadonlyArray<Line>
  readonly merged: ReadonlyArray<{ readonly gone: string; readonly into: string }>
}

/**
 * Makes lines ordinary, each by `ordinaryLine`. One that is now equal to another line adds its quantity to that one,
 * which keeps its price.
 */
export const withoutOffers = <Line extends ComparedLine>(
  lines: ReadonlyArray<Line>,
  released: ReadonlySet<string>,
  ordinaryLine: (line: Line) => Line
): Released<Line> => {
  const all = new Map(lines.filter(({ id }) => !released.has(id)).map((line) => [line.id, line]))
  const byIdentity = new Map([...all.values()].map((line) => [line.identity, line.id]))
  const changed = new Set<string>()
  const merged: Array<{ gone: string; into: string }> = []
  for (const line of lines) {
    if (!released.has(line.id)) continue
    const ordinary = ordinaryLine(line)
    const same = all.get(byIdentity.get(ordinary.identity) ?? "")
    const kept = same === undefined ? ordinary : { ...same, quantity: same.quantity + line.quantity }
    if (same !== undefined) merged.push({ gone: line.id, into: same.id })
    all.set(kept.id, kept)
    byIdentity.set(kept.identity, kept.id)
    changed.add(kept.id)
  }
  const kept = lines.flatMap(({ id }) => all.get(id) ?? [])
  return { lines: kept, changed: kept.filter(({ id }) => changed.has(id)), merged }
}
