import {
  type CouponInput,
  type CouponSort,
  couponSorts,
  type CouponStatus,
  couponStatuses
} from "@effect-commerce/core/coupon/Coupon"
import { CouponConflicts } from "@effect-commerce/core/coupon/CouponConflicts"
import { platformCapabilities } from "@effect-commerce/core/coupon/CouponPlatforms"
import { Coupons } from "@effect-commerce/core/coupon/Coupons"
import { maxLimit, type Page, pageOf } from "@effect-commerce/core/kernel/Pagination"
import { Effect, Layer } from "effect"
import { listOf } from "../middleware/CommaList.ts"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { paged, succeed } from "../middleware/Responses.ts"
import { blankAsAbsent } from "../middleware/SearchQuery.ts"
import { asAdmin } from "../middleware/Surfaces.ts"
import { CouponsGroup, DashboardCouponsGroup } from "./CouponApi.ts"

interface PageQuery {
  readonly page?: string
  readonly limit?: string
}
interface ListQuery extends PageQuery {
  readonly search?: string
  readonly status?: string
  readonly sortBy?: string
  readonly sortOrder?: "asc" | "desc"
}

const isStatus = (name: string): name is CouponStatus => couponStatuses.some((status) => status === name)

const filterOf = ({ search, status, sortBy, sortOrder }: ListQuery) => {
  const sort = couponSorts.find((known): known is CouponSort => known === sortBy)
  return {
    search: blankAsAbsent(search),
    statuses: listOf(status)?.filter(isStatus),
    ...(sort === undefined ? {} : { sortBy: sort }),
    descending: sortOrder !== "asc"
  }
}

/** An array that is not asked for by pages begins with as many rows as a page may have. */
const fewOf = ({ page, limit }: PageQuery): Page =>
  page === undefined && limit === undefined
    ? { page: 1, limit: maxLimit }
    : pageOf({ ...(page === undefined ? {} : { page }), ...(limit === undefined ? {} : { limit }) })

/** The same under both prefixes. */
const shared = (coupons: Coupons["Service"]) => ({
  list: asAdmin(({ store }, { query }: { readonly query: ListQuery }) =>
    paged(query, (page) => coupons.list(store, page, filterOf(query)))
  ),
  create: asAdmin(({ store }, { payload }: { readonly payload: CouponInput }) => coupons.create(store, payload))
})

const keys = endpointsOf(
  CouponsGroup,
  Effect.fnUntraced(function* (handlers) {
    const coupons = yield* Coupons
    return handlers.handleAll({
      ...shared(coupons),
      platformCapabilities: () => Effect.succeed(platformCapabilities),
      get: asAdmin(({ store }, { params }) => coupons.get(store, params.id)),
      update: asAdmin(({ store }, { params, payload }) => coupons.update(store, params.id, payload)),
      remove: asAdmin(({ store }, { params }) => succeed(coupons.remove(store, params.id))),
      sync: asAdmin(({ store }, { params, payload }) => coupons.sync(store, params.id, payload.platforms ?? [])),
      publish: asAdmin(({ store }, { params, payload }) => coupons.publish(store, params.id, payload.platforms ?? []))
    })
  })
)

const dashboard = endpointsOf(
  DashboardCouponsGroup,
  Effect.fnUntraced(function* (handlers) {
    const coupons = yield* Coupons
    const conflicts = yield* CouponConflicts
    return handlers.handleAll({
      ...shared(coupons),
      available: asAdmin(({ store }, { query }) => coupons.available(store, fewOf(query))),
      conflicts: asAdmin(({ store }, { query }) => conflicts.list(store, fewOf(query))),
      resolve: asAdmin(({ store }, { params, payload }) => conflicts.resolve(store, params.id, payload)),
      ignore: asAdmin(({ store }, { params }) => conflicts.ignore(store, params.id))
    })
  })
)

export const couponEndpoints = Layer.mergeAll(keys, dashboard)
