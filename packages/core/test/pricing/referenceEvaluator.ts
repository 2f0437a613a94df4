/**
 * A second way to a total, written apart from the product and slowly: rates are found by asking every rate, amounts are
 * exact fractions of minor units, rounding compares distances to the neighbours, and splits are dealt out unit by unit.
 * It imports nothing of the product but the shape of a rate.
 */
import type { MatchableRate } from "@effect-commerce/core/tax/TaxMatcher"

export interface ReferenceOrder {
  readonly rates: ReadonlyArray<MatchableRate>
  readonly address: {
    readonly country: string
    readonly region: string | null
    readonly postalCode: string | null
  } | null
  readonly rounding: "line" | "unit" | "order"
  readonly mode: "half_up" | "half_even" | "half_down"
  readonly stacking: "combined" | "each"
  readonly lines: ReadonlyArray<{
    readonly id: string
    readonly quantity: number
    readonly unitPrice: bigint
    readonly taxClassId: string | null
    readonly taxable: boolean
    readonly rule: bigint
    readonly coupon: bigint
  }>
  readonly shipping: { readonly amount: bigint; readonly taxable: boolean } | null
}

export interface ReferenceTotals {
  readonly total: bigint
  readonly taxAmount: bigint
  readonly net: bigint
  readonly lineTaxes: ReadonlyArray<bigint>
  readonly shippingTax: bigint
  readonly byRate: Readonly<Record<string, bigint>>
}

/** An exact rational number. */
interface Fraction {
  readonly n: bigint
  readonly d: bigint
}

const whole = (n: bigint): Fraction => ({ n, d: 1n })
const plus = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d })
const minus = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d - b.n * a.d, d: a.d * b.d })
const times = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.n, d: a.d * b.d })
const over = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d, d: a.d * b.n })
const isLess = (a: Fraction, b: Fraction): boolean => a.n * b.d < b.n * a.d
const sum = (parts: ReadonlyArray<Fraction>): Fraction => parts.reduce(plus, whole(0n))
const total = (parts: ReadonlyArray<bigint>): bigint => parts.reduce((acc, part) => acc + part, 0n)

/** "8.875" percent as the fraction 8875 / 100000. */
const percent = (text: string): Fraction => {
  const [integer = "0", digits = ""] = text.split(".")
  return { n: BigInt(integer + digits), d: 100n * 10n ** BigInt(digits.length) }
}

const round = (value: Fraction, mode: ReferenceOrder["mode"]): bigint => {
  const below = value.n / value.d
  const toBelow = minus(value, whole(below))
  const toAbove = minus(whole(below + 1n), value)
  if (isLess(toBelow, toAbove)) return below
  if (isLess(toAbove, toBelow)) return below + 1n
  return mode === "half_up" || (mode === "half_even" && below % 2n === 1n) ? below + 1n : below
}

/** Deals `units` out one by one, each to the first of those furthest below their exact share. */
const deal = (units: bigint, shares: ReadonlyArray<Fraction>): Array<bigint> => {
  const all = sum(shares)
  const parts = shares.map(() => 0n)
  if (all.n === 0n) return parts
  const exact = shares.map((share) => over(times(whole(units), share), all))
  for (const [index, share] of exact.entries()) parts[index] = share.n / share.d
  while (total(parts) < units) {
    let neediest = 0
    for (const index of exact.keys()) {
      const need = (at: number) => minus(exact[at] ?? whole(0n), whole(parts[at] ?? 0n))
      if (isLess(need(neediest), need(index))) neediest = index
    }
    parts[neediest] = (parts[neediest] ?? 0n) + 1n
  }
  return parts
}

const squeeze = (text: string): string =>
  [...text]
    .filter((letter) => letter !== " " && letter !== "-")
    .join("")
    .toUpperCase()

const isPattern = (text: string): boolean =>
  [...squeeze(text)].some((letter) => !"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".includes(letter))

const regionCode = (country: string, region: string): string => {
  const text = region.trim().toUpperCase()
  return text.startsWith(`${country.trim().toUpperCase()}-`) ? text.slice(3) : text
}

/** The rates that a line of the class is charged at the address, by asking each rate. */
export const referenceMatch = (
  rates: ReadonlyArray<MatchableRate>,
  address: NonNullable<ReferenceOrder["address"]>,
  taxClassId: string | null
): ReadonlyArray<MatchableRate> => {
  const here = address.country.trim().toUpperCase()
  const matches = rates.filter((rate) => {
    if (!rate.isActive || rate.taxClassId !== taxClassId) return false
    if (rate.country.trim().toUpperCase() !== here) return false
    if (rate.exceptionCountries.map((code) => code.trim().toUpperCase()).includes(here)) return false
    if (rate.region !== null) {
      if (address.region === null) return false
      if (regionCode(here, rate.region) !== regionCode(here, address.region)) return false
    }
    if (rate.postalCode !== null) {
      if (address.postalCode === null || isPattern(rate.postalCode)) return false
      if (squeeze(rate.postalCode) !== squeeze(address.postalCode)) return false
    }
    return true
  })
  const level = (rate: MatchableRate) => (rate.postalCode !== null ? 2 : rate.region !== null ? 1 : 0)
  const comesFirst = (a: MatchableRate, b: MatchableRate): boolean => {
    if (a.priority !== b.priority) return a.priority < b.priority
    if (Number(a.createdAt) !== Number(b.createdAt)) return Number(a.createdAt) < Number(b.createdAt)
    return a.id < b.id
  }
  let winner: MatchableRate | undefined
  for (const rate of matches) {
    if (winner === undefined || level(rate) > level(winner)) winner = rate
    else if (level(rate) === level(winner) && comesFirst(rate, winner)) winner = rate
  }
  if (winner === undefined) return []
  if (!winner.stackable) return [winner]
  const stack = matches.filter((rate) => rate.stackable)
  return stack.sort((a, b) => (comesFirst(a, b) ? -1 : 1))
}

interface Charge {
  readonly amount: bigint
  readonly quantity: bigint
  readonly stack: ReadonlyArray<MatchableRate>
}

/** The exact tax of each rate of the stack on an amount. */
const exactTaxes = (amount: Fraction, stack: ReadonlyArray<MatchableRate>): ReadonlyArray<Fraction> => {
  const contained = sum(stack.filter((rate) => rate.isInclusive).map((rate) => percent(rate.rate)))
  const base = over(amount, plus(whole(1n), contained))
  return stack.map((rate) => times(base, percent(rate.rate)))
}

/** Tax per rate of one amount that is rounded by itself, `count` times. */
const roundedTaxes = (order: ReferenceOrder, amount: Fraction, count: bigint, stack: ReadonlyArray<MatchableRate>) => {
  const exact = exactTaxes(amount, stack)
  if (order.stacking === "each") return exact.map((tax) => round(tax, order.mode) * count)
  return deal(
    round(sum(exact), order.mode) * count,
    stack.map((rate) => percent(rate.rate))
  )
}

/** Tax per charge and per rate id. */
const chargeAll = (order: ReferenceOrder, charges: ReadonlyArray<Charge>) => {
  const byRate: Record<string, bigint> = {}
  const book = (stack: ReadonlyArray<MatchableRate>, taxes: ReadonlyArray<bigint>) => {
    for (const [index, rate] of stack.entries()) byRate[rate.id] = (byRate[rate.id] ?? 0n) + (taxes[index] ?? 0n)
    return total(taxes)
  }
  if (order.rounding !== "order") {
    const taxes = charges.map(({ amount, quantity, stack }) => {
      const count = order.rounding === "unit" ? quantity : 1n
      return book(stack, roundedTaxes(order, over(whole(amount), whole(count)), count, stack))
    })
    return { taxes, byRate }
  }
  const taxes = charges.map(() => 0n)
  const nameOf = (charge: Charge) => charge.stack.map((rate) => rate.id).join("+")
  for (const name of new Set(charges.map(nameOf))) {
    const members = [...charges.keys()].filter(
      (index) => charges[index] !== undefined && nameOf(charges[index]) === name
    )
    const amounts = members.map((index) => charges[index]?.amount ?? 0n)
    const stack = charges[members[0] ?? 0]?.stack ?? []
    const perRate = roundedTaxes(order, whole(total(amounts)), 1n, stack)
    const sum = book(stack, perRate)
    for (const units of order.stacking === "each" ? perRate : [sum]) {
      for (const [place, share] of deal(units, amounts.map(whole)).entries()) {
        const index = members[place] ?? 0
        taxes[index] = (taxes[index] ?? 0n) + share
      }
    }
  }
  return { taxes, byRate }
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** The totals of an order. */
export const referenceTotals = (order: ReferenceOrder): ReferenceTotals => {
  const charged = order.lines.map((line) => {
    const gross = line.unitPrice * BigInt(line.quantity)
    const rule = smaller(line.rule, gross)
    return { line, due: gross - rule - smaller(line.coupon, gross - rule) }
  })
  const stackOf = (taxable: boolean, taxClassId: string | null) =>
    taxable && order.address !== null ? referenceMatch(order.rates, order.address, taxClassId) : []
  const charges: Array<Charge> = charged.map(({ line, due }) => ({
    amount: due,
    quantity: BigInt(line.quantity),
    stack: stackOf(line.taxable, line.taxClassId)
  }))
  if (order.shipping !== null) {
    charges.push({ amount: order.shipping.amount, quantity: 1n, stack: stackOf(order.shipping.taxable, null) })
  }
  const { taxes, byRate } = chargeAll(order, charges)
  const contained = new Set(order.rates.filter((rate) => rate.isInclusive).map((rate) => rate.id))
  const added = total(Object.entries(byRate).map(([id, tax]) => (contained.has(id) ? 0n : tax)))
  const gross = total(charges.map((charge) => charge.amount))
  const taxAmount = total(taxes)
  return {
    total: gross + added,
    taxAmount,
    net: gross - (taxAmount - added),
    lineTaxes: taxes.slice(0, order.lines.length),
    shippingTax: order.shipping === null ? 0n : (taxes.at(-1) ?? 0n),
    byRate
  }
}
