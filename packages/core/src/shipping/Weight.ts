/**
 * Weights, exact: a decimal of kg, lb, g or oz becomes a whole number of attograms (1e-18 g), in which any unit with
 * nine decimals is an integer. So 0.1 kg + 0.2 kg is 0.3 kg, and a tier "up to 5 lb" holds exactly 80 oz. The pound is
 * the international avoirdupois pound of 0.45359237 kg.
 */

export const WEIGHT_UNITS = ["kg", "lb", "g", "oz"] as const
export type WeightUnit = (typeof WEIGHT_UNITS)[number]

const DECIMALS = 9

/** Attograms in the 1e-9th part of a unit, that is nanograms in the unit. */
const SCALE: Readonly<Record<WeightUnit, bigint>> = {
  kg: 1_000_000_000_000n,
  lb: 453_592_370_000n,
  g: 1_000_000_000n,
  oz: 28_349_523_125n
}

const DECIMAL = /^(\d{1,12})(?:\.(\d{1,9}))?$/
const LARGEST_NUMBER = 1e12

const textOf = (value: string | number): string => {
  if (typeof value === "string") return value.trim()
  return value >= 0 && value < LARGEST_NUMBER ? value.toFixed(DECIMALS) : ""
}

/**
 * Attograms of a weight given as a decimal string or a number. undefined when it is negative, not finite, has more than
 * nine decimals (numbers are rounded to nine) or more than twelve digits before the point.
 */
export const readWeight = (value: string | number, unit: WeightUnit): bigint | undefined => {
  const parts = DECIMAL.exec(textOf(value))
  return parts === null ? undefined : BigInt(`${parts[1]}${(parts[2] ?? "").padEnd(DECIMALS, "0")}`) * SCALE[unit]
}

/** Whether a text names a unit. */
export const isWeightUnit = (unit: string): unit is WeightUnit => WEIGHT_UNITS.some((known) => known === unit)
