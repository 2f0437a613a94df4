/** Tax rates and classes (interface.md, Tax rate; completions.md 2.14). The list of rates is a bare array. */
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { TaxClass } from "@effect-commerce/core/tax/TaxClass"
import {
  TaxClassInUse,
  TaxClassNameTaken,
  TaxClassNotFound,
  TaxRateNotFound,
  TaxRateRejected
} from "@effect-commerce/core/tax/TaxErrors"
import { TaxRate } from "@effect-commerce/core/tax/TaxRate"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { fails } from "../middleware/DeclaredErrors.ts"
import { adminRoute } from "../middleware/Policy.ts"
import { row } from "../middleware/Versioned.ts"
import { Success } from "../store/StoreApi.ts"

/** A number or a decimal string, 0 to 100. */
const percentage = Schema.Union([Schema.Finite, Schema.String])
const text = Schema.optionalKey(Schema.NullOr(Schema.String))
const flag = Schema.optionalKey(Schema.Boolean)

const optionalFields = {
  region: text,
  postalCode: text,
  taxType: text,
  isInclusive: flag,
  priority: Schema.optionalKey(Schema.Int),
  stackable: flag,
  exceptionCountries: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String))),
  isActive: flag,
  taxClassId: text
}

const rateId = { rateId: Schema.String }
const id = { id: Schema.String }

export class TaxRatesGroup extends apiGroup("taxRates", {
  part: "Admin",
  title: "Tax rates",
  description: "Which tax is due where."
}).add(
  HttpApiEndpoint.get("list", "/v1/tax/rates", { success: Schema.Array(TaxRate) }).pipe(adminRoute()),
  HttpApiEndpoint.post("create", "/v1/tax/rates", {
    payload: Schema.Struct({ name: Schema.String, country: Schema.String, rate: percentage, ...optionalFields }),
    success: TaxRate.pipe(HttpApiSchema.status(201)),
    error: fails(TaxRateRejected)
  }).pipe(adminRoute({ oneTransaction: true })),
  HttpApiEndpoint.get("get", "/v1/tax/rates/:rateId", {
    params: rateId,
    success: TaxRate,
    error: fails(TaxRateNotFound)
  }).pipe(adminRoute()),
  HttpApiEndpoint.patch("update", "/v1/tax/rates/:rateId", {
    params: rateId,
    payload: Schema.Struct({
      name: Schema.optionalKey(Schema.String),
      country: Schema.optionalKey(Schema.String),
      rate: Schema.optionalKey(percentage),
      ...optionalFields
    }),
    success: TaxRate,
    error: fails(TaxRateNotFound, TaxRateRejected)
  }).pipe(adminRoute({ version: row("taxRate", "rateId") })),
  HttpApiEndpoint.delete("remove", "/v1/tax/rates/:rateId", {
    params: rateId,
    success: Success,
    error: fails(TaxRateNotFound)
  }).pipe(adminRoute({ version: row("taxRate", "rateId") }))
) {}

export class TaxClassesGroup extends apiGroup("taxClasses", {
  part: "Admin",
  title: "Tax classes",
  description: "Kinds of products that are taxed alike."
}).add(
  HttpApiEndpoint.get("list", "/v1/tax/classes", { query: pageQuery, success: listEnvelope(TaxClass) }).pipe(
    adminRoute()
  ),
  HttpApiEndpoint.post("create", "/v1/tax/classes", {
    payload: Schema.Struct({ name: Schema.String }),
    success: TaxClass.pipe(HttpApiSchema.status(201)),
    error: fails(TaxClassNameTaken, FieldRejected)
  }).pipe(adminRoute({ oneTransaction: true })),
  HttpApiEndpoint.get("get", "/v1/tax/classes/:id", {
    params: id,
    success: TaxClass,
    error: fails(TaxClassNotFound)
  }).pipe(adminRoute()),
  HttpApiEndpoint.patch("update", "/v1/tax/classes/:id", {
    params: id,
    payload: Schema.Struct({ name: Schema.optionalKey(Schema.String) }),
    success: TaxClass,
    error: fails(TaxClassNotFound, TaxClassNameTaken, FieldRejected)
  }).pipe(adminRoute({ version: row("taxClass", "id") })),
  HttpApiEndpoint.delete("remove", "/v1/tax/classes/:id", {
    params: id,
    success: Success,
    error: fails(TaxClassNotFound, TaxClassInUse)
  }).pipe(adminRoute({ version: row("taxClass", "id") }))
) {}

export const taxGroups = [TaxRatesGroup, TaxClassesGroup] as const
