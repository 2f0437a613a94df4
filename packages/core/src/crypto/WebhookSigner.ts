/**
 * Signatures of webhook deliveries: hex HMAC-SHA256 of `<timestamp>.<raw body>` under the whole secret string, `whsec_`
 * included, as UTF-8. A timestamp is Unix milliseconds and may differ from now by exactly five minutes, not more, in
 * either direction.
 */
import { constantTimeEqual, hmacSha256Base64, hmacSha256Hex, randomHex } from "./Hashing.ts"

/** The secret of a subscription: `whsec_` and 64 hex digits. */
export const newSecret = (): string => randomHex("whsec_", 32)

/** Milliseconds. */
const timestampTolerance = 300_000

export type SignatureProblem = "stale" | "future" | "mismatch" | "malformed"

/** 64 hex digits. `body` is the raw bytes, never re-encoded JSON. */
export const signWebhook = (secret: string, timestamp: number, body: Uint8Array): string =>
  hmacSha256Hex(secret, `${timestamp}.`, body)

/**
 * The signature of Standard Webhooks (standardwebhooks.com): `v1,` and base64 HMAC-SHA256 of `<id>.<timestamp>.<raw
 * body>`, with a timestamp in Unix seconds. Its libraries take what follows `whsec_` as base64, and so the 64 hex
 * digits of our secrets too.
 */
export const signStandardWebhook = (secret: string, id: string, timestamp: number, body: Uint8Array): string =>
  `v1,${hmacSha256Base64(Buffer.from(secret.replace(/^whsec_/, ""), "base64"), `${id}.${timestamp}.`, body)}`

export interface Signed {
  readonly secret: string
  readonly timestamp: number
  readonly signature: string
  readonly body: Uint8Array
  /** Unix milliseconds. */
  readonly now: number
}

/** Why a signature is invalid; undefined if it is valid and its timestamp within the tolerance. */
export const verifyWebhook = ({ secret, timestamp, signature, body, now }: Signed): SignatureProblem | undefined => {
  if (!/^[0-9a-f]{64}$/i.test(signature) || !Number.isSafeInteger(timestamp)) return "malformed"
  if (!constantTimeEqual(signWebhook(secret, timestamp, body), signature.toLowerCase())) return "mismatch"
  if (now - timestamp > timestampTolerance) return "stale"
  return timestamp - now > timestampTolerance ? "future" : undefined
}
