import { Schema } from "effect"

export class ApiKeyNotFound extends Schema.TaggedError<ApiKeyNotFound>()("ApiKeyNotFound", { id: Schema.String }) {}

/** A key may not grant a scope that it does not have. */
export class ScopeNotHeld extends Schema.TaggedError<ScopeNotHeld>()("ScopeNotHeld", { scope: Schema.String }) {}

/** The calling key has expired or was revoked since it was recognised. */
export class ApiKeyEnded extends Schema.TaggedError<ApiKeyEnded>()("ApiKeyEnded", { id: Schema.String }) {}

/** Too many passwords wait to be hashed, or this one has waited too long. Nothing was done. */
export class PasswordsBusy extends Schema.TaggedError<PasswordsBusy>()("PasswordsBusy", {}) {}
