import { MetafieldConflicts } from "@effect-commerce/core/metafield/MetafieldConflicts"
import { MetafieldDefinitions } from "@effect-commerce/core/metafield/MetafieldDefinitions"
import { type BulkValueResult, MetafieldValues } from "@effect-commerce/core/metafield/MetafieldValues"
import { pageOf } from "@effect-commerce/core/kernel/Pagination"
import { StorefrontProducts } from "@effect-commerce/core/storefront/StorefrontProducts"
import { Effect, Layer } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { Envelope } from "../middleware/Envelope.ts"
import { succeed } from "../middleware/Responses.ts"
import { asAdmin, onChannel } from "../middleware/Surfaces.ts"
import { languagesOf } from "../middleware/RequestLanguages.ts"
import { MetafieldConflictsGroup, MetafieldValuesGroup } from "./MetafieldValueApi.ts"
import { MetafieldDefinitionsGroup, StorefrontMetafieldsGroup } from "./MetafieldApi.ts"

const definitions = endpointsOf(
  MetafieldDefinitionsGroup,
  Effect.fnUntraced(function* (handlers) {
    const useCases = yield* MetafieldDefinitions
    return handlers.handleAll({
      list: asAdmin(({ store }) => useCases.list(store)),
      create: asAdmin(({ store }, { payload }) => useCases.create(store, payload)),
      get: asAdmin(({ store }, { params }) => useCases.get(store, params.id)),
      update: asAdmin(({ store }, { params, payload }) => useCases.update(store, params.id, payload)),
      remove: asAdmin(({ store }, { params, query }) =>
        succeed(useCases.remove(store, params.id, query.force === "true"))
      )
    })
  })
)

const bulkResultBy =
  ({ rowError }: Envelope["Service"]) =>
  ({ error, ...row }: BulkValueResult) => {
    if (error === null) return { ...row, error }
    const { code, message } = rowError(error)
    return { ...row, error: { code, message } }
  }

const values = endpointsOf(
  MetafieldValuesGroup,
  Effect.fnUntraced(function* (handlers) {
    const useCases = yield* MetafieldValues
    const bulkResult = bulkResultBy(yield* Envelope)
    return handlers.handleAll({
      get: asAdmin(({ store }, { params }) => Effect.map(useCases.get(store, params.id), (all) => ({ values: all }))),
      put: asAdmin(({ store }, { params, payload }) => useCases.put(store, params.id, payload)),
      putMany: asAdmin(({ store }, { payload }) =>
        Effect.map(useCases.putMany(store, payload), (results) => ({
          written: results.filter(({ status }) => status === "WRITTEN").length,
          refused: results.filter(({ status }) => status === "REFUSED").length,
          results: results.map(bulkResult)
        }))
      )
    })
  })
)

/** How many conflicts a response has where no page is asked for. */
const mostConflicts = 1_000

const wholeUnlessPaged = (query: { readonly page?: string; readonly limit?: string }) =>
  query.page === undefined && query.limit === undefined ? { page: 1, limit: mostConflicts } : pageOf(query)

const conflicts = endpointsOf(
  MetafieldConflictsGroup,
  Effect.fnUntraced(function* (handlers) {
    const useCases = yield* MetafieldConflicts
    return handlers.handleAll({
      list: asAdmin(({ store }, { query }) => useCases.list(store, query.status ?? "PENDING", wholeUnlessPaged(query))),
      resolve: asAdmin(({ store }, { params, payload }) => useCases.resolve(store, params.conflictId, payload)),
      ignore: asAdmin(({ store }, { params }) => useCases.ignore(store, params.conflictId))
    })
  })
)

const storefront = endpointsOf(
  StorefrontMetafieldsGroup,
  Effect.fnUntraced(function* (handlers) {
    const useCases = yield* MetafieldDefinitions
    const products = yield* StorefrontProducts
    return handlers.handleAll({
      definitions: onChannel(({ store }, { query }) =>
        Effect.flatMap(languagesOf(store, query), (languages) =>
          Effect.map(useCases.forStorefront(store, languages), (all) => ({ definitions: all }))
        )
      ),
      filters: onChannel(({ store, channel }, { query }) =>
        Effect.flatMap(languagesOf(store, query), (languages) =>
          Effect.map(products.metafieldFilters(store, { channelId: channel.id, languages }), (filters) => ({ filters }))
        )
      )
    })
  })
)

export const metafieldEndpoints = Layer.mergeAll(definitions, values, conflicts, storefront)
