/**
 * The rows of a store description: the API's create bodies plus `externalId`. A row says all that is wrong with it, by
 * field.
 */
import { AttributeInput, AttributeOptionInput } from "@effect-commerce/core/taxonomy/Attribute"
import { BrandInput } from "@effect-commerce/core/taxonomy/Brand"
import { CategoryInput } from "@effect-commerce/core/taxonomy/Category"
import { MetafieldDefinitionInput } from "@effect-commerce/core/metafield/MetafieldDefinition"
import { ModifierGroupInput } from "@effect-commerce/core/modifier/ModifierGroup"
import { ProductInput } from "@effect-commerce/core/product/ProductInput"
import { customerFields } from "@effect-commerce/core/customer/Customer"
import { makeBodyKeys } from "@effect-commerce/core/body/BodyKeys"
import { issueWords } from "@effect-commerce/core/body/IssueWords"
import { AddressInput, Email } from "@effect-commerce/core/kernel/Address"
import {
  ShippingClassCalculation,
  ShippingRateType,
  ShippingTaxStatus
} from "@effect-commerce/core/shipping/ShippingRate"
import { ReviewInput, ReviewPatch } from "@effect-commerce/core/review/Review"
import { RegionInput } from "@effect-commerce/core/store/Region"
import { Result, Schema } from "effect"
import { Refused } from "../Refused.ts"

const optional = Schema.optionalKey
const nullable = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))
const texts = Schema.Array(Schema.String)
const listsByCountry = Schema.Record(Schema.String, texts)
/** A number or a decimal string, in major units. */
const amount = Schema.Union([Schema.Finite, Schema.String])

/** `parent` or `parentId` is the externalId of the category above, or its id. */
export const CategoryRow = Schema.Struct({ ...CategoryInput.fields, parent: nullable(Schema.String) })

/** An option without an externalId is found by its name. */
export const AttributeRow = Schema.Struct({
  ...AttributeInput.fields,
  options: optional(Schema.Array(AttributeOptionInput))
})
export const BrandRow = BrandInput

export const RegionRow = RegionInput

export const TaxClassRow = Schema.Struct({ name: Schema.String })

/** `taxClassId` is the externalId, the name or the id of a class. */
export const TaxRateRow = Schema.Struct({
  name: Schema.String,
  country: Schema.String,
  rate: amount,
  region: nullable(Schema.String),
  postalCode: nullable(Schema.String),
  taxType: nullable(Schema.String),
  isInclusive: optional(Schema.Boolean),
  priority: optional(Schema.Int),
  stackable: optional(Schema.Boolean),
  exceptionCountries: nullable(texts),
  isActive: optional(Schema.Boolean),
  taxClassId: nullable(Schema.String)
})

export const ShippingRateRow = Schema.Struct({
  name: Schema.String,
  type: ShippingRateType,
  description: nullable(Schema.String),
  rateConfig: optional(Schema.Json),
  minDeliveryDays: nullable(Schema.Int),
  maxDeliveryDays: nullable(Schema.Int),
  handlingTime: nullable(Schema.Int),
  taxStatus: optional(ShippingTaxStatus),
  minOrderAmount: nullable(amount),
  maxCost: nullable(amount),
  classCosts: nullable(Schema.Record(Schema.String, amount)),
  classCalculationType: optional(ShippingClassCalculation),
  isActive: optional(Schema.Boolean)
})

/** `regionIds` are externalIds or ids. */
export const ShippingZoneRow = Schema.Struct({
  name: Schema.String,
  countries: texts,
  regions: nullable(listsByCountry),
  postalCodes: nullable(listsByCountry),
  geometry: nullable(Schema.Json),
  geometryLabels: nullable(texts),
  regionIds: nullable(texts),
  salesChannelIds: nullable(texts),
  priority: optional(Schema.Int),
  isActive: optional(Schema.Boolean)
})

export const ShippingClassRow = Schema.Struct({ name: Schema.String, slug: nullable(Schema.String) })

/** `referencedProductId` is the externalId or the id of a product that is there already. */
export const ModifierGroupRow = ModifierGroupInput

/** `productIds` are externalIds or ids. */
export const MetafieldDefinitionRow = MetafieldDefinitionInput

/** `addresses` are what a customer begins with; the first is the default unless another one says so. */
export const CustomerRow = Schema.Struct({
  email: Email,
  ...customerFields,
  emailVerified: optional(Schema.Boolean),
  addresses: optional(
    Schema.Array(
      Schema.Struct({ ...AddressInput.fields, label: nullable(Schema.String), isDefault: optional(Schema.Boolean) })
    )
  )
})

/** `categories`, `brands`, `crossSells`, `upsells` and `related` are externalIds or ids. */
export const ProductRow = ProductInput

/** `productId` and `customerId` are externalIds or ids. */
export const ReviewRow = Schema.Struct({
  ...ReviewInput.fields,
  ...ReviewPatch.fields,
  productId: Schema.String,
  customerId: optional(Schema.String)
})

/** The row as the use cases take it. Names that are no fields of it, nor `also` known to its loader, are refused. */
export const readRow = <S extends Schema.Top & Schema.ConstraintDecoder<unknown>>(
  schema: S,
  kind: string,
  row: { readonly externalId: string },
  also: ReadonlyArray<string> = []
): Result.Result<S["Type"], Refused> => {
  const { value, errors } = makeBodyKeys([schema], [], { also: ["externalId", ...also] })(row)
  const read = Schema.decodeUnknownResult(schema, { errors: "all" })(value)
  const unknown = Object.entries(errors).map(([field, words]) => `${field}: ${words}`)
  const wrong = Result.isFailure(read) ? [...issueWords(read.failure.issue)] : []
  const problems = [...unknown, ...wrong.map(([field, words]) => `${field} ${words}`)]
  return Result.isFailure(read) || problems.length > 0
    ? Result.fail(refusedRow(kind, row.externalId, problems.join("; ")))
    : Result.succeed(read.success)
}

export const refusedRow = (kind: string, externalId: string, why: string): Refused =>
  new Refused(`${kind} ${externalId}: ${why.replaceAll(/\s*\n\s*/g, " ")}; nothing was loaded`)
