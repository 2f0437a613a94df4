/** The rules that a variant must meet before it is stored, and the only place where a body becomes its fields. */
import { Effect } from "effect"
import { amounts } from "../kernel/Amount.ts"
import { checkAll, FieldRejected } from "../kernel/FieldRejected.ts"
import { downloadsOf } from "./DownloadData.ts"
import { chosenOptions, type DeclaredAttribute } from "./internal/variantOptions.ts"
import type { VariantFields } from "./Product.ts"
import type { VariantInput } from "./VariantInput.ts"

/** Minor units after a body: absent leaves the amount unchanged, null clears it. */
export const amountOf = (
  field: string,
  given: number | string | null | undefined,
  currency: string,
  current: bigint | null
): Effect.Effect<bigint | null, FieldRejected> =>
  given === undefined ? Effect.succeed(current) : Effect.map(amounts(currency)(field, given), (minor) => minor ?? null)

export interface VariantWriting {
  readonly currency: string
  /** Prefix of the field names in an error. */
  readonly path: string
  readonly now: number
  /** The product's attributes: a variant has one option of each. Without any, its `attributes` are free text. */
  readonly declared: ReadonlyArray<DeclaredAttribute>
}

/** The free-text attributes and the options of a variant after a body. */
const choiceOf = Effect.fnUntraced(function* (
  current: VariantFields,
  given: VariantInput["attributes"],
  { declared, path }: VariantWriting
) {
  if (declared.length === 0) {
    const attributes = given ?? current.attributes
    return { attributes, optionIds: given === undefined ? current.optionIds : [] }
  }
  if (given === undefined && current.optionIds.length > 0) {
    return { attributes: current.attributes, optionIds: current.optionIds }
  }
  return { attributes: {}, optionIds: yield* chosenOptions(declared, given ?? {}, path) }
})

/** A variant without its own name is named after its options; with `optionIds` the name follows later renames. */
const namingOf = (
  current: VariantFields,
  given: string | undefined,
  { attributes, optionIds }: Pick<VariantFields, "attributes" | "optionIds">
): Pick<VariantFields, "name" | "isNameMade"> => {
  const isUnnamed = current.name === "" || current.isNameMade
  if (optionIds.length > 0) {
    const isNameMade = given === undefined ? isUnnamed : given === ""
    return { isNameMade, name: isNameMade ? "" : (given ?? current.name) }
  }
  const made = Object.values(attributes).join(" / ")
  return { isNameMade: false, name: given ?? (isUnnamed ? made : current.name) }
}

export const variantFields = Effect.fnUntraced(function* (
  current: VariantFields,
  input: VariantInput,
  writing: VariantWriting
) {
  const { currency, path, now } = writing
  const { inventory: _inventory, downloadData, ...given } = input
  const { choice, ...prices } = yield* checkAll({
    choice: choiceOf(current, given.attributes, writing),
    price: amountOf(`${path}price`, given.price, currency, current.price),
    salePrice: amountOf(`${path}salePrice`, given.salePrice, currency, current.salePrice),
    costPrice: amountOf(`${path}costPrice`, given.costPrice, currency, current.costPrice)
  })
  const fields: VariantFields = {
    ...current,
    ...(given as unknown as Partial<VariantFields>),
    ...choice,
    ...namingOf(current, given.name, choice),
    ...prices,
    price: prices.price ?? 0n,
    downloadData: downloadsOf(downloadData, current.downloadData, now)
  }
  if (fields.salePrice !== null && fields.salePrice > fields.price)
    return yield* FieldRejected.at(`${path}salePrice`, "must not be above price")
  return fields
})
