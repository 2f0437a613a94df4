/** Products, their variants and imports for admin keys. */
import { PlatformsRequired, ProductNotFound } from "@effect-commerce/core/taxonomy/TaxonomyErrors"
import {
  ProductExternalIdTaken,
  ProductImportNotFound,
  ProductSlugTaken,
  ProductTypeFixed,
  StockBelowReserved,
  VariantAttributesTaken,
  VariantNotFound
} from "@effect-commerce/core/product/ProductErrors"
import { MetafieldsRejected } from "@effect-commerce/core/metafield/MetafieldErrors"
import { productStatuses, productTypes } from "@effect-commerce/core/product/ProductEnums"
import { ResourceChanged } from "@effect-commerce/core/database/Precondition"
import { ProductInput, ProductPatch, VariantsPreviewInput } from "@effect-commerce/core/product/ProductInput"
import { VariantInput, VariantPatch } from "@effect-commerce/core/product/VariantInput"
import { ProductView } from "@effect-commerce/core/product/ProductView"
import { PublishInput } from "@effect-commerce/core/taxonomy/PublishInput"
import { VariantsPreview } from "@effect-commerce/core/product/VariantsPreview"
import { ProductQuotaReached } from "@effect-commerce/core/quota/QuotaErrors"
import { VariantView } from "@effect-commerce/core/product/VariantView"
import { arrayOf, described, integer, jsonOf, oneOf, optional, string, text } from "@effect-commerce/core/kernel/Fields"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { closedList } from "../middleware/CommaList.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute } from "../middleware/Policy.ts"
import { row, unversioned, useCase } from "../middleware/Versioned.ts"
import { Success } from "../middleware/Responses.ts"
import { searchOf } from "../middleware/SearchQuery.ts"
import { productSorting } from "./ProductSorting.ts"
import { ErrorCode } from "../middleware/ErrorCode.ts"
import { inventoryErrors } from "../inventory/inventoryErrors.ts"
import { metafieldErrors } from "../metafield/metafieldErrors.ts"
import { productErrors } from "./productErrors.ts"
import { quotaErrors } from "../quota/quotaErrors.ts"
import { taxonomyErrors } from "../taxonomy/taxonomyErrors.ts"

const fails = failsBy(inventoryErrors, metafieldErrors, productErrors, quotaErrors, taxonomyErrors)

const id = { id: string("Id of the product.") }
const variant = { ...id, variantId: string("Id of the variant.") }
const storeId = optional(Schema.String, "The store to work on; needed with a key that is valid for several stores.")
const writes = [FieldRejected, ProductSlugTaken, ProductExternalIdTaken, VariantAttributesTaken] as const

/** Products in one call. */
const maxBulkProducts = 1_000
const CreateProducts = Schema.Struct({
  products: described(
    Schema.Array(jsonOf(ProductInput)).pipe(Schema.check(Schema.isMinLength(1), Schema.isMaxLength(maxBulkProducts))),
    `1 to ${maxBulkProducts} products. Each is checked by itself, after the response.`
  )
}).annotate({ identifier: "CreateProducts", description: "Products to create in one call." })

const BulkAccepted = Schema.Struct({
  jobId: string("Id of the job. Ask for its progress with it."),
  accepted: integer("How many products will be created.", 998),
  skipped: arrayOf(
    Schema.Struct({
      index: integer("Place of the product in the request, from 0.", 3),
      externalSourceId: string("The id of the existing product.", "erp-1042"),
      productId: string("The product that is there.")
    }).annotate({ identifier: "SkippedProduct", description: "A product that exists already." }),
    "Products that are there already by their `externalSourceId`: they are left as they are."
  )
}).annotate({ identifier: "ProductImport", description: "A job that creates many products." })

const RowRefusal = Schema.Struct({
  code: ErrorCode,
  message: string("What is wrong, for people."),
  details: Schema.optionalKey(
    described(Schema.Record(Schema.String, Schema.Unknown), "What is wrong, by field where it is known.")
  )
}).annotate({ identifier: "ProductImportError", description: "Why a product of a job was not created." })

const BulkProgress = Schema.Struct({
  status: oneOf(
    ["QUEUED", "RUNNING", "COMPLETED", "FAILED"],
    "How far the job is. It is COMPLETED also where some of its products failed."
  ),
  processed: integer("How many products are done.", 500),
  succeeded: integer("How many of them were created.", 499),
  failed: integer("How many of them failed.", 1),
  results: arrayOf(
    Schema.Struct({
      index: integer("Place of the product in the request, from 0.", 3),
      productId: Schema.optionalKey(string("The product that was created.")),
      error: Schema.optionalKey(RowRefusal)
    }).annotate({ identifier: "ProductImportResult", description: "Result of one product of a job." }),
    "Results of the products that are done."
  )
}).annotate({ identifier: "ProductImportProgress", description: "Progress of a job that creates many products." })

export class ProductsGroup extends apiGroup("products", {
  part: "Admin",
  title: "Products",
  description: "The catalogue that a store sells from: products, their variants, and imports of many at once."
}).add(
  HttpApiEndpoint.get("list", "/v1/products", {
    query: {
      ...pageQuery,
      ...productSorting,
      search: searchOf("name, sku, gtin, mpn or description"),
      status: Schema.optionalKey(closedList(productStatuses, "Shows only products of this status.")),
      type: Schema.optionalKey(closedList(productTypes, "Shows only products of this type.")),
      regionId: optional(
        text(200),
        "A region of the store. Prices stay in the store's currency: checkouts are presented in the region's."
      ),
      storeId
    },
    success: listEnvelope(ProductView),
    error: fails(FieldRejected)
  }).pipe(
    adminRoute({
      summary: "List products",
      description:
        "Lists the products of the store, drafts included, with their variants and their stock. An unknown status, " +
        "type or region is 400."
    })
  ),
  HttpApiEndpoint.post("create", "/v1/products", {
    payload: ProductInput,
    success: ProductView.pipe(HttpApiSchema.status(201)),
    error: fails(...writes, MetafieldsRejected, ProductQuotaReached)
  }).pipe(
    adminRoute({
      summary: "Create a product",
      description:
        "Creates a product with its variants and its opening stock. It is a `draft` unless `status` is `active`. A " +
        "slug of the request that is taken is 409; one that is made from the name gets a number.",
      oneTransaction: true
    })
  ),
  HttpApiEndpoint.post("createMany", "/v1/products/bulk", {
    payload: CreateProducts,
    success: BulkAccepted.pipe(HttpApiSchema.status(202)),
    error: fails(FieldRejected)
  }).pipe(
    adminRoute({
      summary: "Create many products",
      description:
        "Accepts up to 1,000 products and creates them one by one after the response. Products whose " +
        "`externalSourceId` exists already are skipped, so that a batch can be sent again. A product that breaks a " +
        "rule fails alone; read the job's progress to see which.",
      maxBody: 10 * 1_048_576,
      oneTransaction: true
    })
  ),
  HttpApiEndpoint.get("bulkProgress", "/v1/products/bulk/:jobId", {
    params: { jobId: string("Id of the job.") },
    success: BulkProgress,
    error: fails(ProductImportNotFound)
  }).pipe(
    adminRoute({
      summary: "Get the progress of a bulk job",
      description:
        "Returns the progress of a job, and the result of each product that is done. A job can be read until thirty " +
        "days after its end."
    })
  ),
  HttpApiEndpoint.get("get", "/v1/products/:id", {
    params: id,
    success: ProductView,
    error: fails(ProductNotFound)
  }).pipe(
    adminRoute({
      summary: "Get a product",
      description: "Returns one product as the merchant sees it: also drafts, with costs and the URLs of downloads."
    })
  ),
  HttpApiEndpoint.patch("update", "/v1/products/:id", {
    params: id,
    payload: ProductPatch,
    success: ProductView,
    error: fails(...writes, MetafieldsRejected, ProductNotFound, ProductTypeFixed, StockBelowReserved, ResourceChanged)
  }).pipe(
    adminRoute({
      summary: "Update a product",
      description:
        "Changes the fields in the body and leaves the others; null clears a field. Variants are changed by their " +
        "`id`, added without one, and deleted with `_delete`. A product with several variants cannot become SIMPLE, " +
        "and stock cannot be set below what is reserved unless backorders are allowed.",
      version: useCase
    })
  ),
  HttpApiEndpoint.post("publish", "/v1/products/:id/publish", {
    params: id,
    payload: PublishInput,
    success: ProductView,
    error: fails(
      FieldRejected,
      PlatformsRequired,
      ProductSlugTaken,
      ProductExternalIdTaken,
      ProductNotFound,
      ResourceChanged
    )
  }).pipe(
    adminRoute({
      exampleRequest: { salesChannelIds: ["vc_01k9f3m2q7x4b8n6c5d1e0h2jk"] },
      summary: "Publish a product",
      description:
        "Adds sales channels to those that show the product. It does not change `status`: a draft stays hidden until " +
        "a PATCH makes it `active`. A product is on every channel until it is published to particular ones; from " +
        "then on it is 404 on the others and cannot be bought there. PATCH with `salesChannelIds` sets the whole " +
        "list; null shows it on every channel again.",
      version: useCase
    })
  ),
  HttpApiEndpoint.delete("remove", "/v1/products/:id", {
    params: id,
    success: Success,
    error: fails(ProductNotFound)
  }).pipe(
    adminRoute({
      summary: "Delete a product",
      description:
        "Deletes the product with its variants. Orders keep their copy of what was sold. A second delete is 404.",
      version: row("product", "id")
    })
  ),
  HttpApiEndpoint.get("variants", "/v1/products/:id/variants", {
    params: id,
    query: pageQuery,
    success: listEnvelope(VariantView),
    error: fails(ProductNotFound)
  }).pipe(
    adminRoute({
      summary: "List the variants of a product",
      description: "Lists all variants of one product, drafts included."
    })
  ),
  HttpApiEndpoint.post("createVariant", "/v1/products/:id/variants", {
    params: id,
    payload: VariantInput,
    success: VariantView.pipe(HttpApiSchema.status(201)),
    error: fails(...writes, ProductNotFound)
  }).pipe(
    adminRoute({
      summary: "Create a variant",
      description:
        "Adds a variant to a VARIABLE product, with its opening stock. Its options must differ from those of every " +
        "other variant. Without a price it begins with the product's `basePrice` of that moment.",
      oneTransaction: true,
      version: row("product", "id")
    })
  ),
  HttpApiEndpoint.post("previewVariants", "/v1/products/:id/variants/preview", {
    params: id,
    payload: VariantsPreviewInput,
    success: VariantsPreview,
    error: fails(FieldRejected, ProductNotFound)
  }).pipe(
    adminRoute({
      summary: "Preview the variants of a product",
      description:
        "Returns the variants that a PATCH with these `attributes` would keep and create, or the error that the " +
        "PATCH would return. Without `attributes`, the combinations that are missing. Nothing is changed.",
      version: unversioned("nothing is changed")
    })
  ),
  HttpApiEndpoint.patch("updateVariant", "/v1/products/:id/variants/:variantId", {
    params: variant,
    payload: VariantPatch,
    success: VariantView,
    error: fails(...writes, ProductNotFound, VariantNotFound, StockBelowReserved)
  }).pipe(
    adminRoute({
      summary: "Update a variant",
      description:
        "Changes the fields in the body and leaves the others; null clears a field. Stock cannot be set below what " +
        "is reserved unless backorders are allowed.",
      version: row("variant", "id", "variantId")
    })
  ),
  HttpApiEndpoint.delete("removeVariant", "/v1/products/:id/variants/:variantId", {
    params: variant,
    success: Success,
    error: fails(ProductNotFound, VariantNotFound)
  }).pipe(
    adminRoute({
      summary: "Delete a variant",
      description: "Deletes one variant of a product. A second delete is 404.",
      version: row("variant", "id", "variantId")
    })
  )
) {}

export const productGroups = [ProductsGroup] as const
