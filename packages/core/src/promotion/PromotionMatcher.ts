/**
 * The active rules of a store, compiled: from what a line is (its product, its categories, its brands) to the rules
 * that concern it. A cart costs what its lines match, however many rules the store has. Pure.
 */
import { Result } from "effect"
import { isWindowActive } from "../kernel/TimeWindow.ts"
import { lineScope, type LineScope, namesLines } from "../pricing/LineScope.ts"
import type { ProductGroups } from "../pricing/Sellable.ts"
import { termsOf } from "./internal/changePromotion.ts"
import type { PromotionTerms } from "./PromotionTerms.ts"
import type { PromotionRules, StoredRule } from "./PromotionRepository.ts"

export interface CompiledPromotion
  extends Pick<
    StoredRule,
    | "id"
    | "name"
    | "minimumOrderAmount"
    | "startsAt"
    | "endsAt"
    | "usageLimit"
    | "usageLimitPerCustomer"
    | "combinesWithOther"
  > {
  readonly terms: PromotionTerms
  readonly scope: LineScope
}

/** What a line is, as rules name it. */
export interface MatchedLine {
  readonly productId: string | null
  readonly groups: ProductGroups | null
}

/** A rule and the positions of the lines that are eligible for it: at least one. */
export interface PromotionMatch {
  readonly rule: CompiledPromotion
  readonly at: ReadonlyArray<number>
}

export interface PromotionMatcher {
  readonly isEmpty: boolean
  /** The rules that hold at `now` (epoch milliseconds) and concern a line, in the order in which they are applied. */
  readonly match: (lines: ReadonlyArray<MatchedLine>, now: number) => ReadonlyArray<PromotionMatch>
}

/** Rules of a store whose terms cannot be read are left out: a newer release has written them. */
export const compilePromotions = ({ rules, currency }: Pick<PromotionRules, "rules" | "currency">): PromotionMatcher =>
  indexed(
    rules.flatMap((rule): ReadonlyArray<CompiledPromotion> => {
      const terms = termsOf(rule, currency)
      const { applicableProducts: products, applicableCategories: categories, applicableBrands: brands } = rule
      return Result.isFailure(terms)
        ? []
        : [{ ...rule, terms: terms.success, scope: lineScope({ products, categories, brands }) }]
    })
  )

type Positions = Map<string, Array<number>>

const add = (positions: Positions, ids: Iterable<string>, at: number): void => {
  for (const id of ids) {
    const known = positions.get(id)
    if (known === undefined) positions.set(id, [at])
    else known.push(at)
  }
}

/** `rules` are in the order in which they are applied. */
const indexed = (rules: ReadonlyArray<CompiledPromotion>): PromotionMatcher => {
  const everywhere: Array<number> = []
  const [products, categories, brands]: [Positions, Positions, Positions] = [new Map(), new Map(), new Map()]
  for (const [at, { scope }] of rules.entries()) {
    if (!namesLines(scope)) everywhere.push(at)
    add(products, scope.products, at)
    add(categories, scope.categories, at)
    add(brands, scope.brands, at)
  }

  const match = (lines: ReadonlyArray<MatchedLine>, now: number): ReadonlyArray<PromotionMatch> => {
    if (lines.length === 0) return []
    const found = new Map<number, Array<number>>()
    const allLines = [...lines.keys()]
    for (const rule of everywhere) found.set(rule, allLines)
    const collect = (matching: ReadonlyArray<number> | undefined, line: number): void => {
      for (const rule of matching ?? []) {
        const known = found.get(rule)
        if (known === undefined) found.set(rule, [line])
        else if (known.at(-1) !== line) known.push(line)
      }
    }
    for (const [line, { productId, groups }] of lines.entries()) {
      if (productId !== null) collect(products.get(productId), line)
      for (const id of groups?.categories ?? []) collect(categories.get(id), line)
      for (const id of groups?.brands ?? []) collect(brands.get(id), line)
    }
    return [...found.entries()]
      .sort(([a], [b]) => a - b)
      .flatMap(([position, at]) => {
        const rule = rules[position]
        return rule === undefined || !isWindowActive(rule, now) ? [] : [{ rule, at }]
      })
  }

  return { isEmpty: rules.length === 0, match }
}
