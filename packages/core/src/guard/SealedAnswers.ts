/**
 * Idempotency records of routes whose response shows a secret once: the response is stored sealed under the root
 * secret, bound to its record, and opened only for a replay. A copy of the table shows no secret.
 */
import { Effect } from "effect"
import type { RootSecret } from "../crypto/RootSecret.ts"
import type { IdempotencyKey, IdempotencyRecords } from "./IdempotencyRecords.ts"

const purpose = "idempotency-answer"
const contextOf = ({ storeId, credential, key }: IdempotencyKey): string =>
  `${storeId}|idempotency|body|${credential}|${key}`

export const sealedAnswers = (
  records: IdempotencyRecords["Service"],
  secret: RootSecret["Service"]
): IdempotencyRecords["Service"] => ({
  ...records,
  claim: (key, fingerprint, owner) =>
    Effect.map(records.claim(key, fingerprint, owner), (claim) => {
      if (claim._tag !== "Saved") return claim
      const { response } = claim
      const stored = Buffer.from(response.body).toString("utf8")
      // A release before may have stored it as it is, where the route showed no secret yet.
      if (stored.startsWith("{")) return claim
      return { ...claim, response: { ...response, body: Buffer.from(secret.open(purpose, contextOf(key), stored)) } }
    }),
  save: (key, owner, response) =>
    records.save(key, owner, {
      ...response,
      body: Buffer.from(secret.seal(purpose, contextOf(key), Buffer.from(response.body).toString("utf8")))
    })
})
