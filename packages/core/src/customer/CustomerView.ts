/** Customers on the wire and in events. These are the only fields ever shown. */
import { Schema } from "effect"
import { Address } from "../kernel/Address.ts"
import {
  arrayOf,
  boolean,
  nullable,
  nullableInteger,
  nullableString,
  nullableTimestamp,
  string,
  timestamp,
  email
} from "../kernel/Fields.ts"
import type { CustomerState, SavedAddress } from "./Customer.ts"

export const SavedAddressView = Schema.Struct({
  id: string("Id of the address."),
  label: nullableString("The customer's name for it.", "Home"),
  isDefault: boolean("Whether checkouts are filled in with it. Exactly one address of a customer is the default."),
  ...Address.fields,
  createdAt: timestamp("When it was added."),
  updatedAt: timestamp("When it was last changed: the version that If-Match compares.")
}).annotate({ identifier: "CustomerAddress", description: "An address in a customer's address book." })
export type SavedAddressView = typeof SavedAddressView.Type

/** A plain array: a customer has few addresses. */
export const SavedAddresses = arrayOf(
  SavedAddressView,
  "The address book: the default first, then the newest first."
).annotate({ identifier: "CustomerAddresses" })

const identity = {
  id: string("Id of the customer."),
  email: email("E-mail address, in lower case; unique in the store.", "ada@example.com"),
  firstName: nullableString("First name.", "Ada"),
  lastName: nullableString("Last name.", "Lovelace"),
  phone: nullableString("Telephone number.", "+14155550100"),
  emailVerified: boolean("Whether the customer has proved that the address is theirs.")
}
const birthday = {
  birthMonth: nullableInteger("Month of birth, 1 to 12; null where not given.", 12),
  birthDay: nullableInteger("Day of birth, 1 to 31; null where not given. No year is kept.", 10)
}

/** The customer that a checkout is prefilled for. */
export const CustomerProfile = Schema.Struct({ ...identity, ...birthday }).annotate({
  identifier: "CustomerProfile",
  description: "The customer of the checkout."
})
export type CustomerProfile = typeof CustomerProfile.Type

/** The full profile: GET and PATCH me, the admin surface, and the snapshot of events. */
export const CustomerView = Schema.Struct({
  ...identity,
  hasAccount: boolean(
    "Whether the customer has a password. False for customers created by the merchant who have not chosen " + "one."
  ),
  acceptsMarketing: boolean("Whether the customer agreed to marketing e-mails."),
  ...birthday,
  role: Schema.Literal("CUSTOMER").annotate({ description: "Always CUSTOMER." }),
  addresses: arrayOf(SavedAddressView, "The address book: the default first, then the newest first."),
  createdAt: timestamp("When the customer was created."),
  updatedAt: timestamp("When the customer was last changed: the version that If-Match compares.")
}).annotate({ identifier: "Customer", description: "A customer of a store." })
export type CustomerView = typeof CustomerView.Type

/** `token` and `expiresAt` are null while `requiresVerification`: the address must be confirmed first. */
export const AuthResult = Schema.Struct({
  customer: Schema.Struct(identity).annotate({
    identifier: "SignedInCustomer",
    description: "The customer who registered or logged in."
  }),
  token: nullableString(
    "Send it as `Authorization: Bearer …` on this sales channel. Null while the e-mail address must be verified first."
  ),
  expiresAt: nullableTimestamp("When the token expires; null without a token."),
  requiresVerification: boolean("Whether the customer must follow the link in the e-mail before logging in.")
}).annotate({ identifier: "AuthResult", description: "The result of registering or logging in." })
export type AuthResult = typeof AuthResult.Type

/** A neutral response: it does not reveal whether an address belongs to a customer. */
export const AccountMessage = Schema.Struct({
  success: Schema.Literal(true).annotate({ description: "Always true." }),
  message: string("What happened, for people. The wording may change.")
}).annotate({ identifier: "Message", description: "A message. It is the same whether there is an account or not." })

/**
 * `shippingAddress` is ready for a checkout's form: the default address (or just the customer's names), and the e-mail
 * address.
 */
export const CheckoutPrefill = Schema.Struct({
  customer: CustomerProfile,
  defaultAddress: nullable(SavedAddressView, "The default address; null without any."),
  shippingAddress: Schema.Struct({
    email: email("E-mail address of the customer.", "ada@example.com"),
    firstName: nullableString("First name.", "Ada"),
    lastName: nullableString("Last name.", "Lovelace"),
    company: nullableString("Company that receives."),
    line1: nullableString("Street and house number.", "12 Market Street"),
    line2: nullableString("Second line: flat, floor, building."),
    city: nullableString("City or town.", "San Francisco"),
    region: nullableString("Subdivision code without the country.", "CA"),
    postalCode: nullableString("Postal code.", "94105"),
    country: nullableString("ISO 3166-1 alpha-2 country code.", "US"),
    phone: nullableString("Telephone number.", "+14155550100")
  }).annotate({
    identifier: "PrefilledAddress",
    description: "Values to fill in the form of a checkout: the default address, else the profile."
  })
}).annotate({ identifier: "CheckoutPrefill", description: "Values to fill in the form of a checkout." })
export type CheckoutPrefill = typeof CheckoutPrefill.Type

export const toSavedAddressView = ({
  id,
  label,
  isDefault,
  address,
  createdAt,
  updatedAt
}: SavedAddress): SavedAddressView => ({
  id,
  label,
  isDefault,
  ...address,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString()
})

const toIdentity = ({ id, email, firstName, lastName, phone, emailVerified }: CustomerState) => ({
  id,
  email,
  firstName,
  lastName,
  phone,
  emailVerified
})

const toProfile = (customer: CustomerState): CustomerProfile => {
  const { birthMonth, birthDay } = customer
  return { ...toIdentity(customer), birthMonth, birthDay }
}

export const toCustomerView = (customer: CustomerState): CustomerView => ({
  ...toProfile(customer),
  hasAccount: customer.passwordHash !== null,
  acceptsMarketing: customer.acceptsMarketing,
  role: "CUSTOMER",
  addresses: customer.addresses.map(toSavedAddressView),
  createdAt: customer.createdAt.toISOString(),
  updatedAt: customer.updatedAt.toISOString()
})

/** Signed in with a token, or without one while verification is pending. */
export const toAuthResult = (
  customer: CustomerState,
  issued: { readonly token: string; readonly expiresAt: string } | undefined
): AuthResult => ({
  customer: toIdentity(customer),
  token: issued?.token ?? null,
  expiresAt: issued?.expiresAt ?? null,
  requiresVerification: issued === undefined
})

/** The fields of an address where the customer has none. */
const noAddress = {
  firstName: null,
  lastName: null,
  company: null,
  line1: null,
  line2: null,
  city: null,
  region: null,
  postalCode: null,
  country: null,
  phone: null
}

/** Names and telephone number of the default address take precedence over the profile's: they name the recipient. */
export const toPrefill = (customer: CustomerState): CheckoutPrefill => {
  const saved = customer.addresses.find((address) => address.isDefault)
  const { firstName, lastName, phone, company, line1, line2, city, region, postalCode, country } =
    saved?.address ?? noAddress
  return {
    customer: toProfile(customer),
    defaultAddress: saved === undefined ? null : toSavedAddressView(saved),
    shippingAddress: {
      email: customer.email,
      firstName: firstName ?? customer.firstName,
      lastName: lastName ?? customer.lastName,
      company,
      line1,
      line2,
      city,
      region,
      postalCode,
      country,
      phone: phone ?? customer.phone
    }
  }
}
