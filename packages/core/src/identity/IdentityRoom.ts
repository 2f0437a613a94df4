/** The layers of the identity room. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { identityLaws } from "./identityLaws.ts"
import { KeyUses } from "./KeyUses.ts"
import { PasswordHashes } from "./PasswordHashes.ts"
import { apiKeyBound } from "./ApiKey.ts"

export const identityRoom = {
  layer: Layer.mergeAll(ApiKeys.layer, KeyUses.layer, PasswordHashes.layer),
  rows: {
    apiKey: { table: "api_key" },
    /** Keys as a key for the whole account sees them. */
    accountApiKey: { table: "api_key", accountToo: true }
  },
  laws: identityLaws,
  bounds: [apiKeyBound]
} as const satisfies Room
