/** Faults in metafields: definitions, values, conflicts, customizations. */
import type { Fault } from "../plantedFaults.ts"

const definitions = ["packages/handler/test/metafield/MetafieldDefinitions.pg.test.ts"]
const values = ["packages/handler/test/metafield/MetafieldValues.pg.test.ts"]
const conflicts = ["packages/handler/test/metafield/MetafieldConflicts.pg.test.ts"]
const carts = ["packages/handler/test/cart/Customizations.pg.test.ts"]

export const metafieldFaults: ReadonlyArray<Fault> = [
  {
    id: "metafields.choice-in-use",
    breaks: "A choice goes that products have",
    file: "packages/core/src/metafield/internal/definitionChecks.ts",
    find: "if (chosen > 0)",
    replace: "if (chosen > 1)",
    tests: definitions,
    noticedBy: "keeps what gives values"
  },
  {
    id: "metafields.half-written",
    breaks: "Of several values the good ones are written although one is refused",
    file: "packages/core/src/metafield/ValueWrites.ts",
    find: "if (errors.length > 0)",
    replace: "if (errors.length === plan.length && errors.length > 0)",
    tests: values,
    noticedBy: "all written or none"
  },
  {
    id: "metafields.required-forgotten",
    breaks: "A product becomes active without what it needs",
    file: "packages/core/src/product/internal/updateProduct.ts",
    find: 'if (fields.status === "active" && current.status !== "active") yield* checkRequired(product.metafields)',
    replace: "",
    tests: values,
    noticedBy: "that are required"
  },
  {
    id: "metafields.conflict-overwrites",
    breaks: "A platform overwrites what the merchant wrote",
    file: "packages/core/src/metafield/internal/valuePlan.ts",
    find: "current.source === source) return",
    replace: "current.source !== undefined) return",
    tests: conflicts,
    noticedBy: "arises where"
  },
  {
    id: "metafields.resolved-twice",
    breaks: "A conflict that was decided is decided again",
    file: "packages/core/src/metafield/MetafieldConflicts.ts",
    find: 'if (conflict.status !== "PENDING")',
    replace: 'if (conflict.status === "IGNORED")',
    tests: conflicts,
    noticedBy: "is resolved once"
  },
  {
    id: "metafields.foreign-picture",
    breaks: "A picture of any address is printed on what a shopper buys",
    file: "packages/core/src/metafield/Customizations.ts",
    find: ".some((one) => !kept.has(one))",
    replace: ".every((one) => kept.size < 0 && !kept.has(one))",
    tests: carts,
    noticedBy: "name pictures that were uploaded"
  },
  {
    id: "metafields.required-input",
    breaks: "An engraved mug is bought without an engraving",
    file: "packages/core/src/metafield/Customizations.ts",
    find: 'return field.required ? { problem: "is required" } : undefined',
    replace: "return undefined",
    tests: carts,
    noticedBy: "nothing at all"
  }
]
