/** Tax rates and classes. The list of rates is a plain array. */
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { string } from "@effect-commerce/core/kernel/Fields"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { NewTaxClass, TaxClass, TaxClassChanges } from "@effect-commerce/core/tax/TaxClass"
import {
  TaxClassInUse,
  TaxClassNameTaken,
  TaxClassNotFound,
  TaxRateNotFound,
  TaxRateRejected
} from "@effect-commerce/core/tax/TaxErrors"
import { NewTaxRate, TaxRate, TaxRateChanges } from "@effect-commerce/core/tax/TaxRate"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute } from "../middleware/Policy.ts"
import { row } from "../middleware/Versioned.ts"
import { Success } from "../middleware/Responses.ts"
import { taxErrors } from "./taxErrors.ts"

const fails = failsBy(taxErrors)

const TaxRateList = Schema.Array(TaxRate).annotate({ identifier: "TaxRateList", description: "All tax rates." })

const rateId = { rateId: string("The tax rate.") }
const id = { id: string("The tax class.") }

export class TaxRatesGroup extends apiGroup("taxRates", {
  part: "Admin",
  title: "Tax rates",
  description: "Rates by country, region and postal code."
}).add(
  HttpApiEndpoint.get("list", "/v1/tax/rates", { success: TaxRateList }).pipe(
    adminRoute({
      summary: "List tax rates",
      description: "Returns all tax rates of the store, as an array without pages."
    })
  ),
  HttpApiEndpoint.post("create", "/v1/tax/rates", {
    payload: NewTaxRate,
    success: TaxRate.pipe(HttpApiSchema.status(201)),
    error: fails(TaxRateRejected)
  }).pipe(
    adminRoute({
      oneTransaction: true,
      summary: "Create a tax rate",
      description:
        "Creates a rate for a country, or for a region or postal code of it. At checkout the most specific matching " +
        "rate wins: postal code before region before country, then the lowest priority. If the winner is stackable, " +
        "all matching stackable rates are charged together on the same amount."
    })
  ),
  HttpApiEndpoint.get("get", "/v1/tax/rates/:rateId", {
    params: rateId,
    success: TaxRate,
    error: fails(TaxRateNotFound)
  }).pipe(
    adminRoute({
      summary: "Get a tax rate",
      description: "Returns one tax rate, active or not: where it applies, what it adds and in which order."
    })
  ),
  HttpApiEndpoint.patch("update", "/v1/tax/rates/:rateId", {
    params: rateId,
    payload: TaxRateChanges,
    success: TaxRate,
    error: fails(TaxRateNotFound, TaxRateRejected)
  }).pipe(
    adminRoute({
      version: row("taxRate", "rateId"),
      summary: "Change a tax rate",
      description:
        "Changes a rate from the next request on that computes tax. Orders keep the tax they were placed with."
    })
  ),
  HttpApiEndpoint.delete("remove", "/v1/tax/rates/:rateId", {
    params: rateId,
    success: Success,
    error: fails(TaxRateNotFound)
  }).pipe(
    adminRoute({
      version: row("taxRate", "rateId"),
      summary: "Delete a tax rate",
      description: "Deletes a rate. Orders keep the tax they were placed with."
    })
  )
) {}

export class TaxClassesGroup extends apiGroup("taxClasses", {
  part: "Admin",
  title: "Tax classes",
  description: "Classes of products that are taxed differently."
}).add(
  HttpApiEndpoint.get("list", "/v1/tax/classes", { query: pageQuery, success: listEnvelope(TaxClass) }).pipe(
    adminRoute({
      summary: "List tax classes",
      description:
        "Returns the tax classes, in pages. The Standard class is not among them: it applies where there is no " +
        "class."
    })
  ),
  HttpApiEndpoint.post("create", "/v1/tax/classes", {
    payload: NewTaxClass,
    success: TaxClass.pipe(HttpApiSchema.status(201)),
    error: fails(TaxClassNameTaken, FieldRejected)
  }).pipe(
    adminRoute({
      oneTransaction: true,
      summary: "Create a tax class",
      description:
        "Creates a class for goods with rates of their own. Products and tax rates then name it. A name that is " +
        "taken is 409 CONFLICT."
    })
  ),
  HttpApiEndpoint.get("get", "/v1/tax/classes/:id", {
    params: id,
    success: TaxClass,
    error: fails(TaxClassNotFound)
  }).pipe(
    adminRoute({
      summary: "Get a tax class",
      description: "Returns the name of one tax class. Tax rates and products name the class by its id."
    })
  ),
  HttpApiEndpoint.patch("update", "/v1/tax/classes/:id", {
    params: id,
    payload: TaxClassChanges,
    success: TaxClass,
    error: fails(TaxClassNotFound, TaxClassNameTaken, FieldRejected)
  }).pipe(
    adminRoute({
      version: row("taxClass", "id"),
      summary: "Rename a tax class",
      description: "Gives a tax class another name. A name that is taken is 409 CONFLICT."
    })
  ),
  HttpApiEndpoint.delete("remove", "/v1/tax/classes/:id", {
    params: id,
    success: Success,
    error: fails(TaxClassNotFound, TaxClassInUse)
  }).pipe(
    adminRoute({
      version: row("taxClass", "id"),
      summary: "Delete a tax class",
      description: "Deletes a tax class. While tax rates or products use it, it is 409 CONFLICT."
    })
  )
) {}

export const taxGroups = [TaxRatesGroup, TaxClassesGroup] as const
