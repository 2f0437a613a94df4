/** What `commerce store export` says besides the stream. */
import { describe, expect, it } from "vitest"
import { underWayLine } from "../src/transferStore.ts"

const line = (calling: number, awaitingShopper: number, unsettled: number) =>
  underWayLine({ id: "store_1", underWay: { calling, awaitingShopper, unsettled } })

describe("an export of a store", () => {
  it("says how many payments are under way, and what to do", () => {
    expect(line(0, 0, 0)).toBeUndefined()
    expect(line(0, 1, 0)).toBe(
      "1 payment is under way (0 at the provider, 1 waiting for the shopper, 0 not settled), and this installation " +
        "goes on with them. To move the store, suspend it (`commerce store suspend store_1`) and export it again " +
        "until none is"
    )
    expect(line(2, 1, 3)).toContain("6 payments are under way (2 at the provider, 1 waiting for the shopper, 3 not ")
  })
})
