import { productSorts } from "@effect-commerce/core/product/ProductEnums"
import { type ImportResult, ProductImports } from "@effect-commerce/core/product/ProductImports"
import { Products } from "@effect-commerce/core/product/Products"
import { pageOf, toEnvelope, toPageOf } from "@effect-commerce/core/kernel/Pagination"
import { Regions } from "@effect-commerce/core/store/Regions"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { Effect } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { listOf } from "../middleware/CommaList.ts"
import { Envelope } from "../middleware/Envelope.ts"
import { succeed } from "../middleware/Responses.ts"
import { blankAsAbsent } from "../middleware/SearchQuery.ts"
import { asAdmin } from "../middleware/Surfaces.ts"
import { written } from "../middleware/Written.ts"
import { sortingOf } from "./ProductSorting.ts"
import { ProductsGroup } from "./ProductApi.ts"

const checkRegion = Effect.fnUntraced(function* (
  regions: Regions["Service"],
  storeId: string,
  regionId: string | undefined
) {
  if (regionId === undefined || (yield* regions.existing(storeId, [regionId])).has(regionId)) return
  yield* FieldRejected.at("regionId", "is not a region of this store")
})

const bulkResultBy =
  ({ rowError }: Envelope["Service"]) =>
  ({ index, productId, error }: ImportResult) =>
    error === null ? { index, ...(productId === null ? {} : { productId }) } : { index, error: rowError(error) }

export const productEndpoints = endpointsOf(
  ProductsGroup,
  Effect.fnUntraced(function* (handlers) {
    const useCases = yield* Products
    const imports = yield* ProductImports
    const bulkResult = bulkResultBy(yield* Envelope)
    const regions = yield* Regions
    return handlers.handleAll({
      list: asAdmin(
        Effect.fnUntraced(function* ({ store }, { query }) {
          const page = pageOf(query)
          yield* checkRegion(regions, store.id, query.regionId)
          const filter = {
            statuses: listOf(query.status),
            types: listOf(query.type),
            search: blankAsAbsent(query.search)
          }
          return written(
            toEnvelope(page, yield* useCases.list(store, { page, ...sortingOf(productSorts, query), filter }))
          )
        })
      ),
      create: asAdmin(({ store }, { payload }) => useCases.create(store, payload)),
      createMany: asAdmin(({ store }, { payload }) => imports.start(store, payload.products)),
      bulkProgress: asAdmin(({ store }, { params }) =>
        Effect.map(imports.progress(store, params.jobId), ({ results, ...job }) => ({
          ...job,
          results: results.map(bulkResult)
        }))
      ),
      get: asAdmin(({ store }, { params }) => useCases.get(store, { id: params.id }, "admin")),
      update: asAdmin(({ store }, { params, payload }) => useCases.update(store, params.id, payload)),
      publish: asAdmin(({ store }, { params, payload }) => useCases.publish(store, params.id, payload)),
      remove: asAdmin(({ store }, { params }) => succeed(useCases.remove(store, params.id))),
      variants: asAdmin(({ store }, { params, query }) =>
        Effect.map(useCases.variants(store, params.id), (all) => toPageOf(pageOf(query), all))
      ),
      createVariant: asAdmin(({ store }, { params, payload }) => useCases.createVariant(store, params.id, payload)),
      previewVariants: asAdmin(({ store }, { params, payload }) => useCases.previewVariants(store, params.id, payload)),
      updateVariant: asAdmin(({ store }, { params, payload }) =>
        useCases.updateVariant(store, params.id, params.variantId, payload)
      ),
      removeVariant: asAdmin(({ store }, { params }) =>
        succeed(useCases.removeVariant(store, params.id, params.variantId))
      )
    })
  })
)
