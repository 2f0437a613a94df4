/**
 * A second way to what promotions take off, written apart from the product and slowly: every rule is asked about every
 * line, units are laid out one by one, amounts are dealt out minor unit by minor unit, and every set of rules that may
 * apply together is priced. There is no tax here. It imports nothing of the product.
 */

export interface ReferenceLine {
  readonly id: string
  readonly productId: string | null
  readonly categories: ReadonlyArray<string>
  readonly brands: ReadonlyArray<string>
  readonly quantity: number
  readonly unitPrice: bigint
}

type Off = { readonly percent: number } | { readonly amount: bigint }

export type ReferenceTerms =
  | { readonly type: "PERCENTAGE_OFF"; readonly percent: number }
  | { readonly type: "AMOUNT_OFF"; readonly amount: bigint }
  | {
      readonly type: "BUY_X_GET_Y"
      readonly buy: number
      readonly get: number
      readonly percent: number
      readonly sameProducts: boolean
    }
  | {
      readonly type: "TIERED"
      readonly tiers: ReadonlyArray<{
        readonly from: { readonly units: number } | { readonly sum: bigint }
        readonly off: Off
      }>
    }
  | { readonly type: "FREE_SHIPPING"; readonly zones: ReadonlyArray<string>; readonly rates: ReadonlyArray<string> }

export interface ReferenceRule {
  readonly id: string
  readonly priority: number
  readonly createdAt: number
  readonly terms: ReferenceTerms
  readonly minimum: bigint | null
  readonly products: ReadonlyArray<string>
  readonly categories: ReadonlyArray<string>
  readonly brands: ReadonlyArray<string>
  readonly startsAt: number | null
  readonly endsAt: number | null
  readonly combines: boolean
  readonly limit: number | null
  readonly customerLimit: number | null
  /** Orders that have used it, and those of this customer. */
  readonly uses: number
  readonly usesByCustomer: number
}

export interface ReferenceCart {
  readonly lines: ReadonlyArray<ReferenceLine>
  readonly rules: ReadonlyArray<ReferenceRule>
  readonly shipping: { readonly amount: bigint; readonly zone: string; readonly rate: string } | null
  readonly hasCustomer: boolean
  readonly now: number
}

export interface ReferenceResult {
  readonly total: bigint
  /** `rule line` to what was taken and of how many units; the line `shipping` has none. */
  readonly taken: Readonly<Record<string, { readonly amount: bigint; readonly units: number }>>
  /** Rules that lack something: the reason, and what is missing. */
  readonly missing: Readonly<Record<string, string>>
  /** Rules that lost, to these. */
  readonly lost: Readonly<Record<string, ReadonlyArray<string>>>
}

const holds = ({ startsAt, endsAt }: ReferenceRule, now: number): boolean =>
  !(startsAt !== null && now < startsAt) && !(endsAt !== null && now > endsAt - 1)

const comesFirst = (a: ReferenceRule, b: ReferenceRule): boolean =>
  a.priority !== b.priority
    ? a.priority < b.priority
    : a.createdAt !== b.createdAt
      ? a.createdAt < b.createdAt
      : a.id < b.id

const inOrder = (rules: ReadonlyArray<ReferenceRule>): ReadonlyArray<ReferenceRule> => {
  const sorted: Array<ReferenceRule> = []
  for (const rule of rules) {
    let at = 0
    while (at < sorted.length && comesFirst(sorted[at] as ReferenceRule, rule)) at++
    sorted.splice(at, 0, rule)
  }
  return sorted
}

const concerns = (rule: ReferenceRule, line: ReferenceLine): boolean => {
  const names = rule.products.length + rule.categories.length + rule.brands.length
  if (names === 0) return true
  if (line.productId !== null && rule.products.includes(line.productId)) return true
  return (
    line.categories.some((id) => rule.categories.includes(id)) || line.brands.some((id) => rule.brands.includes(id))
  )
}

const costOf = (lines: ReadonlyArray<ReferenceLine>): bigint => {
  let sum = 0n
  for (const line of lines) for (let unit = 0; unit < line.quantity; unit++) sum += line.unitPrice
  return sum
}

/** Halves go up. */
const percentOf = (percent: number, amount: bigint): bigint => {
  const hundredths = amount * BigInt(Math.round(percent * 100))
  const whole = hundredths / 10_000n
  return hundredths - whole * 10_000n >= 5_000n ? whole + 1n : whole
}

/** Deals `amount` out, one minor unit after another, to the part that is furthest below its share; of equals, to the first. */
const deal = (amount: bigint, weights: ReadonlyArray<bigint>): Array<bigint> => {
  const all = weights.reduce((sum, weight) => sum + weight, 0n)
  const parts = weights.map((weight) => (all === 0n ? 0n : (amount * weight) / all))
  const gap = (at: number) => amount * (weights[at] ?? 0n) - (parts[at] ?? 0n) * all
  while (all > 0n && parts.reduce((sum, part) => sum + part, 0n) < amount) {
    let neediest = 0
    for (const at of weights.keys()) if (gap(at) > gap(neediest)) neediest = at
    parts[neediest] = (parts[neediest] ?? 0n) + 1n
  }
  return parts
}

interface Unit {
  readonly line: number
  readonly price: bigint
}

/** How many units of each line are reduced; and what one repetition lacks. */
const reducedUnits = (
  lines: ReadonlyArray<ReferenceLine>,
  eligible: ReadonlyArray<number>,
  { buy, get, sameProducts }: Extract<ReferenceTerms, { type: "BUY_X_GET_Y" }>
) => {
  const heaps = new Map<string, Array<Unit>>()
  for (const at of eligible) {
    const line = lines[at] as ReferenceLine
    const name = sameProducts ? `${line.productId ?? `unknown ${at}`}` : "all"
    const heap = heaps.get(name) ?? []
    for (let unit = 0; unit < line.quantity; unit++) heap.push({ line: at, price: line.unitPrice })
    heaps.set(name, heap)
  }
  const counts = new Map<number, number>()
  let lacks = Number.POSITIVE_INFINITY
  for (const heap of heaps.values()) {
    lacks = Math.min(lacks, buy + get - heap.length)
    const left = [...heap]
    for (let rest = heap.length; rest >= buy + get; rest -= buy + get)
      for (let free = 0; free < get; free++) {
        let cheapest = 0
        for (const [at, unit] of left.entries()) if (unit.price < (left[cheapest] as Unit).price) cheapest = at
        const [taken] = left.splice(cheapest, 1)
        counts.set((taken as Unit).line, (counts.get((taken as Unit).line) ?? 0) + 1)
      }
  }
  return { counts, lacks }
}

const reached = (
  { tiers }: Extract<ReferenceTerms, { type: "TIERED" }>,
  lines: ReadonlyArray<ReferenceLine>
): Off | string => {
  const units = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  const sum = costOf(lines)
  let best: Off | undefined
  for (const { from, off } of tiers) if ("units" in from ? units >= from.units : sum >= from.sum) best = off
  const first = tiers[0]?.from
  if (best !== undefined || first === undefined) return best ?? "quantity"
  return "units" in first ? `quantity ${first.units - units}` : `minimum ${first.sum - sum}`
}

/** Why a rule does not apply, whatever else does; undefined where it may. */
const obstacle = (cart: ReferenceCart, rule: ReferenceRule, eligible: ReadonlyArray<number>): string | undefined => {
  const subtotal = costOf(cart.lines)
  if (rule.customerLimit !== null && !cart.hasCustomer) return "needs_customer"
  if (rule.limit !== null && rule.uses >= rule.limit) return "usage_limit"
  if (rule.customerLimit !== null && rule.usesByCustomer >= rule.customerLimit) return "customer_limit"
  if (rule.minimum !== null && subtotal < rule.minimum) return `minimum ${rule.minimum - subtotal}`
  if (rule.terms.type === "BUY_X_GET_Y") {
    const { counts, lacks } = reducedUnits(cart.lines, eligible, rule.terms)
    return counts.size === 0 ? `quantity ${lacks}` : undefined
  }
  if (rule.terms.type !== "TIERED") return undefined
  const tier = reached(
    rule.terms,
    eligible.map((at) => cart.lines[at] as ReferenceLine)
  )
  return typeof tier === "string" ? tier : undefined
}

interface Candidate {
  readonly rule: ReferenceRule
  readonly eligible: ReadonlyArray<number>
}

/** Prices the cart with these rules, in their order. */
const priced = (cart: ReferenceCart, candidates: ReadonlyArray<Candidate>) => {
  const due = cart.lines.map((line) => costOf([line]))
  let shipping = cart.shipping?.amount ?? 0n
  const taken: Record<string, { amount: bigint; units: number }> = {}
  const missing: Record<string, string> = {}
  const take = (rule: ReferenceRule, at: number, amount: bigint, units: number) => {
    if (amount === 0n) return
    due[at] = (due[at] ?? 0n) - amount
    taken[`${rule.id} ${cart.lines[at]?.id}`] = { amount, units }
  }
  const off = (rule: ReferenceRule, eligible: ReadonlyArray<number>, how: Off) => {
    const weights = eligible.map((at) => due[at] ?? 0n)
    const all = weights.reduce((sum, weight) => sum + weight, 0n)
    const wanted = "percent" in how ? percentOf(how.percent, all) : how.amount < all ? how.amount : all
    for (const [i, amount] of deal(wanted, weights).entries()) {
      const at = eligible[i] ?? 0
      take(rule, at, amount, cart.lines[at]?.quantity ?? 0)
    }
  }
  for (const { rule, eligible } of candidates) {
    const { terms } = rule
    if (terms.type === "PERCENTAGE_OFF" || terms.type === "AMOUNT_OFF") off(rule, eligible, terms)
    else if (terms.type === "TIERED") {
      const how = reached(
        terms,
        eligible.map((at) => cart.lines[at] as ReferenceLine)
      )
      if (typeof how !== "string") off(rule, eligible, how)
    } else if (terms.type === "BUY_X_GET_Y") {
      const counts = [...reducedUnits(cart.lines, eligible, terms).counts].sort(([a], [b]) => a - b)
      const weights = counts.map(([at, units]) => {
        const { quantity } = cart.lines[at] as ReferenceLine
        return ((due[at] ?? 0n) * BigInt(units)) / BigInt(quantity)
      })
      const all = weights.reduce((sum, weight) => sum + weight, 0n)
      const amounts = deal(percentOf(terms.percent, all), weights)
      for (const [i, [at, units]] of counts.entries()) take(rule, at, amounts[i] ?? 0n, units)
    } else if (cart.shipping !== null) {
      const fits =
        (terms.zones.length === 0 || terms.zones.includes(cart.shipping.zone)) &&
        (terms.rates.length === 0 || terms.rates.includes(cart.shipping.rate))
      if (!fits) missing[rule.id] = "delivery"
      else if (shipping > 0n) {
        taken[`${rule.id} shipping`] = { amount: shipping, units: 0 }
        shipping = 0n
      }
    }
  }
  return { total: due.reduce((sum, amount) => sum + amount, shipping), taken, missing }
}

export const referencePromotions = (cart: ReferenceCart): ReferenceResult => {
  const missing: Record<string, string> = {}
  const candidates: Array<Candidate> = []
  for (const rule of inOrder(cart.rules)) {
    if (!holds(rule, cart.now)) continue
    const eligible = [...cart.lines.keys()].filter((at) => concerns(rule, cart.lines[at] as ReferenceLine))
    if (eligible.length === 0) continue
    const why = obstacle(cart, rule, eligible)
    if (why === undefined) candidates.push({ rule, eligible })
    else missing[rule.id] = why
  }
  const sets = [candidates.filter(({ rule }) => rule.combines)]
  for (const candidate of candidates) if (!candidate.rule.combines) sets.push([candidate])
  const options = sets.filter((set) => set.length > 0).map((set) => priced(cart, set))
  let best = options[0] ?? priced(cart, [])
  for (const option of options) if (option.total < best.total) best = option
  const rulesIn = (taken: object) => [...new Set(Object.keys(taken).map((key) => key.split(" ")[0] ?? ""))]
  const lost: Record<string, ReadonlyArray<string>> = {}
  for (const option of options) {
    Object.assign(missing, option.missing)
    if (option !== best) for (const id of rulesIn(option.taken)) lost[id] = rulesIn(best.taken)
  }
  return { total: best.total, taken: best.taken, missing, lost }
}
