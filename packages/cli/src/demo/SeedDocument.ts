/**
 * A store description as `commerce seed FILE` takes it: rows as the API's create bodies, plus `externalId`, by which a
 * second run finds them again.
 */
type Json = Readonly<Record<string, unknown>>

export type SeedRow = Json & { readonly externalId: string }

export type SeedDocument = {
  /** `parent` is the externalId of the category above. */
  readonly categories?: ReadonlyArray<SeedRow & { readonly name: string; readonly parent?: string }>
  readonly taxRates?: ReadonlyArray<SeedRow & { readonly name: string }>
  readonly shippingZones?: ReadonlyArray<
    SeedRow & { readonly name: string; readonly rates?: ReadonlyArray<SeedRow & { readonly name: string }> }
  >
  readonly brands?: ReadonlyArray<SeedRow & { readonly name: string }>
  readonly regions?: ReadonlyArray<SeedRow & { readonly name: string }>
  readonly attributes?: ReadonlyArray<SeedRow & { readonly name: string }>
  readonly modifierGroups?: ReadonlyArray<SeedRow & { readonly name: string }>
  readonly metafieldDefinitions?: ReadonlyArray<SeedRow & { readonly name: string }>
  readonly promotions?: ReadonlyArray<SeedRow & { readonly name: string }>
  readonly coupons?: ReadonlyArray<SeedRow>
  readonly bundleOffers?: ReadonlyArray<SeedRow & { readonly name: string }>
  readonly customers?: ReadonlyArray<SeedRow>
  readonly giftCards?: ReadonlyArray<SeedRow>
  readonly loyalty?: ReadonlyArray<SeedRow>
  readonly reviews?: ReadonlyArray<SeedRow>
  /** `categories` are externalIds. */
  readonly products?: ReadonlyArray<
    SeedRow & {
      readonly name: string
      readonly categories?: ReadonlyArray<string>
      readonly variants?: ReadonlyArray<Json>
    }
  >
}
