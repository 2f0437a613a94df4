/** Where the amounts of carts, checkouts and orders come from: for storefronts, for admin keys, and as a page. */
import { CartNotFound } from "@effect-commerce/core/cart/CartErrors"
import { CheckoutNotFound } from "@effect-commerce/core/checkout/CheckoutErrors"
import { ExplanationView } from "@effect-commerce/core/explanation/Explanation"
import { string } from "@effect-commerce/core/kernel/Fields"
import { OrderNotFound } from "@effect-commerce/core/order/OrderErrors"
import { HttpApiEndpoint } from "effect/http-api"
import { cartErrors } from "../cart/cartErrors.ts"
import { checkoutErrors } from "../checkout/checkoutErrors.ts"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute, channelRoute } from "../middleware/Policy.ts"
import { orderErrors } from "../order/orderErrors.ts"

const fails = failsBy(cartErrors, checkoutErrors, orderErrors)

const aPage = "With `Accept: text/html` the response is a page for people, which can be printed."
const words = {
  cart: {
    summary: "Explain a cart",
    description:
      "Returns where each amount of the cart comes from, what does not apply and why, and which discounts were " +
      `compared. A cart has no shipping and no tax yet. ${aPage}`
  },
  checkout: {
    summary: "Explain a checkout",
    description:
      "Returns where each amount of the checkout comes from: the row that caused it, the formula, the value before " +
      `rounding and where it was rounded. The entries of a step add up to its total. ${aPage}`
  }
}

const channel = { salesChannelId: string("Id of the sales channel.", "vc_01k9f3m2q7x4b8n6c5d1e0h2jk") }
const cartId = string("Id of the cart.")
const checkoutId = string("Id of the checkout.")

export class ExplanationsGroup extends apiGroup("explanations", {
  part: "Storefront",
  title: "Explanations for shoppers",
  description: "Where the amounts of a shopper's cart and checkout come from."
}).add(
  HttpApiEndpoint.get("cart", "/vc/:salesChannelId/cart/:cartId/explain", {
    params: { ...channel, cartId },
    success: ExplanationView,
    error: fails(CartNotFound)
  }).pipe(channelRoute("cart", words.cart)),
  HttpApiEndpoint.get("checkout", "/vc/:salesChannelId/checkout/:checkoutId/explain", {
    params: { ...channel, checkoutId },
    success: ExplanationView,
    error: fails(CheckoutNotFound)
  }).pipe(channelRoute("cart", words.checkout))
) {}

export class AdminExplanationsGroup extends apiGroup("adminExplanations", {
  part: "Admin",
  title: "Explanations",
  description: "Where the amounts of carts, checkouts and orders come from, to the minor unit."
}).add(
  HttpApiEndpoint.get("cart", "/v1/cart/:id/explain", {
    params: { id: cartId },
    success: ExplanationView,
    error: fails(CartNotFound)
  }).pipe(adminRoute(words.cart)),
  HttpApiEndpoint.get("checkout", "/v1/checkout/:id/explain", {
    params: { id: checkoutId },
    success: ExplanationView,
    error: fails(CheckoutNotFound)
  }).pipe(adminRoute(words.checkout)),
  HttpApiEndpoint.get("order", "/v1/orders/:id/explain", {
    params: { id: string("Id of the order.") },
    success: ExplanationView,
    error: fails(OrderNotFound)
  }).pipe(
    adminRoute({
      summary: "Explain an order",
      description:
        "Returns where each amount of the order comes from, as it was when the order was placed: rules, rates and " +
        "prices that changed since then change nothing. An order from before explanations were stored is explained " +
        `by its lines, discounts and taxes. ${aPage}`
    })
  )
) {}

export const explanationGroups = [ExplanationsGroup, AdminExplanationsGroup] as const
