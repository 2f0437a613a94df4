import { Schema } from "effect"
import type { ProviderMode } from "./PaymentProvider.ts"

export class PaymentProviderNotFound extends Schema.TaggedError<PaymentProviderNotFound>()("PaymentProviderNotFound", {
  id: Schema.String
}) {}

/** The store has set up this account already. */
export class PaymentProviderTaken extends Schema.TaggedError<PaymentProviderTaken>()("PaymentProviderTaken", {
  type: Schema.String,
  account: Schema.String
}) {}

const Owner = Schema.Struct({
  account: Schema.String,
  mode: Schema.NullOr(Schema.Literals(["test", "live"] satisfies ReadonlyArray<ProviderMode>))
})

/** New credentials are of another account, or of the other mode: what was charged could not be refunded by them. */
export class PaymentAccountChanged extends Schema.TaggedError<PaymentAccountChanged>()("PaymentAccountChanged", {
  current: Owner,
  given: Owner
}) {}

/** Regions list the provider among those that serve them; without it a list could be empty, and mean all. */
export class PaymentProviderNamed extends Schema.TaggedError<PaymentProviderNamed>()("PaymentProviderNamed", {
  id: Schema.String,
  regionCount: Schema.Int
}) {}

/** Payments of the provider are not finished: without its credentials nobody could finish them. */
export class PaymentProviderInUse extends Schema.TaggedError<PaymentProviderInUse>()("PaymentProviderInUse", {
  id: Schema.String
}) {}
