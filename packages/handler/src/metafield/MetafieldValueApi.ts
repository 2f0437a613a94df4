/** The values that products have of metafields, and conflicts between them and what platforms send. */
import { ProductNotFound } from "@effect-commerce/core/taxonomy/TaxonomyErrors"
import { conflictStatuses, MetafieldConflict, ResolveConflict } from "@effect-commerce/core/metafield/MetafieldConflict"
import {
  MetafieldConflictNotFound,
  MetafieldConflictSettled,
  MetafieldResolutionRequired,
  MetafieldsRejected
} from "@effect-commerce/core/metafield/MetafieldErrors"
import { maxBulkValues, MetafieldValuesByKey } from "@effect-commerce/core/metafield/MetafieldValue"
import { ResourceChanged } from "@effect-commerce/core/database/Precondition"
import {
  arrayOf,
  clearable,
  described,
  integer,
  json,
  nullable,
  nullableString,
  oneOf,
  optional,
  Reference,
  string,
  AnyJson
} from "@effect-commerce/core/kernel/Fields"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute } from "../middleware/Policy.ts"
import { row, useCase } from "../middleware/Versioned.ts"
import { ErrorCode } from "../middleware/ErrorCode.ts"
import { metafieldErrors } from "./metafieldErrors.ts"
import { taxonomyErrors } from "../taxonomy/taxonomyErrors.ts"

const fails = failsBy(metafieldErrors, taxonomyErrors)

const product = { id: string("Id of the product.") }
const conflictId = { conflictId: string("Id of the conflict.") }
const source = clearable(
  Reference,
  "Code of the platform that sends the values. A value that differs from what somebody else wrote is then not " +
    "written, but becomes a conflict.",
  "shopify"
)

const Values = Schema.Struct({
  values: json("Values by key, by the position of their definitions.")
}).annotate({ identifier: "MetafieldValues", description: "Values that a product has." })

const SetValues = Schema.Struct({
  values: described(MetafieldValuesByKey, "Values by key; null takes one away. Other keys keep what they have.", {
    material: "oak"
  }),
  source
}).annotate({ identifier: "SetMetafieldValues", description: "Values to write." })

const ValuesSet = Schema.Struct({
  ...Values.fields,
  conflicts: arrayOf(
    Schema.Struct({
      conflictId: string("Id of the conflict."),
      key: string("Key of the value.", "material")
    }).annotate({ identifier: "OpenedMetafieldConflict", description: "A value that was not written." }),
    "Values that were not written because somebody else wrote another one; empty without `source`."
  )
}).annotate({ identifier: "MetafieldValuesSet", description: "Values of a product after a write." })

const SetManyValues = Schema.Struct({
  values: described(
    Schema.Array(
      Schema.Struct({
        productId: described(Reference, "The product."),
        key: described(Reference, "Key of the definition.", "material"),
        value: described(AnyJson, "The value; null takes it away.", "oak")
      }).annotate({ identifier: "MetafieldValueRow", description: "A value to write." })
    ).pipe(Schema.check(Schema.isMinLength(1), Schema.isMaxLength(maxBulkValues))),
    `1 to ${maxBulkValues} values. Each is checked by itself.`
  ),
  source
}).annotate({ identifier: "SetManyMetafieldValues", description: "Values of many products to write." })

const ManyValuesSet = Schema.Struct({
  written: integer("How many values were written.", 998),
  refused: integer("How many failed.", 1),
  results: arrayOf(
    Schema.Struct({
      index: integer("Place of the row in the request, from 0.", 3),
      productId: string("The product of the row."),
      key: string("The key of the row.", "material"),
      status: oneOf(
        ["WRITTEN", "UNCHANGED", "CONFLICT", "REFUSED"],
        "UNCHANGED where the product had the value; CONFLICT where somebody else wrote another one."
      ),
      conflictId: nullableString("Id of the conflict; null without one."),
      error: nullable(
        Schema.Struct({
          code: ErrorCode,
          message: string("What is wrong, for people.")
        }).annotate({ identifier: "MetafieldValueError", description: "Why a value is invalid." }),
        "Why it failed; null if it did not."
      )
    }).annotate({ identifier: "MetafieldValueResult", description: "Outcome of one row." }),
    "One result for each row, in order."
  )
}).annotate({ identifier: "ManyMetafieldValuesSet", description: "Outcome of the values." })

export class MetafieldValuesGroup extends apiGroup("metafieldValues", {
  part: "Admin",
  title: "Metafield values",
  description: "What products have of the store's metafields."
}).add(
  HttpApiEndpoint.get("get", "/v1/products/:id/metafields", {
    params: product,
    success: Values,
    error: fails(ProductNotFound)
  }).pipe(
    adminRoute({
      summary: "Get the metafields of a product",
      description: "Returns the values of one product by key, those of inactive definitions included."
    })
  ),
  HttpApiEndpoint.put("put", "/v1/products/:id/metafields", {
    params: product,
    payload: SetValues,
    success: ValuesSet,
    error: fails(ProductNotFound, MetafieldsRejected, FieldRejected)
  }).pipe(
    adminRoute({
      summary: "Write metafields of a product",
      description:
        "Writes all of the values, or none if one is invalid: `details.errors` has an entry for each, such as " +
        "`values.material`. The product's `updatedAt` is the version. With `source`, a value that differs from what " +
        "the merchant or another platform wrote becomes a conflict and changes nothing.",
      version: row("product", "id"),
      oneTransaction: true
    })
  ),
  HttpApiEndpoint.post("putMany", "/v1/metafield-values/bulk", {
    payload: SetManyValues,
    success: ManyValuesSet,
    error: fails(FieldRejected)
  }).pipe(
    adminRoute({
      summary: "Write metafields of many products",
      description:
        "Writes up to 1,000 values of any products. A row that breaks a rule fails alone, with its error; the others " +
        "are written together.",
      maxBody: 10 * 1_048_576,
      oneTransaction: true
    })
  )
) {}

export class MetafieldConflictsGroup extends apiGroup("metafieldConflicts", {
  part: "Admin",
  title: "Metafield conflicts",
  description: "Values that a connected platform sent and that differ from the stored ones."
}).add(
  HttpApiEndpoint.get("list", "/v1/metafield-conflicts", {
    query: {
      ...pageQuery,
      status: optional(
        Schema.Literals(conflictStatuses),
        "Conflicts of this status; PENDING, the open ones, by default."
      )
    },
    success: Schema.Array(MetafieldConflict).annotate({
      identifier: "MetafieldConflictList",
      description: "Conflicts of one status, the newest first."
    })
  }).pipe(
    adminRoute({
      summary: "List metafield conflicts",
      description:
        "Returns the open conflicts, or with `status` the settled ones, as an array of at most 1,000, the newest " +
        "first. With `page` or `limit` it returns a page."
    })
  ),
  HttpApiEndpoint.post("resolve", "/v1/metafield-conflicts/:conflictId/resolve", {
    params: conflictId,
    payload: ResolveConflict,
    success: MetafieldConflict,
    error: fails(
      MetafieldConflictNotFound,
      MetafieldConflictSettled,
      MetafieldResolutionRequired,
      MetafieldsRejected,
      FieldRejected,
      ResourceChanged
    )
  }).pipe(
    adminRoute({
      exampleRequest: { resolution: "accept_source" },
      summary: "Resolve a metafield conflict",
      description:
        "Decides which value the product has. If its definition no longer accepts the value, the response is an " +
        "error and the conflict stays open. A conflict is resolved once.",
      optionalBody: true,
      version: useCase,
      oneTransaction: true
    })
  ),
  HttpApiEndpoint.post("ignore", "/v1/metafield-conflicts/:conflictId/ignore", {
    params: conflictId,
    success: MetafieldConflict,
    error: fails(MetafieldConflictNotFound, MetafieldConflictSettled, ResourceChanged)
  }).pipe(
    adminRoute({
      summary: "Ignore a metafield conflict",
      description:
        "Keeps the product's value. The same value from the platform does not become a conflict again, another one " +
        "does.",
      version: useCase,
      oneTransaction: true
    })
  )
) {}
