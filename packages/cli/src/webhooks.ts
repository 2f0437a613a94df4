/** The work of `commerce webhook`. */
import { readFileSync } from "node:fs"
import { signWebhook, type SignatureProblem, verifyWebhook } from "@effect-commerce/core/crypto/WebhookSigner"
import { Refused, WrongUsage } from "./Refused.ts"

const readBody = (file: string | undefined): Uint8Array => {
  try {
    return readFileSync(file ?? 0)
  } catch {
    throw new Refused(`${file ?? "standard input"} cannot be read`)
  }
}

/** The command line runs in the present, outside of any instance and its clock. */
const present = (): number => Math.floor(performance.timeOrigin + performance.now())

const millis = (flag: string, text: string): number => {
  if (!/^[0-9]{1,15}$/.test(text)) throw new WrongUsage(`${flag}: must be Unix milliseconds, such as 1767323045678`)
  return Number(text)
}

export const signBody = (asked: { readonly secret: string; readonly timestamp?: string | undefined; readonly file?: string | undefined }) => {
  const timestamp = asked.timestamp === undefined ? present() : millis("--timestamp", asked.timestamp)
  return { timestamp, signature: signWebhook(asked.secret, timestamp, readBody(asked.file)) }
}

/** Sets the exit code to 1 where the delivery is not valid; the answer says why. */
export const verifyBody = (asked: {
  readonly secret: string
  readonly timestamp: string
  readonly signature: string
  readonly now?: string | undefined
  readonly file?: string | undefined
}): { readonly valid: boolean; readonly reason: SignatureProblem | null } => {
  const { secret, signature } = asked
  const timestamp = millis("--timestamp", asked.timestamp)
  const now = asked.now === undefined ? present() : millis("--now", asked.now)
  const reason = verifyWebhook({ secret, timestamp, signature, body: readBody(asked.file), now }) ?? null
  if (reason !== null) process.exitCode = 1
  return { valid: reason === null, reason }
}
