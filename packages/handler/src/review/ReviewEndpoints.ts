import { languagesWanted } from "@effect-commerce/core/kernel/Locale"
import { pageOf, toEnvelope } from "@effect-commerce/core/kernel/Pagination"
import type { ReviewOrder, ReviewSort } from "@effect-commerce/core/review/Review"
import { Reviews } from "@effect-commerce/core/review/Reviews"
import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { listOf } from "../middleware/CommaList.ts"
import { paged, succeed } from "../middleware/Responses.ts"
import { asAdmin, asCustomer, onChannel } from "../middleware/Surfaces.ts"
import { ReviewsGroup, StorefrontReviewsGroup } from "./ReviewApi.ts"

const isSort = (name: string | undefined): name is ReviewSort => name === "createdAt" || name === "rating"

/** An unknown `sortBy` is not an error: the default order applies. */
const orderOf = ({ sortBy, sortOrder }: { readonly sortBy?: string; readonly sortOrder?: string }): ReviewOrder => ({
  sortBy: isSort(sortBy) ? sortBy : "createdAt",
  descending: !isSort(sortBy) || sortOrder !== "asc"
})

const ratingsOf = ({ rating }: { readonly rating?: string }) => listOf(rating)?.map(Number)

const storefront = endpointsOf(
  StorefrontReviewsGroup,
  Effect.fnUntraced(function* (handlers) {
    const reviews = yield* Reviews
    return handlers.handleAll({
      list: onChannel(({ store, channel }, { params, query }) => {
        const page = pageOf(query)
        const asked = { ratings: ratingsOf(query), order: orderOf(query), page }
        return Effect.map(reviews.shown(store, { productId: params.id, channelId: channel.id }, asked), (found) => ({
          ...toEnvelope(page, found),
          summary: found.summary
        }))
      }),
      write: asCustomer(({ store, channel, customer }, { params, payload }) =>
        Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
          reviews.write(
            store,
            { productId: params.id, customerId: customer.id, channelId: channel.id },
            payload,
            languagesWanted(undefined, headers["accept-language"])
          )
        )
      )
    })
  })
)

const admin = endpointsOf(
  ReviewsGroup,
  Effect.fnUntraced(function* (handlers) {
    const reviews = yield* Reviews
    return handlers.handleAll({
      list: asAdmin(({ store }, { query }) =>
        paged(query, (page) => {
          const { productId, customerId } = query
          const filter = { statuses: listOf(query.status), ratings: ratingsOf(query), productId, customerId }
          return reviews.list(store, filter, orderOf(query), page)
        })
      ),
      update: asAdmin(({ store }, { params, payload }) => reviews.update(store, params.id, payload)),
      remove: asAdmin(({ store }, { params }) => succeed(reviews.remove(store, params.id)))
    })
  })
)

export const reviewEndpoints = Layer.merge(storefront, admin)
