import { Schema } from "effect"

export class StoreNotFound extends Schema.TaggedError<StoreNotFound>()("StoreNotFound", { id: Schema.String }) {}

/** A suspended store serves no request on any surface. */
export class StoreSuspended extends Schema.TaggedError<StoreSuspended>()("StoreSuspended", { id: Schema.String }) {}

export class AccountNotFound extends Schema.TaggedError<AccountNotFound>()("AccountNotFound", { id: Schema.String }) {}

export class SalesChannelNotFound extends Schema.TaggedError<SalesChannelNotFound>()("SalesChannelNotFound", {
  id: Schema.String
}) {}

export class RegionNotFound extends Schema.TaggedError<RegionNotFound>()("RegionNotFound", { id: Schema.String }) {}

/** Other active regions of the store have these countries. */
export class RegionCountriesTaken extends Schema.TaggedError<RegionCountriesTaken>()("RegionCountriesTaken", {
  countries: Schema.Array(Schema.String)
}) {}

/** The default region cannot be deleted until another region is the default. */
export class RegionIsDefault extends Schema.TaggedError<RegionIsDefault>()("RegionIsDefault", { id: Schema.String }) {}

/** Shipping zones name the region: if it were deleted, they would apply to every region. */
export class RegionNamed extends Schema.TaggedError<RegionNamed>()("RegionNamed", {
  id: Schema.String,
  zoneCount: Schema.Int
}) {}

/**
 * What was begun in `currency` cannot be continued: the store's currency is now `storeCurrency`. Of a checkout that was
 * presented in `currency`: its region's is now `regionCurrency`.
 */
export class CurrencyChanged extends Schema.TaggedError<CurrencyChanged>()("CurrencyChanged", {
  currency: Schema.String,
  storeCurrency: Schema.String,
  regionCurrency: Schema.optionalKey(Schema.String)
}) {}

/** The store has amounts in its currency, so the currency cannot change: `usedBy` names what has them. */
export class CurrencyInUse extends Schema.TaggedError<CurrencyInUse>()("CurrencyInUse", {
  currency: Schema.String,
  usedBy: Schema.Array(Schema.String)
}) {}
