import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { CartLine } from "../../src/cart/Cart.ts"
import { mergeLines } from "../../src/cart/internal/mergeLines.ts"
import { law } from "../kernel/laws.ts"

interface Row {
  readonly total: number
  readonly isTracked: boolean
  readonly isVisible: boolean
}
interface Drawn {
  readonly product: number
  readonly kind: number
  readonly quantity: number
}

const rows = fc.array(fc.record({ total: fc.nat(12), isTracked: fc.boolean(), isVisible: fc.boolean() }), {
  minLength: 3,
  maxLength: 3
})
const drawn = fc.record({ product: fc.nat(2), kind: fc.nat(2), quantity: fc.integer({ min: 1, max: 8 }) })
/** A cart has one line of an identity. */
const cart = fc.uniqueArray(drawn, { maxLength: 6, selector: ({ product, kind }) => `${product}/${kind}` })

const sellable = ({ total, isTracked, isVisible }: Row, product: number): CartLine["sellable"] => ({
  productId: `prod_${product}`,
  variantId: null,
  type: "SIMPLE",
  visible: isVisible,
  deleted: false,
  name: "Lamp",
  slug: "lamp",
  variantName: null,
  attributes: null,
  sku: null,
  image: null,
  price: "1000",
  salePrice: null,
  saleStartsAt: null,
  saleEndsAt: null,
  taxExempt: false,
  taxClassId: null,
  shippingClassId: null,
  weight: null,
  weightUnit: null,
  isDownloadable: false,
  stock: {
    trackingMode: isTracked ? "TRACKED" : "UNTRACKED",
    backorderMode: "DENY",
    backorderLimit: null,
    total,
    reserved: 0
  },
  modifiers: null,
  kit: null,
  kitPricingMode: null,
  groups: null,
  kitDiscountValue: null
})
const toLine =
  (rows: ReadonlyArray<Row>, owner: string) =>
  ({ product, kind, quantity }: Drawn): CartLine => ({
    id: `${owner}_${product}_${kind}`,
    identity: `${product}/${kind}`,
    productId: `prod_${product}`,
    variantId: null,
    quantity,
    unitPrice: owner === "target" ? 900n : 1_000n,
    notes: null,
    metadata: { kind },
    customizations: {},
    modifiers: [],
    offer: null,
    sellable: sellable(rows[product] ?? { total: 0, isTracked: true, isVisible: true }, product)
  })

const cases = fc.tuple(rows, cart, cart)
const merged = ([rows, target, source]: readonly [ReadonlyArray<Row>, ReadonlyArray<Drawn>, ReadonlyArray<Drawn>]) => {
  const [mine, theirs] = [target.map(toLine(rows, "target")), source.map(toLine(rows, "source"))]
  return { mine, theirs, result: mergeLines(mine, theirs, {}) }
}

describe("laws of merging two carts", () => {
  it("every line of both is in it once: the target's under their ids and prices, then the others of the source in their order", () => {
    law(cases, (drawnCase) => {
      const { mine, theirs, result } = merged(drawnCase)
      const others = theirs.filter((line) => mine.every(({ identity }) => identity !== line.identity))
      expect(result.lines.map(({ id, unitPrice }) => [id, unitPrice])).toEqual(
        [...mine, ...others].map(({ id, unitPrice }) => [id, unitPrice])
      )
    })
  })

  it("a line that is not short has the sum of both", () => {
    law(cases, (drawnCase) => {
      const { mine, theirs, result } = merged(drawnCase)
      const of = (lines: ReadonlyArray<CartLine>, identity: string) =>
        lines.find((line) => line.identity === identity)?.quantity ?? 0
      for (const line of result.lines) {
        const wanted = of(mine, line.identity) + of(theirs, line.identity)
        if (result.short.includes(line.id)) expect(line.quantity).toBeLessThanOrEqual(wanted)
        else expect(line.quantity).toBe(wanted)
      }
    })
  })

  it("lines that got all or some ask for no more than there is, and a row gives all it has before a line is short", () => {
    law(cases, (drawnCase) => {
      const { mine, theirs, result } = merged(drawnCase)
      let isGranted = false
      for (const [product, row] of drawnCase[0].entries()) {
        const lines = result.lines.filter((line) => line.productId === `prod_${product}`)
        const wanted = new Map(lines.map((line) => [line.id, 0]))
        for (const line of lines) {
          for (const part of [...mine, ...theirs])
            if (part.identity === line.identity) wanted.set(line.id, (wanted.get(line.id) ?? 0) + part.quantity)
        }
        const available = row.isVisible ? (row.isTracked ? row.total : Number.POSITIVE_INFINITY) : 0
        let left = available
        for (const line of lines) {
          const asked = wanted.get(line.id) ?? 0
          const granted = Math.min(asked, left)
          left -= granted
          expect(result.short.includes(line.id)).toBe(granted < asked)
          if (granted === 0) continue
          isGranted = true
          expect(line.quantity).toBe(granted)
        }
      }
      expect(result.isGranted).toBe(isGranted)
    })
  })
})
