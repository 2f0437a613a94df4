import { describe, expect, it } from "vitest"
import { checkCounter, checkRealTime, checkSet, checkUnique, type Operation } from "../src/proof/History.ts"

const sale = (began: number, ended: number | undefined, number: number, quantity = 1): Operation => ({
  began,
  ended,
  outcome: ended === undefined ? "info" : "ok",
  number,
  units: new Map([["lamp", quantity]])
})

describe("the checker of histories", () => {
  it("finds the prefix at which more was acknowledged than there was, and counts nothing that was not heard of", () => {
    const history = [sale(0, 1, 1, 2), sale(0, 3, 3, 2), sale(0, 2, 2, 1), sale(0, undefined, 4, 9)]
    expect(checkCounter(history, new Map([["lamp", 5]]))).toEqual([])
    expect(checkCounter(history, new Map([["lamp", 4]]))).toEqual(["lamp: 5 acknowledged as sold, 4 were there"])
  })

  it("finds what was acknowledged and lost, and what nobody asked for", () => {
    expect(checkSet(["a"], new Set(["a", "b"]), new Set(["a", "b"]))).toEqual([])
    expect(checkSet(["a", "b"], new Set(["a", "b"]), new Set(["a", "c"]))).toEqual([
      "b was acknowledged and is not there",
      "c is there and nobody asked for it"
    ])
  })

  it("finds a number that was answered twice", () => {
    expect(checkUnique([sale(0, 1, 7), sale(2, 3, 8)])).toEqual([])
    expect(checkUnique([sale(0, 1, 7), sale(2, 3, 7)])).toEqual(["the number 7 was answered twice"])
  })

  it("lets numbers of overlapping sales come in any order, and finds a later sale with a lower one", () => {
    expect(checkRealTime([sale(0, 5, 2), sale(1, 4, 1), sale(6, 7, 3)])).toEqual([])
    expect(checkRealTime([sale(0, 5, 2), sale(6, 7, 1)])).toEqual(["the number 1 began after 2 had been answered"])
  })
})
