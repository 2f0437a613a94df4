/** API keys over HTTP: a key can only make keys with scopes that it has itself. */
import { ApiKey, MintedApiKey } from "@effect-commerce/core/identity/ApiKey"
import { ApiKeyEnded, ApiKeyNotFound, ScopeNotHeld } from "@effect-commerce/core/identity/IdentityErrors"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { arrayOf, clearable, described, listed, optional, string, text } from "@effect-commerce/core/kernel/Fields"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { mintableScopes } from "@effect-commerce/core/identity/Scope"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute } from "../middleware/Policy.ts"
import { row } from "../middleware/Versioned.ts"
import { Success } from "../middleware/Responses.ts"
import { identityErrors } from "./identityErrors.ts"

const fails = failsBy(identityErrors)

const id = { id: string("The key's id, not the key itself.") }
const NewApiKey = Schema.Struct({
  name: described(
    Schema.NonEmptyString.pipe(Schema.check(Schema.isMaxLength(200))),
    "Name for the merchant, at most 200 characters.",
    "erp"
  ),
  scopes: arrayOf(
    described(
      listed(mintableScopes).pipe(Schema.check(Schema.isMaxLength(100))),
      "A resource with read, write or * for both.",
      "orders:read"
    ),
    "What the key may do. The calling key must have every one of them; * alone cannot be given."
  ).pipe(Schema.check(Schema.isMinLength(1), Schema.isMaxLength(200))),
  expiresAt: clearable(
    text(100).annotate({ format: "date-time" }),
    "When the key expires: ISO 8601. Never by default; not later than the calling key.",
    "2027-01-01T00:00:00.000Z"
  )
}).annotate({ identifier: "NewApiKey", description: "An admin API key to create." })
const RotateApiKey = Schema.Struct({
  overlapHours: optional(
    Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 0, maximum: 8_760 }))),
    "For how many hours the old key keeps working: 24 by default; 0 ends it at once.",
    24
  )
}).annotate({ identifier: "RotateApiKey", description: "How long the old key keeps working." })

export class ApiKeysGroup extends apiGroup("apiKeys", {
  part: "Admin",
  title: "API keys",
  description: "The credentials of servers: create, rotate and revoke them."
}).add(
  HttpApiEndpoint.get("list", "/v1/api-keys", { query: pageQuery, success: listEnvelope(ApiKey) }).pipe(
    adminRoute({
      summary: "List API keys",
      description:
        "Returns the keys of the store that were not revoked, without their secrets. A key for a whole account also " +
        "sees the keys that are for the whole account."
    })
  ),
  HttpApiEndpoint.post("create", "/v1/api-keys", {
    payload: NewApiKey,
    success: MintedApiKey.pipe(HttpApiSchema.status(201)),
    error: fails(ScopeNotHeld, FieldRejected, ApiKeyEnded)
  }).pipe(
    adminRoute({
      secretAnswer: true,
      summary: "Create an API key",
      description:
        "Creates a key for the store. Only this response shows the key. A scope that the calling key does not have " +
        "is 403 INSUFFICIENT_SCOPE; an unknown scope is 400."
    })
  ),
  HttpApiEndpoint.post("rotate", "/v1/api-keys/:id/rotate", {
    params: id,
    payload: RotateApiKey,
    success: MintedApiKey,
    error: fails(ApiKeyNotFound, ScopeNotHeld, ApiKeyEnded, FieldRejected)
  }).pipe(
    adminRoute({
      version: row("apiKey", "id"),
      optionalBody: true,
      secretAnswer: true,
      summary: "Rotate an API key",
      description:
        "Makes a new key with the same name, scopes and tier, and shows it this once. The old key keeps working for " +
        "24 hours, or as long as overlapHours says, so that nothing stops while the new key is put in place."
    })
  ),
  HttpApiEndpoint.delete("revoke", "/v1/api-keys/:id", {
    params: id,
    success: Success,
    error: fails(ApiKeyNotFound)
  }).pipe(
    adminRoute({
      version: row("apiKey", "id"),
      summary: "Revoke an API key",
      description: "Revokes a key. Other servers of the same installation stop accepting it within five seconds."
    })
  )
) {}

export const identityGroups = [ApiKeysGroup] as const
