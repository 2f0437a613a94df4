/**
 * Scopes of app tokens. They open routes below `/v1/installations/{installationId}` and nothing else, so that no app
 * can be given a scope of an admin key.
 */
import { Schema } from "effect"
import { described, listed } from "../kernel/Fields.ts"

/** What a manifest may declare; `mappings:*` stands for both of its kind. */
export const appScopes = ["mappings:read", "mappings:write", "mappings:*", "config:write"] as const

export type ManifestScope = (typeof appScopes)[number]

/** What a route may need of an app token. */
export type AppScope = Exclude<ManifestScope, "mappings:*">

const words = "mappings:read, mappings:write, mappings:* for both, or config:write for secrets and inbound events."

/** A scope that a manifest asks for: no other is taken. */
export const WantedScope = described(Schema.Literals(appScopes), words, "mappings:write")

/** A scope of an installation, as it is stored. */
export const AppScopeName = described(listed(appScopes), words, "mappings:write")

export const isManifestScope = (scope: string): scope is ManifestScope =>
  (appScopes as ReadonlyArray<string>).includes(scope)
