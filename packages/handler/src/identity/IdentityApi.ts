/** API keys over HTTP: a key can only make keys with scopes that it has itself. */
import { ApiKey, MintedApiKey, NewApiKey, RotateApiKey } from "@effect-commerce/core/identity/ApiKey"
import { ApiKeyEnded, ApiKeyNotFound, ScopeNotHeld } from "@effect-commerce/core/identity/IdentityErrors"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { string } from "@effect-commerce/core/kernel/Fields"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute } from "../middleware/Policy.ts"
import { row } from "../middleware/Versioned.ts"
import { Success } from "../middleware/Responses.ts"
import { identityErrors } from "./identityErrors.ts"

const fails = failsBy(identityErrors)

const id = { id: string("The key's id, not the key itself.") }

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
