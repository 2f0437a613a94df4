import { Schema } from "effect"

export class ApiKeyNotFound extends Schema.TaggedError<ApiKeyNotFound>()("ApiKeyNotFound", { id: Schema.String }) {}

/** A scope that no key can have: unknown, or the wildcard `*`. */

/** A key may not grant a scope that it does not have. */
export class ScopeNotHeld extends Schema.TaggedError<ScopeNotHeld>()("ScopeNotHeld", { scope: Schema.String }) {}

/** The calling key has expired or was revoked since it was recognised. */
export class ApiKeyEnded extends Schema.TaggedError<ApiKeyEnded>()("ApiKeyEnded", { id: Schema.String }) {}
