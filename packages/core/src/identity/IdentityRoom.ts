/** What the identity room brings: its services, and the rows that If-Match is judged by. */
import { Layer } from "effect"
import type { VersionedRows } from "../database/RowVersions.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { Installations } from "./Installations.ts"

export const identityRoom = Installations.layer.pipe(Layer.provideMerge(ApiKeys.layer))

export const identityRows = {
  apiKey: { table: "api_key" },
  /** As a key for the whole account sees it. */
  accountApiKey: { table: "api_key", accountToo: true }
} as const satisfies VersionedRows
