/** Bodies of requests about customers. */
import { Schema } from "effect"
import { AddressInput, Email } from "../kernel/Address.ts"
import { clearable, described, optional, text } from "../kernel/Fields.ts"
import { customerFields } from "./Customer.ts"
import { GivenPassword, NewPassword } from "./PasswordRules.ts"

const marks = {
  label: clearable(text(100), "The customer's name for it.", "Home"),
  isDefault: optional(Schema.Boolean, "True makes it the default in place of the other.")
}
export const NewAddress = Schema.Struct({ ...AddressInput.fields, ...marks }).annotate({
  identifier: "CreateCustomerAddress",
  description: "An address to add to a customer's address book."
})
export type NewAddress = typeof NewAddress.Type

export const AddressPatch = Schema.Struct({
  ...AddressInput.fields,
  line1: Schema.optionalKey(AddressInput.fields.line1),
  city: Schema.optionalKey(AddressInput.fields.city),
  country: Schema.optionalKey(AddressInput.fields.country),
  ...marks
}).annotate({
  identifier: "UpdateCustomerAddress",
  description: "Changes of an address. What is left out stays as it is; null clears."
})
export type AddressPatch = typeof AddressPatch.Type

export const Registration = Schema.Struct({
  email: Email,
  password: NewPassword,
  ...customerFields,
  privacyPolicyAccepted: optional(Schema.Boolean, "Whether the customer accepted the shop's privacy policy."),
  referralCode: optional(Schema.Json, "Code of the form REF-XXXXXXXX. One of another form is ignored.", "REF-AB12CD34")
}).annotate({ identifier: "RegisterCustomer", description: "A customer to register." })
export type Registration = typeof Registration.Type

/** Any text: an invalid address gets the same response as an unknown customer. */
const AnyEmail = described(
  text(1_000).annotate({ format: "email" }),
  "E-mail address of the account.",
  "ada@example.com"
)
const MailToken = described(text(1_000), "The token of the link in the e-mail.")

export const Credentials = Schema.Struct({ email: AnyEmail, password: GivenPassword }).annotate({
  identifier: "LogIn",
  description: "E-mail address and password of a customer."
})
export type Credentials = typeof Credentials.Type

export const EmailOnly = Schema.Struct({ email: AnyEmail }).annotate({
  identifier: "AccountEmail",
  description: "The e-mail address of an account."
})
export const VerifyEmail = Schema.Struct({ token: MailToken }).annotate({
  identifier: "VerifyEmail",
  description: "The token of a verification e-mail."
})
export const ResetPassword = Schema.Struct({ token: MailToken, newPassword: NewPassword }).annotate({
  identifier: "ResetPassword",
  description: "A new password, and the token of the link in the e-mail."
})
export type ResetPassword = typeof ResetPassword.Type
export const ChangePassword = Schema.Struct({ currentPassword: GivenPassword, newPassword: NewPassword }).annotate({
  identifier: "ChangePassword",
  description: "A new password in place of the current one."
})
export type ChangePassword = typeof ChangePassword.Type

export const ProfilePatch = Schema.Struct(customerFields).annotate({
  identifier: "UpdateProfile",
  description: "Changes of the signed-in customer. What is left out stays as it is; null clears."
})
export const CloseAccount = Schema.Struct({ password: GivenPassword }).annotate({
  identifier: "CloseAccount",
  description: "The password, to be sure."
})
/** The customer fields that only a merchant can set. */
const merchantFields = {
  ...customerFields,
  emailVerified: optional(Schema.Boolean, "Whether the e-mail address is known to be the customer's.")
}
export const CustomerInput = Schema.Struct({ email: Email, ...merchantFields }).annotate({
  identifier: "CreateCustomer",
  description: "A customer to create."
})
export type CustomerInput = typeof CustomerInput.Type

export const CustomerPatch = Schema.Struct({ email: Schema.optionalKey(Email), ...merchantFields }).annotate({
  identifier: "UpdateCustomer",
  description: "Changes of a customer. What is left out stays as it is; null clears."
})
export type CustomerPatch = typeof CustomerPatch.Type
