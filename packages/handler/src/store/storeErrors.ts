import type {
  AccountNotFound,
  CurrencyChanged,
  CurrencyInUse,
  RegionCountriesTaken,
  RegionIsDefault,
  RegionNamed,
  RegionNotFound,
  SalesChannelNotFound,
  StoreNotFound,
  StoreSuspended
} from "@effect-commerce/core/store/StoreErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"

export const storeErrors: ErrorRows<
  | CurrencyChanged
  | CurrencyInUse
  | StoreNotFound
  | StoreSuspended
  | AccountNotFound
  | SalesChannelNotFound
  | RegionNotFound
  | RegionCountriesTaken
  | RegionIsDefault
  | RegionNamed
> = {
  StoreNotFound: missing("store"),
  AccountNotFound: missing("account"),
  SalesChannelNotFound: missing("sales channel"),
  RegionNotFound: missing("region"),
  RegionCountriesTaken: {
    code: "CONFLICT",
    message: (e) => `Another active region has ${e.countries.join(", ")}`,
    details: (e) => ({ countries: e.countries })
  },
  RegionIsDefault: {
    code: "CONFLICT",
    message: () => "The default region cannot be deleted: make another one the default first",
    details: () => ({ reason: "default_region" })
  },
  RegionNamed: {
    code: "CONFLICT",
    message: (e) => `${e.zoneCount} shipping zones are for this region`,
    details: (e) => ({ reason: "region_in_use", zoneCount: e.zoneCount })
  },
  StoreSuspended: { code: "STORE_SUSPENDED", message: () => "This store is suspended" },
  CurrencyChanged: {
    code: "CONFLICT",
    message: (e) =>
      e.regionCurrency === undefined
        ? `This began in ${e.currency}, and the store sells in ${e.storeCurrency} now`
        : `This was presented in ${e.currency}, and its region has ${e.regionCurrency} now: change it, and look again`,
    details: ({ currency, storeCurrency, regionCurrency }) => ({
      reason: "currency_changed",
      currency,
      storeCurrency,
      ...(regionCurrency === undefined ? {} : { regionCurrency })
    })
  },
  CurrencyInUse: {
    code: "CONFLICT",
    message: (e) => `The store has amounts in ${e.currency}: its currency cannot change`,
    details: (e) => ({ reason: "currency_in_use", currency: e.currency, usedBy: e.usedBy })
  }
}
