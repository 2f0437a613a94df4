/** Customers for admin keys. There is no list. */
import { CustomerEmailTaken, CustomerNotFound } from "@effect-commerce/core/customer/CustomerErrors"
import { CustomerInput, CustomerPatch } from "@effect-commerce/core/customer/CustomerInput"
import { CustomerView } from "@effect-commerce/core/customer/CustomerView"
import { described, optional, string } from "@effect-commerce/core/kernel/Fields"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute } from "../middleware/Policy.ts"
import { row } from "../middleware/Versioned.ts"
import { Success } from "../middleware/Responses.ts"
import { adminAddressBook } from "./AddressBookApi.ts"
import { CustomersGroup } from "./CustomerApi.ts"
import { customerErrors } from "./customerErrors.ts"

const fails = failsBy(customerErrors)

const storeId = {
  storeId: optional(Schema.String, "The store to work on; needed with a key that is valid for several stores.")
}
const id = { id: string("Id of the customer.") }

export class AdminCustomersGroup extends apiGroup("adminCustomers", {
  part: "Admin",
  title: "Customers",
  description: "The customers of a store and their addresses."
}).add(
  HttpApiEndpoint.post("create", "/v1/customers", {
    payload: CustomerInput,
    success: CustomerView.pipe(HttpApiSchema.status(201)),
    error: fails(CustomerEmailTaken, FieldRejected)
  }).pipe(
    adminRoute({
      summary: "Create a customer",
      description:
        "Creates a customer without a password; the customer can choose one by asking for a new password. An e-mail " +
        "address that is taken is 409."
    })
  ),
  HttpApiEndpoint.get("getByEmail", "/v1/customers/by-email", {
    query: {
      email: described(
        Schema.NonEmptyString.pipe(Schema.check(Schema.isMaxLength(1_000))),
        "E-mail address of the customer.",
        "ada@example.com"
      ),
      ...storeId
    },
    success: CustomerView,
    error: fails(CustomerNotFound)
  }).pipe(
    adminRoute({
      summary: "Get a customer by e-mail address",
      description: "Returns the customer with this e-mail address. No route lists all customers."
    })
  ),
  HttpApiEndpoint.get("get", "/v1/customers/:id", {
    params: id,
    success: CustomerView,
    error: fails(CustomerNotFound)
  }).pipe(adminRoute({ summary: "Get a customer", description: "Returns one customer with the address book." })),
  HttpApiEndpoint.patch("update", "/v1/customers/:id", {
    params: id,
    payload: CustomerPatch,
    success: CustomerView,
    error: fails(CustomerNotFound, CustomerEmailTaken, FieldRejected)
  }).pipe(
    adminRoute({
      summary: "Update a customer",
      description: "Changes the fields in the body and leaves the others; null clears a field.",
      version: row("customer", "id")
    })
  ),
  HttpApiEndpoint.delete("remove", "/v1/customers/:id", {
    params: id,
    success: Success,
    error: fails(CustomerNotFound)
  }).pipe(
    adminRoute({
      summary: "Delete a customer",
      description: "Deletes the customer and everything personal; orders stay. The e-mail address can be used again.",
      version: row("customer", "id")
    })
  ),
  ...adminAddressBook
) {}

export const customerGroups = [CustomersGroup, AdminCustomersGroup] as const
