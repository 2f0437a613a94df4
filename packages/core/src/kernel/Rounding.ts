/**
 * The only place where fractions of a minor unit are rounded. All modes round to the nearest and differ only on an
 * exact half; negative quotients mirror positive ones, so a refund rounds as its charge did.
 */

/**
 * The accepted values of a store's `taxRoundingMode`. half_up: away from zero · half_even: to the even neighbour ·
 * half_down: towards zero.
 */
export const ROUNDING_MODES = ["half_up", "half_even", "half_down"] as const
export type RoundingMode = (typeof ROUNDING_MODES)[number]

/** `numerator / denominator` rounded to an integer. Throws a RangeError when the denominator is 0. */
export const divideRounded = (numerator: bigint, denominator: bigint, mode: RoundingMode): bigint => {
  if (denominator === 0n) throw new RangeError("division by zero")
  const negative = numerator < 0n !== denominator < 0n
  const n = numerator < 0n ? -numerator : numerator
  const d = denominator < 0n ? -denominator : denominator
  const quotient = n / d
  const doubled = (n - quotient * d) * 2n
  const up = doubled > d || (doubled === d && (mode === "half_up" || (mode === "half_even" && (quotient & 1n) === 1n)))
  const rounded = up ? quotient + 1n : quotient
  return negative ? -rounded : rounded
}
