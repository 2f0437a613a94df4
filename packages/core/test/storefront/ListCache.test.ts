import { describe, expect, it } from "vitest"
import { foundBytes, ListCache } from "../../src/storefront/internal/ListCache.ts"

const nothing = { version: 1n, ids: [], total: 0, facets: undefined, since: 0, until: 10 }

describe("what lists have found", () => {
  it("is kept within its bytes, those of what was asked for among them", () => {
    const lists = new ListCache()
    const length = 8_000
    const asked = (i: number) => String(i).padEnd(length)
    const many = Math.ceil(foundBytes / length)
    for (let i = 0; i < many; i++) lists.set(asked(i), nothing)
    const kept = Array.from({ length: many }, (_, i) => lists.get(asked(i), 1)).filter((one) => one !== undefined)
    expect(kept.length).toBe(Math.floor(foundBytes / (2 * length + 400)))
  })
})
