/** The address book of a customer, for the customer and for admin keys. */
import {
  CustomerAddressesFull,
  CustomerAddressNotFound,
  CustomerNotFound
} from "@effect-commerce/core/customer/CustomerErrors"
import { AddressPatch, NewAddress } from "@effect-commerce/core/customer/CustomerInput"
import { SavedAddresses, SavedAddressView } from "@effect-commerce/core/customer/CustomerView"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { string } from "@effect-commerce/core/kernel/Fields"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute, customerRoute } from "../middleware/Policy.ts"
import { Unauthorized } from "../middleware/Refusals.ts"
import { Success } from "../middleware/Responses.ts"
import { row, signedIn } from "../middleware/Versioned.ts"
import { customerErrors } from "./customerErrors.ts"

const fails = failsBy(customerErrors)

const addressId = string("Id of the address.")
const channel = { salesChannelId: string("Id of the sales channel.", "vc_01k9f3m2q7x4b8n6c5d1e0h2jk") }
const own = { ...channel, addressId }
const customer = { id: string("Id of the customer.") }
const theirs = { ...customer, addressId }

const additionWords = "Adds an address to the address book, which has at most 100. The first one becomes the default."
const removalWords = "Deletes an address. If it was the default, the newest of the others becomes the default."

export const ownAddressBook = [
  HttpApiEndpoint.get("addresses", "/vc/:salesChannelId/customers/me/addresses", {
    params: channel,
    success: SavedAddresses,
    error: fails(Unauthorized)
  }).pipe(
    customerRoute({
      summary: "List the customer's addresses",
      description: "Returns the address book: the default address first, then the newest first."
    })
  ),
  HttpApiEndpoint.post("addAddress", "/vc/:salesChannelId/customers/me/addresses", {
    params: channel,
    payload: NewAddress,
    success: SavedAddressView.pipe(HttpApiSchema.status(201)),
    error: fails(Unauthorized, CustomerAddressesFull)
  }).pipe(
    customerRoute({
      summary: "Add an address",
      description: additionWords,
      version: row("customer", signedIn)
    })
  ),
  HttpApiEndpoint.patch("changeAddress", "/vc/:salesChannelId/customers/me/addresses/:addressId", {
    params: own,
    payload: AddressPatch,
    success: SavedAddressView,
    error: fails(Unauthorized, CustomerAddressNotFound, FieldRejected)
  }).pipe(
    customerRoute({
      summary: "Update an address",
      description:
        "Changes the fields in the body and leaves the others; null clears a field. `isDefault` true makes it the " +
        "default in place of the other.",
      version: row("customerAddress", signedIn, "addressId")
    })
  ),
  HttpApiEndpoint.delete("removeAddress", "/vc/:salesChannelId/customers/me/addresses/:addressId", {
    params: own,
    success: Success,
    error: fails(Unauthorized, CustomerAddressNotFound)
  }).pipe(
    customerRoute({
      summary: "Delete an address",
      description: removalWords,
      version: row("customerAddress", signedIn, "addressId")
    })
  ),
  HttpApiEndpoint.post("makeDefaultAddress", "/vc/:salesChannelId/customers/me/addresses/:addressId/default", {
    params: own,
    success: SavedAddressView,
    error: fails(Unauthorized, CustomerAddressNotFound)
  }).pipe(
    customerRoute({
      summary: "Make an address the default",
      description: "Makes the address the default in place of the other.",
      version: row("customerAddress", signedIn, "addressId")
    })
  )
] as const

export const adminAddressBook = [
  HttpApiEndpoint.get("addresses", "/v1/customers/:id/addresses", {
    params: customer,
    query: pageQuery,
    success: listEnvelope(SavedAddressView),
    error: fails(CustomerNotFound)
  }).pipe(
    adminRoute({
      summary: "List a customer's addresses",
      description: "Lists the address book: the default first, then the newest first."
    })
  ),
  HttpApiEndpoint.post("addAddress", "/v1/customers/:id/addresses", {
    params: customer,
    payload: NewAddress,
    success: SavedAddressView.pipe(HttpApiSchema.status(201)),
    error: fails(CustomerNotFound, CustomerAddressesFull)
  }).pipe(
    adminRoute({
      summary: "Add an address to a customer",
      description: additionWords,
      version: row("customer", "id")
    })
  ),
  HttpApiEndpoint.patch("changeAddress", "/v1/customers/:id/addresses/:addressId", {
    params: theirs,
    payload: AddressPatch,
    success: SavedAddressView,
    error: fails(CustomerNotFound, CustomerAddressNotFound, FieldRejected)
  }).pipe(
    adminRoute({
      summary: "Update a customer's address",
      description: "Changes the fields in the body and leaves the others; null clears a field.",
      version: row("customerAddress", "id", "addressId")
    })
  ),
  HttpApiEndpoint.delete("removeAddress", "/v1/customers/:id/addresses/:addressId", {
    params: theirs,
    success: Success,
    error: fails(CustomerNotFound, CustomerAddressNotFound)
  }).pipe(
    adminRoute({
      summary: "Delete a customer's address",
      description: removalWords,
      version: row("customerAddress", "id", "addressId")
    })
  )
] as const
