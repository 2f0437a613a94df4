import { Carts } from "@effect-commerce/core/cart/Carts"
import { Checkouts } from "@effect-commerce/core/checkout/Checkouts"
import type { ExplanationView } from "@effect-commerce/core/explanation/Explanation"
import { explanationPage } from "@effect-commerce/core/explanation/ExplanationPage"
import { Orders } from "@effect-commerce/core/order/Orders"
import { Effect, Layer } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Exchange } from "../middleware/Exchange.ts"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { adminAccess, asAdmin, onChannel } from "../middleware/Surfaces.ts"
import { AdminExplanationsGroup, ExplanationsGroup } from "./ExplanationApi.ts"
import { prefersPage } from "./prefersPage.ts"

/** The page may load nothing. It is about one buyer's purchase: no cache keeps it. */
const pageHeaders = {
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'none'",
  "cache-control": "no-store",
  vary: "Accept, Origin"
}

/** JSON, or the page where the caller prefers HTML. */
const answered =
  ({ headers }: HttpServerRequest.HttpServerRequest) =>
  <E, R>(explained: Effect.Effect<ExplanationView, E, R>) =>
    Effect.gen(function* () {
      const view = yield* explained
      const exchange = yield* Exchange
      exchange.headers["vary"] = pageHeaders.vary
      if (!prefersPage(headers["accept"])) return view
      return HttpServerResponse.text(explanationPage(view), {
        contentType: "text/html; charset=utf-8",
        headers: pageHeaders
      })
    })

const explanations = endpointsOf(
  ExplanationsGroup,
  Effect.fnUntraced(function* (handlers) {
    const carts = yield* Carts
    const checkouts = yield* Checkouts
    return handlers.handleAll({
      cart: onChannel(({ store, access }, { params, request }) =>
        answered(request)(carts.explain(store, access, params.cartId))
      ),
      checkout: onChannel(({ store, access }, { params, request }) =>
        answered(request)(checkouts.explain(store, access, params.checkoutId))
      )
    })
  })
)

const adminExplanations = endpointsOf(
  AdminExplanationsGroup,
  Effect.fnUntraced(function* (handlers) {
    const carts = yield* Carts
    const checkouts = yield* Checkouts
    const orders = yield* Orders
    return handlers.handleAll({
      cart: asAdmin(({ store }, { params, request }) =>
        answered(request)(carts.explain(store, adminAccess, params.id))
      ),
      checkout: asAdmin(({ store }, { params, request }) =>
        answered(request)(checkouts.explain(store, adminAccess, params.id))
      ),
      order: asAdmin(({ store }, { params, request }) => answered(request)(orders.explain(store, params.id)))
    })
  })
)

export const explanationEndpoints = Layer.mergeAll(explanations, adminExplanations)
