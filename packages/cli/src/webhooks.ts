/** The work of `commerce webhook`. */
import { signWebhook, type SignatureProblem, verifyWebhook } from "@effect-commerce/core/crypto/WebhookSigner"
import { readInput } from "./readInput.ts"
import { Refused, WrongUsage } from "./Refused.ts"

const readBody = (file: string | undefined): Promise<Uint8Array> =>
  readInput(file).catch(() => {
    throw new Refused(`${file ?? "standard input"} cannot be read`)
  })

/** The command line uses the machine's clock, not that of an instance. */
const present = (): number => Math.floor(performance.timeOrigin + performance.now())

const millis = (flag: string, text: string): number => {
  if (!/^[0-9]{1,15}$/.test(text)) throw new WrongUsage(`${flag}: must be Unix milliseconds, such as 1767323045678`)
  return Number(text)
}

/** An unset variable of a shell is an empty text. */
const checkSecret = (secret: string): void => {
  if (secret === "") throw new WrongUsage("--secret: must not be empty")
}

export const signBody = async (asked: {
  readonly secret: string
  readonly timestamp?: string | undefined
  readonly file?: string | undefined
}) => {
  checkSecret(asked.secret)
  const given = asked.timestamp === undefined ? undefined : millis("--timestamp", asked.timestamp)
  const body = await readBody(asked.file)
  const timestamp = given ?? present()
  return { timestamp, signature: signWebhook(asked.secret, timestamp, body) }
}

/** Sets the exit code to 1 if the delivery is not valid; the result says why. */
export const verifyBody = async (asked: {
  readonly secret: string
  readonly timestamp: string
  readonly signature: string
  readonly now?: string | undefined
  readonly file?: string | undefined
}): Promise<{ readonly valid: boolean; readonly reason: SignatureProblem | null }> => {
  const { secret, signature } = asked
  checkSecret(secret)
  const timestamp = millis("--timestamp", asked.timestamp)
  const now = asked.now === undefined ? present() : millis("--now", asked.now)
  const reason = verifyWebhook({ secret, timestamp, signature, body: await readBody(asked.file), now }) ?? null
  if (reason !== null) process.exitCode = 1
  return { valid: reason === null, reason }
}
