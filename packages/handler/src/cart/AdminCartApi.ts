/** Carts for admin keys. */
import { CartItemNotFound, CartLineLimitReached, CartNotFound } from "@effect-commerce/core/cart/CartErrors"
import { CartChange, CartInput, CouponCode, LineChange, LineInput } from "@effect-commerce/core/cart/CartInput"
import { CartItemView, CartView } from "@effect-commerce/core/cart/CartView"
import { CustomerNotFound } from "@effect-commerce/core/customer/CustomerErrors"
import { string } from "@effect-commerce/core/kernel/Fields"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { codeErrors } from "@effect-commerce/core/pricing/CodeErrors"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute } from "../middleware/Policy.ts"
import { useCase } from "../middleware/Versioned.ts"
import { cartErrors } from "./cartErrors.ts"
import { customerErrors } from "../customer/customerErrors.ts"
import { metafieldErrors } from "../metafield/metafieldErrors.ts"
import { pricingErrors } from "../pricing/pricingErrors.ts"
import { storeErrors } from "../store/storeErrors.ts"
import { applyCouponFacts, CartGroup, cartLineErrors, cartWriteErrors } from "./CartApi.ts"

const fails = failsBy(cartErrors, customerErrors, metafieldErrors, pricingErrors, storeErrors)

const id = { id: string("Id of the cart.") }
const adminItem = { ...id, itemId: string("Id of the line.") }

export class AdminCartGroup extends apiGroup("adminCart", {
  part: "Admin",
  title: "Carts",
  description: "The same carts, for servers with an admin key."
}).add(
  HttpApiEndpoint.post("create", "/v1/cart", {
    payload: CartInput,
    success: CartView.pipe(HttpApiSchema.status(201)),
    error: fails(FieldRejected, CustomerNotFound)
  }).pipe(
    adminRoute({
      summary: "Create a cart",
      description: "Creates an empty cart for a sales channel and a customer of the store, or for neither.",
      optionalBody: true
    })
  ),
  HttpApiEndpoint.get("get", "/v1/cart/:id", { params: id, success: CartView, error: fails(CartNotFound) }).pipe(
    adminRoute({
      summary: "Get a cart",
      description: "Returns any cart of the store, with its totals and current stock."
    })
  ),
  HttpApiEndpoint.patch("update", "/v1/cart/:id", {
    params: id,
    payload: CartChange,
    success: CartView,
    error: fails(...cartWriteErrors, FieldRejected)
  }).pipe(
    adminRoute({
      summary: "Update a cart",
      description:
        "Changes notes, region or analytics ids; null clears a field. A cart keeps its currency: another one is 400.",
      version: useCase
    })
  ),
  HttpApiEndpoint.delete("clear", "/v1/cart/:id", {
    params: id,
    success: CartView,
    error: fails(...cartWriteErrors)
  }).pipe(
    adminRoute({
      summary: "Clear a cart",
      description: "Removes all lines from the cart, which stays ACTIVE. Its reserved units are released.",
      version: useCase
    })
  ),
  HttpApiEndpoint.post("addItem", "/v1/cart/:id/items", {
    params: id,
    payload: LineInput,
    success: CartView,
    error: fails(...cartLineErrors, CartLineLimitReached)
  }).pipe(
    adminRoute({
      exampleRequest: { productId: "prod_01m80xf4kfwqepj0qfgc4xj8ge", quantity: 2 },
      reads: CartItemView,
      summary: "Add a line",
      description:
        "Adds a product, or the chosen variant, at its current price. The same line adds to its quantity. The " +
        "storefront's limit of 50 lines does not apply here; a cart has at most 500.",
      oneTransaction: true,
      version: useCase
    })
  ),
  HttpApiEndpoint.patch("changeItem", "/v1/cart/:id/items/:itemId", {
    params: adminItem,
    payload: LineChange,
    success: CartView,
    error: fails(...cartLineErrors, CartItemNotFound)
  }).pipe(
    adminRoute({
      reads: CartItemView,
      summary: "Change a line",
      description:
        "Changes the quantity, customizations, modifiers or notes of a line. Quantity 0 removes it. A line that " +
        "becomes the same as another one is merged into it.",
      version: useCase
    })
  ),
  HttpApiEndpoint.post("applyCoupon", "/v1/cart/:id/coupon", {
    params: id,
    payload: CouponCode,
    success: CartView,
    error: fails(...cartWriteErrors, ...codeErrors)
  }).pipe(adminRoute(applyCouponFacts)),
  HttpApiEndpoint.delete("removeCoupon", "/v1/cart/:id/coupon", {
    params: id,
    success: CartView,
    error: fails(...cartWriteErrors)
  }).pipe(
    adminRoute({
      summary: "Remove the coupon",
      description: "Removes the coupon. A cart without one stays as it is.",
      version: useCase
    })
  ),
  HttpApiEndpoint.delete("removeItem", "/v1/cart/:id/items/:itemId", {
    params: adminItem,
    success: CartView,
    error: fails(...cartWriteErrors, CartItemNotFound)
  }).pipe(
    adminRoute({
      summary: "Remove a line",
      description: "Removes one line from the cart. A line that is not in the cart is 404.",
      version: useCase
    })
  )
) {}

export const cartGroups = [CartGroup, AdminCartGroup] as const
