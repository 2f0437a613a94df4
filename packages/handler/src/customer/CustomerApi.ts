/** Customers on a storefront (interface.md, Customers; completions.md 2.10), and their cart and orders. */
import { CartBeingPaid, CartNotFound, CartNotWritable } from "@effect-commerce/core/cart/CartErrors"
import { CartView } from "@effect-commerce/core/cart/CartView"
import { customerFields } from "@effect-commerce/core/customer/Customer"
import {
  CustomerAddressesFull,
  CustomerAddressNotFound,
  CustomerCredentialsRejected,
  CustomerEmailTaken,
  CustomerTokenRejected
} from "@effect-commerce/core/customer/CustomerErrors"
import {
  AuthResult,
  CheckoutPrefill,
  CustomerView,
  SavedAddressView
} from "@effect-commerce/core/customer/CustomerView"
import { GivenPassword, NewPassword } from "@effect-commerce/core/customer/PasswordRules"
import { AddressInput, Email } from "@effect-commerce/core/kernel/Address"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { OrderNotFound } from "@effect-commerce/core/order/OrderErrors"
import { ShopperOrderView } from "@effect-commerce/core/order/ShopperOrderView"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { fails } from "../middleware/DeclaredErrors.ts"
import { channelRoute, customerRoute } from "../middleware/Policy.ts"
import { row, signedIn } from "../middleware/Versioned.ts"
import { Unauthorized } from "../middleware/Refusals.ts"
import { Success } from "../store/StoreApi.ts"

/** What is said where saying more would tell who is a customer. */
export const Message = Schema.Struct({ success: Schema.Literal(true), message: Schema.String })

const marks = {
  label: Schema.optionalKey(Schema.NullOr(Schema.String.pipe(Schema.check(Schema.isMaxLength(100))))),
  isDefault: Schema.optionalKey(Schema.Boolean)
}
export const NewAddress = Schema.Struct({ ...AddressInput.fields, ...marks })
export const AddressPatch = Schema.Struct({
  ...AddressInput.fields,
  line1: Schema.optionalKey(AddressInput.fields.line1),
  city: Schema.optionalKey(AddressInput.fields.city),
  country: Schema.optionalKey(AddressInput.fields.country),
  ...marks
})

const Registration = Schema.Struct({
  email: Email,
  password: NewPassword,
  ...customerFields,
  privacyPolicyAccepted: Schema.optionalKey(Schema.Boolean),
  referralCode: Schema.optionalKey(Schema.Unknown)
})

/** Any text: whether it is an address is not told apart from whether it is a customer's. */
const AnyEmail = Schema.String.pipe(Schema.check(Schema.isMaxLength(1_000)))
const MailToken = Schema.String.pipe(Schema.check(Schema.isMaxLength(1_000)))

const minute = 60_000
const signingIn = { cap: { limit: 5, ms: minute } }
const withSecrets = { cap: { limit: 3, ms: minute } }

const channel = { salesChannelId: Schema.String }
const address = { ...channel, addressId: Schema.String }
const at = "/vc/:salesChannelId/customers" as const

export class CustomersGroup extends apiGroup("customers", {
  part: "Storefront",
  title: "Customer accounts",
  description: "Registration, login and whatever a signed-in customer does: profile, addresses, orders and cart."
}).add(
  HttpApiEndpoint.post("register", `${at}/register`, {
    params: channel,
    payload: Registration,
    success: AuthResult,
    error: fails(CustomerEmailTaken, FieldRejected)
  }).pipe(channelRoute("customerAuth", signingIn)),
  HttpApiEndpoint.post("login", `${at}/login`, {
    params: channel,
    payload: Schema.Struct({ email: AnyEmail, password: GivenPassword }),
    success: AuthResult,
    error: fails(CustomerCredentialsRejected)
  }).pipe(channelRoute("customerAuth", signingIn)),
  HttpApiEndpoint.post("verifyEmail", `${at}/verify-email`, {
    params: channel,
    payload: Schema.Struct({ token: MailToken }),
    success: Message,
    error: fails(CustomerTokenRejected)
  }).pipe(channelRoute("customerAuth", withSecrets)),
  HttpApiEndpoint.post("resendVerification", `${at}/resend-verification`, {
    params: channel,
    payload: Schema.Struct({ email: AnyEmail }),
    success: Message
  }).pipe(channelRoute("customerAuth", withSecrets)),
  HttpApiEndpoint.post("forgotPassword", `${at}/forgot-password`, {
    params: channel,
    payload: Schema.Struct({ email: AnyEmail }),
    success: Message
  }).pipe(channelRoute("customerAuth", withSecrets)),
  HttpApiEndpoint.post("resetPassword", `${at}/reset-password`, {
    params: channel,
    payload: Schema.Struct({ token: MailToken, newPassword: NewPassword }),
    success: Message,
    error: fails(CustomerTokenRejected)
  }).pipe(channelRoute("customerAuth", withSecrets)),
  HttpApiEndpoint.post("logout", `${at}/logout`, { params: channel, success: Message }).pipe(
    customerRoute(withSecrets)
  ),
  HttpApiEndpoint.post("changePassword", `${at}/change-password`, {
    params: channel,
    payload: Schema.Struct({ currentPassword: GivenPassword, newPassword: NewPassword }),
    success: Message,
    error: fails(CustomerCredentialsRejected)
  }).pipe(customerRoute({ ...withSecrets, version: row("customer", signedIn) })),
  HttpApiEndpoint.get("me", `${at}/me`, { params: channel, success: CustomerView, error: fails(Unauthorized) }).pipe(
    customerRoute()
  ),
  HttpApiEndpoint.patch("updateMe", `${at}/me`, {
    params: channel,
    payload: Schema.Struct(customerFields),
    success: CustomerView,
    error: fails(Unauthorized, FieldRejected)
  }).pipe(customerRoute({ version: row("customer", signedIn) })),
  HttpApiEndpoint.delete("closeMe", `${at}/me`, {
    params: channel,
    payload: Schema.Struct({ password: GivenPassword }),
    success: Success,
    error: fails(Unauthorized, CustomerCredentialsRejected)
  }).pipe(customerRoute({ ...withSecrets, version: row("customer", signedIn) })),
  HttpApiEndpoint.get("prefill", `${at}/me/checkout-prefill`, {
    params: channel,
    success: CheckoutPrefill,
    error: fails(Unauthorized)
  }).pipe(customerRoute()),
  HttpApiEndpoint.get("addresses", `${at}/me/addresses`, {
    params: channel,
    success: Schema.Array(SavedAddressView),
    error: fails(Unauthorized)
  }).pipe(customerRoute()),
  HttpApiEndpoint.post("addAddress", `${at}/me/addresses`, {
    params: channel,
    payload: NewAddress,
    success: SavedAddressView.pipe(HttpApiSchema.status(201)),
    error: fails(Unauthorized, CustomerAddressesFull)
  }).pipe(customerRoute({ version: row("customer", signedIn) })),
  HttpApiEndpoint.patch("changeAddress", `${at}/me/addresses/:addressId`, {
    params: address,
    payload: AddressPatch,
    success: SavedAddressView,
    error: fails(Unauthorized, CustomerAddressNotFound, FieldRejected)
  }).pipe(customerRoute({ version: row("customerAddress", signedIn, "addressId") })),
  HttpApiEndpoint.delete("removeAddress", `${at}/me/addresses/:addressId`, {
    params: address,
    success: Success,
    error: fails(Unauthorized, CustomerAddressNotFound)
  }).pipe(customerRoute({ version: row("customerAddress", signedIn, "addressId") })),
  HttpApiEndpoint.post("makeDefaultAddress", `${at}/me/addresses/:addressId/default`, {
    params: address,
    success: SavedAddressView,
    error: fails(Unauthorized, CustomerAddressNotFound)
  }).pipe(customerRoute({ version: row("customerAddress", signedIn, "addressId") })),
  HttpApiEndpoint.get("orders", `${at}/me/orders`, {
    params: channel,
    query: pageQuery,
    success: listEnvelope(ShopperOrderView)
  }).pipe(customerRoute()),
  HttpApiEndpoint.get("order", `${at}/me/orders/:orderId`, {
    params: { ...channel, orderId: Schema.String },
    success: ShopperOrderView,
    error: fails(OrderNotFound)
  }).pipe(customerRoute()),
  HttpApiEndpoint.get("cart", `${at}/me/cart`, { params: channel, success: CartView, error: fails(Unauthorized) }).pipe(
    customerRoute({}, "cart")
  ),
  HttpApiEndpoint.post("mergeCart", "/vc/:salesChannelId/cart/merge", {
    params: channel,
    payload: Schema.Struct({ sessionToken: Schema.NonEmptyString.pipe(Schema.check(Schema.isMaxLength(200))) }),
    success: CartView,
    error: fails(Unauthorized, CartNotFound, CartNotWritable, CartBeingPaid)
  }).pipe(customerRoute({}, "cart"))
) {}
