/** Customers for admin keys (interface.md and completions.md 2.10, Customers). There is no list. */
import { customerFields } from "@effect-commerce/core/customer/Customer"
import {
  CustomerAddressesFull,
  CustomerAddressNotFound,
  CustomerEmailTaken,
  CustomerNotFound
} from "@effect-commerce/core/customer/CustomerErrors"
import { CustomerView, SavedAddressView } from "@effect-commerce/core/customer/CustomerView"
import { Email } from "@effect-commerce/core/kernel/Address"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { fails } from "../middleware/DeclaredErrors.ts"
import { adminRoute } from "../middleware/Policy.ts"
import { row } from "../middleware/Versioned.ts"
import { Success } from "../store/StoreApi.ts"
import { AddressPatch, CustomersGroup, NewAddress } from "./CustomerApi.ts"

const merchantFields = { ...customerFields, emailVerified: Schema.optionalKey(Schema.Boolean) }
const storeId = { storeId: Schema.optionalKey(Schema.String) }
const id = { id: Schema.String }
const address = { ...id, addressId: Schema.String }

export class AdminCustomersGroup extends apiGroup("adminCustomers", {
  part: "Admin",
  title: "Customers",
  description: "The customers of a store and their addresses."
}).add(
  HttpApiEndpoint.post("create", "/v1/customers", {
    payload: Schema.Struct({ email: Email, ...merchantFields }),
    success: CustomerView.pipe(HttpApiSchema.status(201)),
    error: fails(CustomerEmailTaken, FieldRejected)
  }).pipe(adminRoute()),
  HttpApiEndpoint.get("getByEmail", "/v1/customers/by-email", {
    query: { email: Schema.NonEmptyString.pipe(Schema.check(Schema.isMaxLength(1_000))), ...storeId },
    success: CustomerView,
    error: fails(CustomerNotFound)
  }).pipe(adminRoute()),
  HttpApiEndpoint.get("get", "/v1/customers/:id", {
    params: id,
    success: CustomerView,
    error: fails(CustomerNotFound)
  }).pipe(adminRoute()),
  HttpApiEndpoint.patch("update", "/v1/customers/:id", {
    params: id,
    payload: Schema.Struct({ email: Schema.optionalKey(Email), ...merchantFields }),
    success: CustomerView,
    error: fails(CustomerNotFound, CustomerEmailTaken, FieldRejected)
  }).pipe(adminRoute({ version: row("customer", "id") })),
  HttpApiEndpoint.delete("remove", "/v1/customers/:id", {
    params: id,
    success: Success,
    error: fails(CustomerNotFound)
  }).pipe(adminRoute({ version: row("customer", "id") })),
  HttpApiEndpoint.get("addresses", "/v1/customers/:id/addresses", {
    params: id,
    query: pageQuery,
    success: listEnvelope(SavedAddressView),
    error: fails(CustomerNotFound)
  }).pipe(adminRoute()),
  HttpApiEndpoint.post("addAddress", "/v1/customers/:id/addresses", {
    params: id,
    payload: NewAddress,
    success: SavedAddressView.pipe(HttpApiSchema.status(201)),
    error: fails(CustomerNotFound, CustomerAddressesFull)
  }).pipe(adminRoute({ version: row("customer", "id") })),
  HttpApiEndpoint.patch("changeAddress", "/v1/customers/:id/addresses/:addressId", {
    params: address,
    payload: AddressPatch,
    success: SavedAddressView,
    error: fails(CustomerNotFound, CustomerAddressNotFound, FieldRejected)
  }).pipe(adminRoute({ version: row("customerAddress", "id", "addressId") })),
  HttpApiEndpoint.delete("removeAddress", "/v1/customers/:id/addresses/:addressId", {
    params: address,
    success: Success,
    error: fails(CustomerNotFound, CustomerAddressNotFound)
  }).pipe(adminRoute({ version: row("customerAddress", "id", "addressId") }))
) {}

export const customerGroups = [CustomersGroup, AdminCustomersGroup] as const
