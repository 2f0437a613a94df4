/**
 * Scopes of app tokens. They open routes below `/v1/installations/{installationId}` and nothing else, so that no app
 * can be given a scope of an admin key.
 */
import { described, listed } from "../kernel/Fields.ts"

/** What a manifest may declare; `mappings:*` stands for both of its kind. */
export const appScopes = ["mappings:read", "mappings:write", "mappings:*", "config:write"] as const

/** What a route may need of an app token. */
export type AppScope = Exclude<(typeof appScopes)[number], "mappings:*">

/** A scope of a manifest on the wire; `checkAppScopes` refuses any other. */
export const AppScopeName = described(
  listed(appScopes),
  "mappings:read, mappings:write, mappings:* for both, or config:write for secrets and inbound events.",
  "mappings:write"
)

export const isAppScope = (scope: string): boolean => (appScopes as ReadonlyArray<string>).includes(scope)
