import { Schema } from "effect"

export class ApiKeyNotFound extends Schema.TaggedError<ApiKeyNotFound>()("ApiKeyNotFound", { id: Schema.String }) {}

/** A scope that no key can have: unknown, or the wildcard `*`. */

/** A key may not mint what it does not hold. */
export class ScopeNotHeld extends Schema.TaggedError<ScopeNotHeld>()("ScopeNotHeld", { scope: Schema.String }) {}

/** The key that asks has ended since it was recognised. */
export class ApiKeyEnded extends Schema.TaggedError<ApiKeyEnded>()("ApiKeyEnded", { id: Schema.String }) {}
