/** Variants are combinations of options, whatever the attributes and however they are edited. */
import { Effect } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type DeclaredAttribute, missingCombinations, reassigned } from "../../src/product/internal/variantOptions.ts"

const pool = ["a", "b", "c"].map((id) => ({ id, options: ["1", "2", "3", "4"].map((option) => `${id}${option}`) }))

/** Some of the attributes, each with some of its options, in any order. */
const someAttributes: fc.Arbitrary<ReadonlyArray<DeclaredAttribute>> = fc
  .shuffledSubarray(pool, { minLength: 1 })
  .chain((chosen) =>
    fc.tuple(
      ...chosen.map(({ id, options }) =>
        fc.shuffledSubarray(options, { minLength: 1 }).map((some) => ({
          id,
          name: id.toUpperCase(),
          options: some.map((option) => ({ id: option, name: option, value: option }))
        }))
      )
    )
  )

/** By nested loops, apart from the code that is tested. */
const product = (declared: ReadonlyArray<DeclaredAttribute>): ReadonlySet<string> => {
  let made = [""]
  for (const { options } of declared) {
    const next: Array<string> = []
    for (const start of made) for (const { id } of options) next.push(start === "" ? id : `${start},${id}`)
    made = next
  }
  return new Set(made)
}

interface Variant {
  readonly id: string
  readonly name: string
  readonly isNameMade: boolean
  readonly attributes: Record<string, string>
  readonly optionIds: ReadonlyArray<string>
}
const variantOf = (optionIds: ReadonlyArray<string>): Variant => ({
  id: optionIds.join(),
  name: optionIds.join(" / "),
  isNameMade: true,
  attributes: Object.fromEntries(optionIds.map((option) => [option.charAt(0).toUpperCase(), option])),
  optionIds
})

describe("the variants of a product", () => {
  it("are the combinations of its attributes' options after any number of edits that are not refused", () => {
    fc.assert(
      fc.property(fc.array(someAttributes, { minLength: 1, maxLength: 5 }), (edits) => {
        let before: ReadonlyArray<DeclaredAttribute> = []
        let variants: ReadonlyArray<Variant> = []
        for (const declared of edits) {
          const changes = Effect.runSyncExit(reassigned(variants, declared))
          if (changes._tag === "Failure") continue
          const moved = new Map(changes.value.map((one) => [one.id, one.optionIds]))
          const kept = variants.map((variant) => variantOf(moved.get(variant.id) ?? variant.optionIds))
          // Two variants that are no longer apart are refused by the table.
          if (new Set(kept.map(({ id }) => id)).size < kept.length) continue
          const present = kept.map(({ optionIds }) => optionIds)
          const from = { declared: before, variants: variants.map(({ optionIds }) => optionIds) }
          const made = missingCombinations({ declared, present, before: before.length === 0 ? undefined : from })
          variants = [...kept, ...made.map(variantOf)]
          before = declared
          expect(variants).toHaveLength(product(declared).size)
          expect(new Set(variants.map(({ id }) => id))).toEqual(product(declared))
        }
      })
    )
  })

  it("stay deleted when the same attributes are said again", () => {
    fc.assert(
      fc.property(someAttributes, fc.array(fc.nat(), { maxLength: 4 }), (declared, holes) => {
        const all = missingCombinations({ declared, present: [], before: undefined })
        const left = all.filter((_, i) => !holes.some((hole) => hole % all.length === i))
        const before = { declared, variants: left }
        expect(missingCombinations({ declared, present: left, before })).toEqual([])
        expect(missingCombinations({ declared, present: left, before: undefined })).toHaveLength(
          all.length - left.length
        )
      })
    )
  })
})
