/** Key pairs that mails are signed with (DKIM, RFC 6376): RSA of 2048 bits, which every reader of mails can check. */
import { generateKeyPair } from "node:crypto"
import { promisify } from "node:util"
import { Effect } from "effect"

export interface DkimKey {
  /** As a DNS record holds it: DER in base64, without line breaks. */
  readonly publicKey: string
  /** PKCS #8, PEM. */
  readonly privateKey: string
}

const generate = promisify(generateKeyPair)

/** Made outside of the event loop. */
export const makeDkimKey: Effect.Effect<DkimKey> = Effect.map(
  Effect.promise(() =>
    generate("rsa", {
      modulusLength: 2_048,
      publicKeyEncoding: { type: "spki", format: "der" },
      privateKeyEncoding: { type: "pkcs8", format: "pem" }
    })
  ),
  ({ publicKey, privateKey }) => ({ publicKey: publicKey.toString("base64"), privateKey })
)
