/** The number of approved reviews of a product with one star, two, and so on to five, and their average. */
export type Stars = readonly [one: number, two: number, three: number, four: number, five: number]

export const noStars: Stars = [0, 0, 0, 0, 0]

export const reviewCountOf = (stars: Stars): number => stars.reduce((sum, count) => sum + count, 0)

/** With at most two decimals, rounded half up; null without a review. */
export const averageOf = (stars: Stars): number | null => {
  const count = reviewCountOf(stars)
  if (count === 0) return null
  const sum = stars.reduce((total, of, i) => total + of * (i + 1), 0)
  // Integers until the last step: (sum * 100) / count, rounded half up.
  return Math.floor((sum * 200 + count) / (count * 2)) / 100
}
