/** Customers on the wire and in events (interface.md, Customer). What stands here is all that is ever shown of one. */
import { Schema } from "effect"
import { Address } from "../kernel/Address.ts"
import type { CustomerState, SavedAddress } from "./Customer.ts"

const nullableText = Schema.NullOr(Schema.String)
const nullableInt = Schema.NullOr(Schema.Int)

export const SavedAddressView = Schema.Struct({
  id: Schema.String,
  label: nullableText,
  isDefault: Schema.Boolean,
  ...Address.fields,
  createdAt: Schema.String,
  updatedAt: Schema.String
})
export type SavedAddressView = typeof SavedAddressView.Type

const identity = {
  id: Schema.String,
  email: Schema.String,
  firstName: nullableText,
  lastName: nullableText,
  phone: nullableText,
  emailVerified: Schema.Boolean
}
const birthday = { birthMonth: nullableInt, birthDay: nullableInt }

/** Who a checkout is prefilled for. */
export const CustomerProfile = Schema.Struct({ ...identity, ...birthday })
export type CustomerProfile = typeof CustomerProfile.Type

/** The full profile: GET and PATCH me, the admin surface, and the snapshot of events. */
export const CustomerView = Schema.Struct({
  ...identity,
  hasAccount: Schema.Boolean,
  acceptsMarketing: Schema.Boolean,
  ...birthday,
  role: Schema.Literal("CUSTOMER"),
  addresses: Schema.Array(SavedAddressView),
  createdAt: Schema.String,
  updatedAt: Schema.String
})
export type CustomerView = typeof CustomerView.Type

/** `token` and `expiresAt` are null while `requiresVerification`: the address must be confirmed first. */
export const AuthResult = Schema.Struct({
  customer: Schema.Struct(identity),
  token: nullableText,
  expiresAt: nullableText,
  requiresVerification: Schema.Boolean
})
export type AuthResult = typeof AuthResult.Type

/**
 * `shippingAddress` is ready for a checkout's form: the default address, or its names alone, and the e-mail address.
 */
export const CheckoutPrefill = Schema.Struct({
  customer: CustomerProfile,
  defaultAddress: Schema.NullOr(SavedAddressView),
  shippingAddress: Schema.Struct({
    email: Schema.String,
    firstName: nullableText,
    lastName: nullableText,
    company: nullableText,
    line1: nullableText,
    line2: nullableText,
    city: nullableText,
    region: nullableText,
    postalCode: nullableText,
    country: nullableText,
    phone: nullableText
  })
})
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

/** Signed in with a token, or waiting for verification without one. */
export const toAuthResult = (
  customer: CustomerState,
  issued: { readonly token: string; readonly expiresAt: string } | undefined
): AuthResult => ({
  customer: toIdentity(customer),
  token: issued?.token ?? null,
  expiresAt: issued?.expiresAt ?? null,
  requiresVerification: issued === undefined
})

/** What an address has when there is none. */
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

/** Names and telephone number of the default address win over the profile's: they are who the parcel goes to. */
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
