import { readFileSync } from "node:fs"
import { signWebhook, verifyWebhook } from "@effect-commerce/core/crypto/WebhookSigner"
import { Refused } from "./Refused.ts"

const readBody = (file: string | undefined): Uint8Array => {
  try {
    return readFileSync(file ?? 0)
  } catch {
    throw new Refused(`${file ?? "standard input"} cannot be read`)
  }
}

// The command line runs in the present, outside of any instance and its clock.
const present = (): number => performance.timeOrigin + performance.now()

export const signBody = (asked: { readonly secret: string; readonly timestamp?: number | undefined; readonly file?: string | undefined }) => {
  const timestamp = asked.timestamp ?? Math.floor(present())
  return { timestamp, signature: signWebhook(asked.secret, timestamp, readBody(asked.file)) }
}

/** Sets the exit code to 1 where the delivery is not valid; the answer says why. */
export const verifyBody = (asked: {
  readonly secret: string
  readonly timestamp: number
  readonly signature: string
  readonly now?: number | undefined
  readonly file?: string | undefined
}) => {
  const { secret, timestamp, signature } = asked
  const reason = verifyWebhook({ secret, timestamp, signature, body: readBody(asked.file), now: asked.now ?? Math.floor(present()) }) ?? null
  if (reason !== null) process.exitCode = 1
  return { valid: reason === null, reason }
}
