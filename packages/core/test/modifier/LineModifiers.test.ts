import { describe, expect, it } from "vitest"
import {
  type ChosenModifier,
  type LineModifiers,
  modifierErrors,
  type OfferedGroup,
  pricedModifiers,
  priceWith,
  withDefaults
} from "../../src/modifier/LineModifiers.ts"

const modifier = (id: string, price = 100n, isAvailable = true) => ({
  id,
  name: `The ${id}`,
  sku: null,
  priceDelta: String(price),
  isAvailable
})
const group = (id: string, rules: Partial<OfferedGroup> = {}): OfferedGroup => ({
  id,
  name: `Group ${id}`,
  selectionType: "MULTIPLE",
  minSelections: 0,
  maxSelections: null,
  required: false,
  freeQuantity: 0,
  freeAllocationPolicy: "CHEAPEST_FREE",
  modifiers: [modifier("a"), modifier("b", 250n), modifier("c", 400n), modifier("gone", 100n, false)],
  ...rules
})
const choose = (...choices: ReadonlyArray<readonly [group: string, modifier: string, quantity?: number]>) =>
  choices.map(
    ([modifierGroupId, modifierId, quantity = 1]): ChosenModifier => ({ modifierGroupId, modifierId, quantity })
  )
const errorsOf = (line: LineModifiers) =>
  modifierErrors(line).map(({ code, modifierGroupId, modifierId }) => [code, modifierGroupId, modifierId])

describe("what a shopper adds to a product", () => {
  it.each<readonly [string, OfferedGroup, ReadonlyArray<ChosenModifier>, ReadonlyArray<unknown>]>([
    ["fits", group("g"), choose(["g", "a"], ["g", "b", 2]), []],
    ["fits where nothing is asked for", group("g", { minSelections: 2 }), [], []],
    ["fits exactly", group("g", { minSelections: 2, maxSelections: 2 }), choose(["g", "a", 2]), []],
    ["names an unknown group", group("g"), choose(["x", "a"]), [["MODIFIER_GROUP_UNKNOWN", "x", "a"]]],
    ["names an unknown modifier", group("g"), choose(["g", "x"]), [["MODIFIER_UNKNOWN", "g", "x"]]],
    ["names what cannot be chosen now", group("g"), choose(["g", "gone"]), [["MODIFIER_UNAVAILABLE", "g", "gone"]]],
    ["leaves out what is required", group("g", { required: true }), [], [["MODIFIER_REQUIRED", "g", null]]],
    [
      "has too few",
      group("g", { required: true, minSelections: 2 }),
      choose(["g", "a"]),
      [["MODIFIER_MIN_SELECTIONS", "g", null]]
    ],
    [
      "has too few of what is not required",
      group("g", { minSelections: 2 }),
      choose(["g", "a"]),
      [["MODIFIER_MIN_SELECTIONS", "g", null]]
    ],
    [
      "has too many",
      group("g", { maxSelections: 2 }),
      choose(["g", "a"], ["g", "b", 2]),
      [["MODIFIER_MAX_SELECTIONS", "g", null]]
    ],
    [
      "has two of a SINGLE group",
      group("g", { selectionType: "SINGLE", maxSelections: 1 }),
      choose(["g", "a", 2]),
      [["MODIFIER_MAX_SELECTIONS", "g", null]]
    ],
    ["names one twice", group("g"), choose(["g", "a"], ["g", "a", 2]), [["MODIFIER_DUPLICATE", "g", "a"]]],
    ["has none of one", group("g"), choose(["g", "a", 0]), [["MODIFIER_QUANTITY_INVALID", "g", "a"]]],
    ["has 101 of one", group("g"), choose(["g", "a", 101]), [["MODIFIER_QUANTITY_INVALID", "g", "a"]]],
    ["has 100 of one", group("g"), choose(["g", "a", 100]), []],
    [
      "has a quantity below zero of what is required",
      group("g", { required: true }),
      choose(["g", "a", -1]),
      [["MODIFIER_QUANTITY_INVALID", "g", "a"]]
    ],
    [
      "meets a minimum that the group has since put above its maximum",
      group("g", { minSelections: 5, maxSelections: 2 }),
      choose(["g", "a", 2]),
      []
    ]
  ])("%s", (_name, offered, chosen, errors) => {
    expect(errorsOf({ chosen, groups: [offered] })).toEqual(errors)
  })

  it("is told all that is wrong at once, each with a sentence", () => {
    const errors = modifierErrors({
      chosen: choose(["x", "a"], ["g", "gone"], ["g", "a", 3], ["g", "a"]),
      groups: [group("g", { maxSelections: 2 }), group("h", { required: true })]
    })
    expect(errors).toEqual([
      {
        code: "MODIFIER_GROUP_UNKNOWN",
        message: "This product has no such modifier group",
        modifierGroupId: "x",
        modifierId: "a"
      },
      {
        code: "MODIFIER_UNAVAILABLE",
        message: "The gone cannot be chosen now",
        modifierGroupId: "g",
        modifierId: "gone"
      },
      {
        code: "MODIFIER_DUPLICATE",
        message: "The modifier is named twice: say its quantity",
        modifierGroupId: "g",
        modifierId: "a"
      },
      {
        code: "MODIFIER_MAX_SELECTIONS",
        message: "Choose at most 2 of Group g",
        modifierGroupId: "g",
        modifierId: null
      },
      { code: "MODIFIER_REQUIRED", message: "Choose something of Group h", modifierGroupId: "h", modifierId: null }
    ])
  })

  it("is what the groups choose by default where nothing is said: what is there, as many as they allow", () => {
    const groups = [
      group("g", {
        maxSelections: 2,
        modifiers: [modifier("gone", 1n, false), ...["b", "a", "c"].map((id) => modifier(id))]
      }),
      group("h", { selectionType: "SINGLE", maxSelections: 1, modifiers: [modifier("x"), modifier("y")] })
    ]
    expect(withDefaults({ chosen: null, groups }).chosen).toEqual(choose(["g", "b"], ["g", "a"], ["h", "x"]))
    expect(withDefaults({ chosen: [], groups }).chosen).toEqual([])
  })
})

describe("what it costs", () => {
  const chosen = choose(["g", "c"], ["g", "a", 2], ["g", "b"])
  const costs = (rules: Partial<OfferedGroup>) =>
    pricedModifiers({ chosen, groups: [group("g", rules)] }).map(({ modifierId, freeQuantity, amount }) => [
      modifierId,
      freeQuantity,
      amount
    ])

  it("is each by its quantity, in the order of the group", () => {
    expect(costs({})).toEqual([
      ["a", 0, 200n],
      ["b", 0, 250n],
      ["c", 0, 400n]
    ])
  })

  it("is nothing for the free ones: the cheapest, or the most expensive", () => {
    expect(costs({ freeQuantity: 3 })).toEqual([
      ["a", 2, 0n],
      ["b", 1, 0n],
      ["c", 0, 400n]
    ])
    expect(costs({ freeQuantity: 3, freeAllocationPolicy: "EXPENSIVE_FREE" })).toEqual([
      ["a", 1, 100n],
      ["b", 1, 0n],
      ["c", 1, 0n]
    ])
    expect(costs({ freeQuantity: 1_000 }).map(([, , amount]) => amount)).toEqual([0n, 0n, 0n])
  })

  it("takes no free place for what adds nothing, or makes the product cheaper", () => {
    const modifiers = [modifier("less", -50n), modifier("same", 0n), modifier("more", 300n)]
    const groups = [group("g", { freeQuantity: 1, modifiers })]
    const line = { chosen: choose(["g", "less"], ["g", "same"], ["g", "more"]), groups }
    expect(pricedModifiers(line).map(({ freeQuantity, amount }) => [freeQuantity, amount])).toEqual([
      [0, -50n],
      [0, 0n],
      [1, 0n]
    ])
    expect(priceWith(1_000n, line)).toBe(950n)
  })

  it("is no price below zero, and none that cannot be stored", () => {
    const line = (price: bigint) => ({
      chosen: choose(["g", "x", 100]),
      groups: [group("g", { modifiers: [modifier("x", price)] })]
    })
    expect(priceWith(1_000n, line(-11n))).toBe(0n)
    expect(priceWith(1_000n, line(9_223_372_036_854_775_807n))).toBe(9_223_372_036_854_775_807n)
  })

  it("is told of what is gone without a price", () => {
    expect(pricedModifiers({ chosen: choose(["g", "x"]), groups: [] })).toEqual([
      {
        modifierGroupId: "g",
        modifierId: "x",
        quantity: 1,
        groupName: null,
        name: null,
        sku: null,
        priceDelta: null,
        freeQuantity: 0,
        amount: null
      }
    ])
  })
})
