/** Which lines a rule or a coupon is for, and how an amount is split over them. Pure. */
import { allocate } from "../kernel/Allocation.ts"
import type { LineShare, LineSoFar } from "./AdjustmentSource.ts"

/** Ids that a rule or a coupon names. */
export interface LineScope {
  readonly products: ReadonlySet<string>
  readonly categories: ReadonlySet<string>
  readonly brands: ReadonlySet<string>
  readonly excludedProducts: ReadonlySet<string>
  readonly excludedCategories: ReadonlySet<string>
}

type ScopeIds = { readonly [K in keyof LineScope]?: ReadonlyArray<string> }

export const lineScope = (ids: ScopeIds): LineScope => ({
  products: new Set(ids.products),
  categories: new Set(ids.categories),
  brands: new Set(ids.brands),
  excludedProducts: new Set(ids.excludedProducts),
  excludedCategories: new Set(ids.excludedCategories)
})

/** Whether it names anything that only the groups of a product tell: see Stores.bumpRules. */
export const namesGroups = ({ categories, brands, excludedCategories }: ScopeIds): boolean =>
  [categories, brands, excludedCategories].some((ids) => (ids?.length ?? 0) > 0)

/** Whether it names products, categories or brands; otherwise it is for every line that it does not exclude. */
export const namesLines = ({ products, categories, brands }: LineScope): boolean =>
  products.size + categories.size + brands.size > 0

const anyOf = (ids: ReadonlyArray<string> | undefined, named: ReadonlySet<string>): boolean =>
  named.size > 0 && ids !== undefined && ids.some((id) => named.has(id))

/** What a scope looks at: of a line of a quote, `sellable` has both. */
type ScopedLine = Pick<LineSoFar, "productId" | "groups">

const isEligible = ({ productId, groups }: ScopedLine, scope: LineScope): boolean => {
  if (productId !== null && scope.excludedProducts.has(productId)) return false
  if (anyOf(groups?.categories, scope.excludedCategories)) return false
  if (!namesLines(scope)) return true
  return (
    (productId !== null && scope.products.has(productId)) ||
    anyOf(groups?.categories, scope.categories) ||
    anyOf(groups?.brands, scope.brands)
  )
}

/**
 * The lines of one of the named products, categories or brands: all lines where none is named. A line that is excluded
 * is none of them. A category includes its descendants.
 */
export const eligibleLines = <Line extends ScopedLine>(
  lines: ReadonlyArray<Line>,
  scope: LineScope
): ReadonlyArray<Line> => lines.filter((line) => isEligible(line, scope))

/** What is left of the lines after the discounts so far. */
export const dueOf = (lines: ReadonlyArray<LineSoFar>): bigint => lines.reduce((sum, { due }) => sum + due, 0n)

/**
 * Splits an amount over lines in proportion to what is left of each, by largest remainder. No line gets more than it
 * has left.
 */
export const spread = (amount: bigint, lines: ReadonlyArray<LineSoFar>): ReadonlyArray<LineShare> => {
  if (amount <= 0n || lines.length === 0) return []
  const due = lines.map((line) => line.due)
  const shares = allocate(amount, due, due)
  const denominator = dueOf(lines)
  const given = amount < denominator ? amount : denominator
  return lines.flatMap(({ id, quantity, due: of }, i) => {
    const share = shares[i] ?? 0n
    if (share === 0n) return []
    return [{ lineId: id, amount: share, units: quantity, exact: { numerator: given * of, denominator } }]
  })
}
