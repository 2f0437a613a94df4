/** Where a new store sells: the flags of every command that makes one. */
import { Flag } from "effect/cli"

export const placeFlags = {
  currency: Flag.String("currency").pipe(
    Flag.withMetavar("code"),
    Flag.withDescription("ISO 4217 code; USD by default"),
    Flag.withDefault("USD")
  ),
  country: Flag.String("country").pipe(
    Flag.withMetavar("code"),
    Flag.withDescription("ISO 3166-1 alpha-2 code; US by default"),
    Flag.withDefault("US")
  )
}
