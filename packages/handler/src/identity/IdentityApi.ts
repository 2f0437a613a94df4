/** API keys over HTTP (completions.md 2.16): a key can mint only what it holds. */
import { ApiKey, MintedApiKey } from "@effect-commerce/core/identity/ApiKey"
import { ApiKeyEnded, ApiKeyNotFound, ScopeNotHeld, ScopeUnknown } from "@effect-commerce/core/identity/IdentityErrors"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { optionalText, text } from "@effect-commerce/core/kernel/Fields"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { fails } from "../middleware/DeclaredErrors.ts"
import { adminRoute } from "../middleware/Policy.ts"
import { row } from "../middleware/Versioned.ts"
import { Success } from "../store/StoreApi.ts"

const id = { id: Schema.String }

export class ApiKeysGroup extends apiGroup("apiKeys", {
  part: "Admin",
  title: "API keys",
  description: "The credentials of servers: make, rotate and revoke them."
}).add(
  HttpApiEndpoint.get("list", "/v1/api-keys", { query: pageQuery, success: listEnvelope(ApiKey) }).pipe(adminRoute()),
  HttpApiEndpoint.post("create", "/v1/api-keys", {
    payload: Schema.Struct({
      name: Schema.NonEmptyString.pipe(Schema.check(Schema.isMaxLength(200))),
      scopes: Schema.Array(text(100)).pipe(Schema.check(Schema.isMinLength(1), Schema.isMaxLength(200))),
      expiresAt: optionalText(100)
    }),
    success: MintedApiKey.pipe(HttpApiSchema.status(201)),
    error: fails(ScopeUnknown, ScopeNotHeld, FieldRejected, ApiKeyEnded)
  }).pipe(adminRoute({ secretAnswer: true })),
  HttpApiEndpoint.post("rotate", "/v1/api-keys/:id/rotate", {
    params: id,
    payload: Schema.Struct({
      overlapHours: Schema.optionalKey(Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 0, maximum: 8_760 }))))
    }),
    success: MintedApiKey,
    error: fails(ApiKeyNotFound, ScopeNotHeld, ApiKeyEnded, FieldRejected)
  }).pipe(adminRoute({ optionalBody: true, secretAnswer: true, version: row("apiKey", "id") })),
  HttpApiEndpoint.delete("revoke", "/v1/api-keys/:id", {
    params: id,
    success: Success,
    error: fails(ApiKeyNotFound)
  }).pipe(adminRoute({ version: row("apiKey", "id") }))
) {}

export const identityGroups = [ApiKeysGroup] as const
