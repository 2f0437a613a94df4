import { ApiKeys, checkScopes } from "@effect-commerce/core/identity/ApiKeys"
import { parseIsoTime } from "@effect-commerce/core/kernel/IsoTime"
import { pageOf, toPageOf } from "@effect-commerce/core/kernel/Pagination"
import { checkAll, FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { Clock, Effect } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import type { AdminCaller } from "../middleware/Callers.ts"
import { succeed } from "../middleware/Responses.ts"
import { asAdmin } from "../middleware/Surfaces.ts"
import { ApiKeysGroup } from "./IdentityApi.ts"

const minterOf = ({ keyId, scopes }: AdminCaller["Service"]) => ({ keyId, scopes })

/**
 * A key of one store sees that store's keys; a key of the account sees those of the store it acts for and those of the
 * account.
 */
const realmOf = (caller: AdminCaller["Service"]) => ({
  accountId: caller.accountId,
  storeId: caller.store.id,
  withAccountWide: caller.keyStoreId === null,
  mintedBy: minterOf(caller)
})

const expiryOf = Effect.fnUntraced(function* (text: string | null | undefined) {
  if (text === undefined || text === null) return undefined
  const at = parseIsoTime(text)
  const now = yield* Clock.currentTimeMillis
  if (at === undefined || at.getTime() <= now) {
    return yield* FieldRejected.at("expiresAt", "must be an ISO 8601 time in the future")
  }
  return at
})

export const identityEndpoints = endpointsOf(
  ApiKeysGroup,
  Effect.fnUntraced(function* (handlers) {
    const keys = yield* ApiKeys
    return handlers.handleAll({
      list: asAdmin((caller, { query }) =>
        Effect.map(keys.list(realmOf(caller)), (all) => toPageOf(pageOf(query), all))
      ),
      create: asAdmin(
        Effect.fnUntraced(function* (caller, { payload }) {
          const { expiresAt } = yield* checkAll({
            scopes: checkScopes(payload.scopes),
            expiresAt: expiryOf(payload.expiresAt)
          })
          return yield* keys.mint({
            name: payload.name,
            scopes: payload.scopes,
            accountId: caller.accountId,
            storeId: caller.store.id,
            expiresAt,
            mintedBy: minterOf(caller)
          })
        })
      ),
      rotate: asAdmin((caller, { params, payload }) => keys.rotate(realmOf(caller), params.id, payload)),
      revoke: asAdmin((caller, { params }) => succeed(keys.revoke(realmOf(caller), params.id)))
    })
  })
)
