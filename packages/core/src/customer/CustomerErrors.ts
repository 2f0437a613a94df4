import { Schema } from "effect"

export class CustomerNotFound extends Schema.TaggedError<CustomerNotFound>()("CustomerNotFound", {
  id: Schema.String
}) {}

export class CustomerAddressNotFound extends Schema.TaggedError<CustomerAddressNotFound>()("CustomerAddressNotFound", {
  id: Schema.String
}) {}

export class CustomerAddressesFull extends Schema.TaggedError<CustomerAddressesFull>()("CustomerAddressesFull", {
  maxAddresses: Schema.Int
}) {}

/** Another customer of the store has this e-mail address. */
export class CustomerEmailTaken extends Schema.TaggedError<CustomerEmailTaken>()("CustomerEmailTaken", {
  email: Schema.String
}) {}

/** The password is wrong, or there is no such account: the error does not say which. */
export class CustomerCredentialsRejected extends Schema.TaggedError<CustomerCredentialsRejected>()(
  "CustomerCredentialsRejected",
  {}
) {}

/** A token from a mail that was never issued, was used, or has expired. */
export class CustomerTokenRejected extends Schema.TaggedError<CustomerTokenRejected>()("CustomerTokenRejected", {}) {}
