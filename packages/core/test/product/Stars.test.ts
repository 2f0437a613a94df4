import { describe, expect, it } from "vitest"
import { averageOf, noStars, reviewCountOf, type Stars } from "../../src/product/Stars.ts"

describe("the average of ratings", () => {
  it.each<readonly [Stars, number | null, number]>([
    [noStars, null, 0],
    [[1, 0, 0, 0, 0], 1, 1],
    [[0, 0, 0, 1, 2], 4.67, 3],
    [[0, 0, 0, 2, 1], 4.33, 3],
    [[0, 0, 0, 1, 1], 4.5, 2],
    // 4.375: half up.
    [[0, 0, 0, 5, 3], 4.38, 8],
    [[2, 0, 0, 0, 1], 2.33, 3],
    [[0, 0, 0, 0, 2_000_000_000], 5, 2_000_000_000]
  ])("of %j is %s over %i reviews", (stars, average, count) => {
    expect([averageOf(stars), reviewCountOf(stars)]).toEqual([average, count])
  })
})
