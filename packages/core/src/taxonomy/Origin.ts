/** Fields of bodies and views: the system that a row came from, and the data that connected platforms keep about it. */
import { Schema } from "effect"
import { arrayOf, json, listedText, optional, textMap, timestampMap } from "../kernel/Fields.ts"

export const originSources = ["INTERNAL", "SHOPIFY", "WOOCOMMERCE", "MAGENTO", "BIGCOMMERCE"] as const

/** In bodies. */
export const source = optional(
  Schema.Literals(originSources),
  "The system it came from. INTERNAL by default.",
  "INTERNAL"
)

/** In views. */
export const shownSource = listedText(originSources, "The system it came from.")

export const platformFields = {
  platformIds: textMap("Its ids on connected platforms, by platform."),
  publishedOn: arrayOf(Schema.String, "Codes of the platforms that it is published on."),
  platformMetadata: json("What connected platforms keep about it, by platform.")
}

export const syncFields = {
  syncStatus: json("Synchronisation status by connected platform."),
  lastSyncedAt: timestampMap("When each connected platform was last in step, by platform.")
}

/** Platforms have no connector yet: the `platformFields` and `syncFields` of every row. */
export const noPlatforms = { platformIds: {}, publishedOn: [], platformMetadata: {} }
export const neverSynced = { syncStatus: {}, lastSyncedAt: {} }
