/** Comparisons of amounts in minor units. */
export const greatest = (a: bigint, b: bigint): bigint => (a > b ? a : b)
export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
