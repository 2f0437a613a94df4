import { Schema } from "effect"

export class StoreNotFound extends Schema.TaggedError<StoreNotFound>()("StoreNotFound", { id: Schema.String }) {}

/** A suspended store answers nothing on any surface. */
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

/** The default region is deleted only once another one is the default. */
export class RegionIsDefault extends Schema.TaggedError<RegionIsDefault>()("RegionIsDefault", { id: Schema.String }) {}

/** Shipping zones name the region: without it they would be for every region. */
export class RegionNamed extends Schema.TaggedError<RegionNamed>()("RegionNamed", {
  id: Schema.String,
  zoneCount: Schema.Int
}) {}

/** What began in one currency is not gone on with in another: the store sells in `storeCurrency` now. */
export class CurrencyChanged extends Schema.TaggedError<CurrencyChanged>()("CurrencyChanged", {
  currency: Schema.String,
  storeCurrency: Schema.String
}) {}

/** The store has amounts in its currency, so that the currency cannot change: `usedBy` names of what. */
export class CurrencyInUse extends Schema.TaggedError<CurrencyInUse>()("CurrencyInUse", {
  currency: Schema.String,
  usedBy: Schema.Array(Schema.String)
}) {}
