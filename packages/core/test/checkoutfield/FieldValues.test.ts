import { Result } from "effect"
import { describe, expect, it } from "vitest"
import type { StoredField } from "../../src/checkoutfield/CheckoutField.ts"
import {
  changedValues,
  currentValues,
  fieldsByKey,
  missingFields,
  readValue,
  surchargesOf
} from "../../src/checkoutfield/FieldValues.ts"

const field = (key: string, more: Partial<StoredField> = {}): StoredField => ({
  key,
  name: key.toUpperCase(),
  type: "text",
  required: false,
  options: [],
  surcharge: null,
  position: 0,
  ...more
})
const select = field("speed", {
  type: "select",
  options: [
    { value: "slow", label: "Slow", surcharge: null },
    { value: "fast", label: "Fast", surcharge: { type: "PERCENTAGE", amount: "0.25" } }
  ],
  surcharge: { type: "FIXED", amount: "100" }
})
const fields = fieldsByKey([field("note"), select, field("tick", { type: "checkbox" })])
const amounts = (values: Record<string, unknown>, due: bigint, of = fields) =>
  surchargesOf(of, values, "EUR").map(({ sourceId, evaluate }) => [sourceId, evaluate(due).amount])

describe("a value", () => {
  it.each<[StoredField["type"], ReadonlyArray<unknown>, ReadonlyArray<unknown>]>([
    ["text", ["", "a", "x".repeat(500)], ["x".repeat(501), 1, true, [], {}]],
    ["textarea", ["a\nb", "x".repeat(5_000)], ["x".repeat(5_001), 1]],
    ["checkbox", [true, false], ["true", 0, 1, ""]],
    ["date", ["2028-02-29", "0001-01-01"], ["2027-02-29", "2028-2-9", "2028-02-29T00:00:00Z", "", 20280229]],
    ["number", [0, -1.5, 1e15], ["1", Number.NaN, Infinity, 1.1e15, true]]
  ])("of the type %s", (type, taken, refused) => {
    for (const value of taken) expect(Result.isSuccess(readValue(field("f", { type }), value))).toBe(true)
    for (const value of refused) expect(Result.isFailure(readValue(field("f", { type }), value))).toBe(true)
  })

  it("of the type number is never -0, which JSON does not know", () => {
    expect(readValue(field("f", { type: "number" }), -0)).toEqual(Result.succeed(0))
  })
})

describe("changes of values", () => {
  it("keep the rest, clear by null, and stand in the order of the fields", () => {
    const changed = changedValues(fields, { tick: true, note: "a" }, { speed: "slow", note: null })
    expect(Result.getOrThrow(changed)).toEqual({ speed: "slow", tick: true })
    expect(Object.keys(Result.getOrThrow(changed))).toEqual(["speed", "tick"])
  })

  it("name every value that is wrong, also keys that objects have by themselves", () => {
    const wrong = changedValues(fields, {}, JSON.parse('{"__proto__":1,"toString":2,"tick":1,"note":"fine"}') as never)
    expect(Result.isFailure(wrong) && Object.keys(wrong.failure)).toEqual([
      "values.__proto__",
      "values.toString",
      "values.tick"
    ])
  })

  it("forget what the fields of today do not take", () => {
    expect(currentValues(fields, { note: 7, speed: "gone", tick: false, old: "x" })).toEqual({ tick: false })
  })
})

describe("required fields", () => {
  it("are missing while they are blank or not ticked; 0 is a number", () => {
    const required = fieldsByKey([
      field("a", { required: true }),
      field("b", { required: true, type: "checkbox" }),
      field("c", { required: true, type: "number" }),
      field("toString", { required: true }),
      field("d")
    ])
    expect(missingFields(required, {})).toEqual(["a", "b", "c", "toString"])
    expect(missingFields(required, { a: " \t", b: false, c: 0, toString: "x" })).toEqual(["a", "b"])
    expect(missingFields(required, { a: "x", b: true, c: 0, toString: "x" })).toEqual([])
  })
})

describe("surcharges", () => {
  it("are of the field and of the chosen option, each rounded half up by itself", () => {
    // 0.25 % of 2.00 is half a cent; of 1.99 it is less.
    expect(amounts({ speed: "fast" }, 200n)).toEqual([
      ["speed", 100n],
      ["speed", 1n]
    ])
    expect(amounts({ speed: "fast" }, 199n)).toEqual([
      ["speed", 100n],
      ["speed", 0n]
    ])
    expect(amounts({ speed: "slow" }, 199n)).toEqual([["speed", 100n]])
  })

  it("say how they came about", () => {
    const [own, chosen] = surchargesOf(fields, { speed: "fast" }, "EUR")
    expect([own?.type, own?.value, own?.evaluate(1_000n).formula]).toEqual(["FIXED", "1.00", "fixed amount"])
    expect([chosen?.kind, chosen?.value, chosen?.evaluate(1_000n).formula]).toEqual([
      "checkout_field",
      "0.25",
      "0.25 % of 10.00, half up"
    ])
  })

  it("are none of what is not filled in, or of a value that the field does not take", () => {
    expect(amounts({ speed: "gone", other: "x" }, 1_000n)).toEqual([])
    const wrap = fieldsByKey([field("wrap", { type: "checkbox", surcharge: { type: "FIXED", amount: "5" } })])
    for (const wrapped of [false, "true", 1, undefined, null])
      expect(amounts({ wrap: wrapped }, 100n, wrap)).toEqual([])
    expect(amounts({ wrap: true }, 100n, wrap)).toEqual([["wrap", 5n]])
  })
})
