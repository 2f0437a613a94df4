/** Customers on a storefront, and their cart and orders. */
import { CartBeingPaid, CartNotFound, CartNotWritable } from "@effect-commerce/core/cart/CartErrors"
import { MergeCart } from "@effect-commerce/core/cart/CartInput"
import { CartView } from "@effect-commerce/core/cart/CartView"
import {
  CustomerCredentialsRejected,
  CustomerEmailTaken,
  CustomerTokenRejected
} from "@effect-commerce/core/customer/CustomerErrors"
import {
  ChangePassword,
  CloseAccount,
  Credentials,
  EmailOnly,
  ProfilePatch,
  Registration,
  ResetPassword,
  VerifyEmail
} from "@effect-commerce/core/customer/CustomerInput"
import { AccountMessage, AuthResult, CheckoutPrefill, CustomerView } from "@effect-commerce/core/customer/CustomerView"
import { PasswordsBusy } from "@effect-commerce/core/identity/IdentityErrors"
import { string } from "@effect-commerce/core/kernel/Fields"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { OrderNotFound } from "@effect-commerce/core/order/OrderErrors"
import { ShopperOrderView } from "@effect-commerce/core/order/ShopperOrderView"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { HttpApiEndpoint } from "effect/http-api"
import { keptLanguage } from "../middleware/LanguageQuery.ts"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { channelRoute, customerRoute } from "../middleware/Policy.ts"
import { row, signedIn } from "../middleware/Versioned.ts"
import { Unauthorized } from "../middleware/Refusals.ts"
import { Success } from "../middleware/Responses.ts"
import { cartErrors } from "../cart/cartErrors.ts"
import { ownAddressBook } from "./AddressBookApi.ts"
import { customerErrors } from "./customerErrors.ts"
import { identityErrors } from "../identity/identityErrors.ts"
import { orderErrors } from "../order/orderErrors.ts"

const fails = failsBy(cartErrors, customerErrors, identityErrors, orderErrors)

const minute = 60_000
const signingIn = { cap: { limit: 5, ms: minute } }
const withSecrets = { cap: { limit: 3, ms: minute } }

const channel = { salesChannelId: string("Id of the sales channel.", "vc_01k9f3m2q7x4b8n6c5d1e0h2jk") }
const at = "/vc/:salesChannelId/customers" as const

export class CustomersGroup extends apiGroup("customers", {
  part: "Storefront",
  title: "Customer accounts",
  description: "Registration, login and what a signed-in customer can do: profile, addresses, orders and cart."
}).add(
  HttpApiEndpoint.post("register", `${at}/register`, {
    params: channel,
    payload: Registration,
    success: AuthResult,
    error: fails(CustomerEmailTaken, FieldRejected, PasswordsBusy)
  }).pipe(
    channelRoute("customerAuth", {
      ...signingIn,
      summary: "Register a customer",
      description:
        "Creates an account and signs the customer in. If the store requires verification there is no token yet: an " +
        "e-mail with a link is sent first. An e-mail address that is taken is 409. Mails to the customer are in the " +
        "language of Accept-Language, where the store has it. At most 5 attempts a minute from one IP address."
    })
  ),
  HttpApiEndpoint.post("login", `${at}/login`, {
    params: channel,
    payload: Credentials,
    success: AuthResult,
    error: fails(CustomerCredentialsRejected, PasswordsBusy)
  }).pipe(
    channelRoute("customerAuth", {
      ...signingIn,
      summary: "Log in",
      description:
        "Returns a token for this sales channel, valid for seven days. A wrong password and an unknown e-mail " +
        "address get the same 401. At most 5 attempts a minute from one IP address."
    })
  ),
  HttpApiEndpoint.post("verifyEmail", `${at}/verify-email`, {
    params: channel,
    payload: VerifyEmail,
    success: AccountMessage,
    error: fails(CustomerTokenRejected)
  }).pipe(
    channelRoute("customerAuth", {
      ...withSecrets,
      summary: "Verify an e-mail address",
      description: "Verifies the e-mail address with the token of the link in the e-mail. A token works once."
    })
  ),
  HttpApiEndpoint.post("resendVerification", `${at}/resend-verification`, {
    params: channel,
    payload: EmailOnly,
    success: AccountMessage
  }).pipe(
    channelRoute("customerAuth", {
      ...withSecrets,
      summary: "Send the verification e-mail again",
      description:
        "Sends the verification e-mail again if the address is not verified. The response is the same whether there " +
        "is an account or not."
    })
  ),
  HttpApiEndpoint.post("forgotPassword", `${at}/forgot-password`, {
    params: channel,
    payload: EmailOnly,
    success: AccountMessage
  }).pipe(
    channelRoute("customerAuth", {
      ...withSecrets,
      summary: "Ask for a new password",
      description:
        "Sends an e-mail with a link where there is an account. The response is the same whether there is one or " +
        "not. At most 3 requests a minute from one IP address."
    })
  ),
  HttpApiEndpoint.post("resetPassword", `${at}/reset-password`, {
    params: channel,
    payload: ResetPassword,
    success: AccountMessage,
    error: fails(CustomerTokenRejected, PasswordsBusy)
  }).pipe(
    channelRoute("customerAuth", {
      ...withSecrets,
      summary: "Set a new password by token",
      description:
        "Sets a new password with the token of the link in the e-mail, which works once and for an hour. All tokens " +
        "that were issued before stop working. A password that is not accepted does not use the token up."
    })
  ),
  HttpApiEndpoint.post("logout", `${at}/logout`, { params: channel, success: AccountMessage }).pipe(
    customerRoute({
      ...withSecrets,
      summary: "Log out",
      description: "Revokes the token of the request, at once on this server and within five seconds on all."
    })
  ),
  HttpApiEndpoint.post("changePassword", `${at}/change-password`, {
    params: channel,
    payload: ChangePassword,
    success: AccountMessage,
    error: fails(CustomerCredentialsRejected, PasswordsBusy)
  }).pipe(
    customerRoute({
      summary: "Change the password",
      description: "Sets a new password; the current one is needed. All tokens that were issued before stop working.",
      ...withSecrets,
      version: row("customer", signedIn)
    })
  ),
  HttpApiEndpoint.get("me", `${at}/me`, { params: channel, success: CustomerView, error: fails(Unauthorized) }).pipe(
    customerRoute({
      summary: "Get the signed-in customer",
      description: "Returns the profile of the signed-in customer, with the address book."
    })
  ),
  HttpApiEndpoint.patch("updateMe", `${at}/me`, {
    params: channel,
    payload: ProfilePatch,
    success: CustomerView,
    error: fails(Unauthorized, FieldRejected)
  }).pipe(
    customerRoute({
      summary: "Update the signed-in customer",
      description:
        "Changes the fields in the body and leaves the others; null clears a field. Month and day of birth go " +
        "together.",
      version: row("customer", signedIn)
    })
  ),
  HttpApiEndpoint.delete("closeMe", `${at}/me`, {
    params: channel,
    payload: CloseAccount,
    success: Success,
    error: fails(Unauthorized, CustomerCredentialsRejected, PasswordsBusy)
  }).pipe(
    customerRoute({
      summary: "Close the account",
      description:
        "Deletes the signed-in customer; the password is needed. Orders stay, and the e-mail address can register " +
        "again.",
      ...withSecrets,
      version: row("customer", signedIn)
    })
  ),
  HttpApiEndpoint.get("prefill", `${at}/me/checkout-prefill`, {
    params: channel,
    success: CheckoutPrefill,
    error: fails(Unauthorized)
  }).pipe(
    customerRoute({
      summary: "Get values for a checkout's form",
      description: "Returns the customer's default address and contact data, to fill in the form of a checkout."
    })
  ),
  ...ownAddressBook,
  HttpApiEndpoint.get("orders", `${at}/me/orders`, {
    params: channel,
    query: pageQuery,
    success: listEnvelope(ShopperOrderView)
  }).pipe(
    customerRoute({
      summary: "List the customer's orders",
      description: "Lists the orders of the signed-in customer, newest first."
    })
  ),
  HttpApiEndpoint.get("order", `${at}/me/orders/:orderId`, {
    params: { ...channel, orderId: string("Id of the order.") },
    success: ShopperOrderView,
    error: fails(OrderNotFound)
  }).pipe(
    customerRoute({
      summary: "Get an order of the customer",
      description: "Returns one order of the signed-in customer. Another customer's order is 404."
    })
  ),
  HttpApiEndpoint.get("cart", `${at}/me/cart`, {
    params: channel,
    query: keptLanguage,
    success: CartView,
    error: fails(Unauthorized)
  }).pipe(
    customerRoute(
      {
        summary: "Get the customer's cart",
        description: "Returns the active cart of the signed-in customer, and creates one where there is none."
      },
      "cart"
    )
  ),
  HttpApiEndpoint.post("mergeCart", "/vc/:salesChannelId/cart/merge", {
    params: channel,
    payload: MergeCart,
    success: CartView,
    error: fails(Unauthorized, CartNotFound, CartNotWritable, CartBeingPaid)
  }).pipe(
    customerRoute(
      {
        summary: "Merge a guest's cart",
        description:
          "Moves the lines of the guest's cart into the signed-in customer's cart; equal lines add up. Call it after " +
          "login with the session token you stored. Lines that stock does not allow are listed in " +
          "`unavailableItemIds`. Repeating the request changes nothing. While a checkout of the guest's cart is " +
          "`PROCESSING` it is 409: pay for it, or cancel it first."
      },
      "cart"
    )
  )
) {}
