import { describe, expect, it } from "vitest"
import { eligibleLines, lineScope } from "../../src/pricing/LineScope.ts"
import type { LineSoFar } from "../../src/pricing/AdjustmentSource.ts"
import { compilePromotions, type MatchedLine, type PromotionMatcher } from "../../src/promotion/PromotionMatcher.ts"
import { law } from "../kernel/laws.ts"
import { matcherOf, pricedCart, storedRule } from "./pricedCart.ts"
import { cart } from "./randomPromotions.ts"
import type { ReferenceCart, ReferenceLine, ReferenceRule } from "./referencePromotions.ts"

const rule = (at: number, given: Partial<ReferenceRule> = {}): ReferenceRule => ({
  id: `promo_${String(at).padStart(4, "0")}`,
  priority: 0,
  createdAt: at,
  terms: { type: "PERCENTAGE_OFF", percent: 10 },
  minimum: null,
  products: [],
  categories: [],
  brands: [],
  startsAt: null,
  endsAt: null,
  combines: true,
  limit: null,
  customerLimit: null,
  uses: 0,
  usesByCustomer: 0,
  ...given
})
const lines: ReadonlyArray<ReferenceLine> = Array.from({ length: 50 }, (_, i) => ({
  id: `line_${i}`,
  productId: `prod_${i}`,
  categories: [`cat_${i % 7}`, "cat_root"],
  brands: [`brand_${i % 5}`],
  quantity: 2,
  unitPrice: 1_999n
}))

const asLine = ({ productId, categories, brands }: Pick<ReferenceLine, "productId" | "categories" | "brands">) =>
  ({ productId, groups: { categories, brands, tags: [] } }) satisfies MatchedLine

/** The plain way: every rule is asked about every line. */
const linear =
  (rules: ReadonlyArray<ReferenceRule>): PromotionMatcher["match"] =>
  (given, now) => {
    const all = given.map((line, i) => ({ ...line, id: String(i) }) as LineSoFar)
    return matchers(rules).flatMap(({ scope, compiled }) => {
      const at = eligibleLines(all, scope).map(({ id }) => Number(id))
      const { startsAt, endsAt } = compiled
      const holds = (startsAt === null || startsAt <= now) && (endsAt === null || now < endsAt)
      return holds && at.length > 0 ? [{ rule: compiled as never, at }] : []
    })
  }

const scopes = new WeakMap<
  ReadonlyArray<ReferenceRule>,
  ReadonlyArray<{ scope: ReturnType<typeof lineScope>; compiled: ReferenceRule }>
>()
const matchers = (rules: ReadonlyArray<ReferenceRule>) => {
  const known = scopes.get(rules)
  if (known !== undefined) return known
  const made = rules.map((compiled) => ({ compiled, scope: lineScope(compiled) }))
  scopes.set(rules, made)
  return made
}

const named = (matches: ReturnType<PromotionMatcher["match"]>) => matches.map((match) => [match.rule.id, match.at])

describe("the index of rules", () => {
  it("finds the rules and lines that asking every rule about every line finds", () => {
    law(cart, (given: ReferenceCart) => {
      const inOrder = [...given.rules].sort(
        (a, b) => a.priority - b.priority || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)
      )
      const asked = given.lines.map(asLine)
      expect(named(matcherOf(given.rules).match(asked, given.now))).toEqual(named(linear(inOrder)(asked, given.now)))
    })
  })

  it("holds a rule from the very millisecond of its start to the one before its end", () => {
    const { match } = matcherOf([rule(1, { startsAt: 1_000, endsAt: 2_000 })])
    const counts = [999, 1_000, 1_999, 2_000].map((now) => match([asLine(lines[0] as ReferenceLine)], now).length)
    expect(counts).toEqual([0, 1, 1, 0])
  })

  it("leaves out a rule whose terms cannot be read", () => {
    const { percent: _percent, ...stored } = storedRule(rule(1))
    const broken = { ...stored, percent: "a lot" }
    const { isEmpty } = compilePromotions({ rules: [broken], currency: "USD" })
    expect(isEmpty).toBe(true)
  })

  it("costs what its matches cost: 200 rules that concern no line are found by looking each line up once", () => {
    const rules = Array.from({ length: 200 }, (_, i) =>
      rule(i, { products: Array.from({ length: 20 }, (_each, n) => `other_${i}_${n}`), categories: [`none_${i}`] })
    )
    const asked = lines.map(asLine)
    const { match } = matcherOf(rules)
    const plain = linear(rules)
    const timeOf = (one: PromotionMatcher["match"]): number => {
      let best = Number.POSITIVE_INFINITY
      for (let turn = 0; turn < 7; turn++) {
        const began = performance.now()
        for (let i = 0; i < 20; i++) one(asked, 0)
        best = Math.min(best, performance.now() - began)
      }
      return best
    }
    expect(match(asked, 0)).toEqual(plain(asked, 0))
    expect(timeOf(plain) / timeOf(match)).toBeGreaterThan(5)
  })

  it("lets a cart of 50 lines match some of 200 rules, and prices the same as with these alone", () => {
    const rules = Array.from({ length: 200 }, (_, i) =>
      rule(i, { products: [i % 50 === 0 ? `prod_${i / 50}` : `x_${i}`] })
    )
    const given = { lines, rules, shipping: null, hasCustomer: false, now: 0 }
    const matching = rules.filter((_, i) => i % 50 === 0)
    const { trace: _trace, ...priced } = pricedCart(given)
    const { trace: _other, ...alone } = pricedCart({ ...given, rules: matching })
    expect(priced).toEqual(alone)
    expect(priced.adjustments.map(({ sourceId, amount }) => [sourceId, amount])).toEqual(
      matching.map(({ id }) => [id, 400n])
    )
  })
})
