/**
 * Options of attributes and the variants that they make: every variant of a product with attributes has one option of
 * each, and no two variants have the same options.
 */
import { Effect } from "effect"
import { cutText } from "../../kernel/CutText.ts"
import { checkAll, checkEach, FieldRejected, rejectFields } from "../../kernel/FieldRejected.ts"

/** Far more than a shopper can choose from, and a limit to the size of a product in the lists that show it. */
export const maxVariants = 500

/** An attribute of a product with the options that it uses, as a write sees it: without deleted ones. */
export interface DeclaredAttribute {
  readonly id: string
  readonly name: string
  readonly options: ReadonlyArray<{ readonly id: string; readonly name: string; readonly value: string }>
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

interface Deletable {
  readonly isDeleted: boolean
}

/** The attributes of a product that a write may use. */
export const declaredOf = <Option extends DeclaredAttribute["options"][number] & Deletable>(
  attributes: ReadonlyArray<
    Deletable & Omit<DeclaredAttribute, "options"> & { readonly options: ReadonlyArray<Option> }
  >
): ReadonlyArray<DeclaredAttribute> =>
  attributes
    .filter(({ isDeleted }) => !isDeleted)
    .map((attribute) => ({ ...attribute, options: attribute.options.filter(({ isDeleted }) => !isDeleted) }))

/** The option that a body names, by its name, its value or its id. */
const optionNamed = (attribute: DeclaredAttribute, word: string) =>
  attribute.options.find(({ id, name }) => id === word || name === word) ??
  attribute.options.find(({ name, value }) => same(name, word) || same(value, word))

const wordFor = (attribute: DeclaredAttribute, words: Readonly<Record<string, string>>) =>
  Object.entries(words).find(([name]) => name === attribute.id || same(name, attribute.name))?.[1]

/**
 * The options that a variant's `attributes` name, in the order of the product's attributes. They must name every
 * attribute and nothing else; `path` is the prefix of the field in an error.
 */
export const chosenOptions = Effect.fnUntraced(function* (
  declared: ReadonlyArray<DeclaredAttribute>,
  words: Readonly<Record<string, string>>,
  path: string
) {
  const field = `${path}attributes`
  const unknown = Object.keys(words).filter((name) => !declared.some((a) => a.id === name || same(a.name, name)))
  const optionOf = (attribute: DeclaredAttribute) => {
    const word = wordFor(attribute, words)
    if (word === undefined) return FieldRejected.at(field, `must name an option of ${attribute.name}`)
    const option = optionNamed(attribute, word)
    return option === undefined
      ? FieldRejected.at(`${field}.${attribute.name}`, `${word} is not an option that this product uses`)
      : Effect.succeed(option.id)
  }
  const { chosen } = yield* checkAll({
    names: rejectFields(
      Object.fromEntries(unknown.map((name) => [`${field}.${name}`, "is not an attribute of this product"]))
    ),
    chosen: checkEach(declared, optionOf)
  })
  return chosen
})

const combinationCount = (declared: ReadonlyArray<DeclaredAttribute>): number =>
  declared.length === 0 ? 0 : declared.reduce((count, { options }) => count * options.length, 1)

/** All combinations of one option of each attribute; the last attribute changes fastest. */
export const combinations = (declared: ReadonlyArray<DeclaredAttribute>): ReadonlyArray<ReadonlyArray<string>> =>
  declared.length === 0
    ? []
    : declared.reduce<ReadonlyArray<ReadonlyArray<string>>>(
        (made, { options }) => made.flatMap((chosen) => options.map(({ id }) => [...chosen, id])),
        [[]]
      )

/** Checked before anything is stored or even listed: the number of combinations is otherwise unbounded. */
export const checkCombinations = (declared: ReadonlyArray<DeclaredAttribute>): Effect.Effect<void, FieldRejected> => {
  const count = combinationCount(declared)
  return count <= maxVariants
    ? Effect.void
    : FieldRejected.at("attributes", `would make ${count} variants; a product has at most ${maxVariants}`)
}

/** The new options of a variant, as they are stored. */
export interface Reassigned {
  readonly id: string
  readonly name: string
  readonly attributes: Record<string, string>
  readonly optionIds: ReadonlyArray<string>
}

type Present = Reassigned & { readonly isNameMade: boolean }

/** The options of a variant when its product's attributes become `declared`. */
const optionsAfter = Effect.fnUntraced(function* (variant: Present, declared: ReadonlyArray<DeclaredAttribute>) {
  const options: Array<string> = []
  for (const attribute of declared) {
    const own = attribute.options.find(({ id }) => variant.optionIds.includes(id))
    const word = wordFor(attribute, variant.attributes)
    const named = own ?? (word === undefined ? attribute.options[0] : optionNamed(attribute, word))
    if (named === undefined)
      return yield* FieldRejected.at(
        "attributes",
        `the variant ${variant.id} has the option ${word ?? ""}: delete it first`
      )
    options.push(named.id)
  }
  return options
})

/**
 * The variants that change when a product's attributes become `declared`: a variant keeps its options or finds them by
 * its free-text attributes; of a new attribute it gets the first option. Fails if a variant has an option that the
 * product no longer uses: only variants named in the body are deleted. Without attributes, variants keep their texts.
 */
export const reassigned = Effect.fnUntraced(function* (
  variants: ReadonlyArray<Present>,
  declared: ReadonlyArray<DeclaredAttribute>
) {
  const changed: Array<Reassigned> = []
  for (const variant of variants) {
    const { id, name, attributes, optionIds } = variant
    const made = Object.values(attributes).join(" / ")
    if (declared.length === 0) {
      if (optionIds.length > 0) changed.push({ id, name: variant.isNameMade ? made : name, optionIds: [], attributes })
      continue
    }
    const after = yield* optionsAfter(variant, declared)
    const own = variant.isNameMade || name === made ? "" : name
    if (after.join() !== optionIds.join()) changed.push({ id, name: own, optionIds: after, attributes: {} })
  }
  return changed
})

const keyOf = (optionIds: ReadonlyArray<string>): string => optionIds.join()

export interface Generation {
  readonly declared: ReadonlyArray<DeclaredAttribute>
  /** Options of the variants that the product will have. */
  readonly present: ReadonlyArray<ReadonlyArray<string>>
  /** The attributes and the variants' options before the change; undefined generates all that are missing. */
  readonly before:
    | {
        readonly declared: ReadonlyArray<DeclaredAttribute>
        readonly variants: ReadonlyArray<ReadonlyArray<string>>
      }
    | undefined
}

/**
 * The combinations to generate. Leaves out those that were possible before and had no variant: the variant was deleted,
 * and does not return because the product gets one more option or attribute.
 */
export const missingCombinations = ({ declared, present, before }: Generation) => {
  const there = new Set(present.map(keyOf))
  const known = new Map(before?.declared.map(({ id, options }) => [id, new Set(options.map((option) => option.id))]))
  const common = declared.flatMap(({ id }, at) => (known.has(id) ? [{ at, options: known.get(id) }] : []))
  const wasLeftOut = (combination: ReadonlyArray<string>): boolean => {
    const parts = common.map(({ at, options }) => ({ option: combination[at] ?? "", options }))
    return (
      parts.length > 0 &&
      parts.every(({ option, options }) => options?.has(option) === true) &&
      before?.variants.some((variant) => parts.every(({ option }) => variant.includes(option))) === false
    )
  }
  return combinations(declared).filter((combination) => !there.has(keyOf(combination)) && !wasLeftOut(combination))
}

/** The SKU of a generated variant: the product's SKU and the values of its options. */
export const skuOf = (
  productSku: string | null,
  declared: ReadonlyArray<DeclaredAttribute>,
  optionIds: ReadonlyArray<string>
): string | null => {
  if (productSku === null) return null
  const values = declared.flatMap(({ options }) =>
    options.flatMap(({ id, value }) => (optionIds.includes(id) ? [value.toUpperCase()] : []))
  )
  return cutText([productSku, ...values].join("-"), 100)
}
