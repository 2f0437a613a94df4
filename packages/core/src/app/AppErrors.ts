import { Schema } from "effect"

export class InstallationNotFound extends Schema.TaggedError<InstallationNotFound>()("InstallationNotFound", {
  id: Schema.String
}) {}

/** The store has installed an app of this name. */
export class AppAlreadyInstalled extends Schema.TaggedError<AppAlreadyInstalled>()("AppAlreadyInstalled", {
  name: Schema.String
}) {}

/** Regions list the installation among what serves them; without it a list could be empty, and mean all. */
export class InstallationNamed extends Schema.TaggedError<InstallationNamed>()("InstallationNamed", {
  id: Schema.String,
  regionCount: Schema.Int
}) {}

export class MappingNotFound extends Schema.TaggedError<MappingNotFound>()("MappingNotFound", { id: Schema.String }) {}

/** The installation has a mapping of this resource on this platform. */
export class MappingTaken extends Schema.TaggedError<MappingTaken>()("MappingTaken", {
  mappingId: Schema.String,
  resourceType: Schema.String,
  internalId: Schema.String,
  platformCode: Schema.String
}) {}

/** The storefront's bot is named by the interface, and built by nobody. */
export class BotNotBuilt extends Schema.TaggedError<BotNotBuilt>()("BotNotBuilt", {}) {}
