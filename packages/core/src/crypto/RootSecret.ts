/**
 * The installation's root secret (COMMERCE_SECRET, at least 32 bytes) and what is made from it: one key per purpose by
 * HKDF-SHA256 (RFC 5869), and encryption at rest by AES-256-GCM with a random 96-bit nonce. The secret itself never
 * leaves this module. A sealed text names the key it was sealed with, so that a root secret can be replaced while old
 * texts are still opened.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"
import { Context, Layer, type Redacted } from "effect"
import { readText } from "../kernel/OneEffect.ts"
import { sha256Hex } from "./Hashing.ts"

/** A sealed text that does not open. Says nothing of its content. */
export class SealBroken extends Error {
  readonly _tag = "SealBroken"
  constructor(context: string) {
    super(`the sealed text of ${context} does not open: it was changed, moved, or sealed under another COMMERCE_SECRET`)
  }
}

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/**
 * The prefix, up to a dot, of every text sealed under this root secret: eight hex digits from which the secret cannot
 * be computed.
 */
export const sealMark = (secret: Redacted.Redacted): string =>
  sha256Hex(Buffer.concat([Buffer.from("effect-commerce/mark/"), bytesOf(secret)])).slice(0, 8)

const bytesOf = (secret: Redacted.Redacted): Buffer => Buffer.from(readText("the root secret", secret), "utf8")

export const makeRootSecret = (secret: Redacted.Redacted) => {
  const root = bytesOf(secret)
  if (root.length < keyBytes) throw new RangeError(`a root secret has at least ${keyBytes} bytes`)
  const mark = sealMark(secret)
  const keys = new Map<string, Buffer>()

  const keyOf = (purpose: string): Buffer => {
    const known = keys.get(purpose)
    if (known !== undefined) return known
    const key = Buffer.from(hkdfSync("sha256", root, "effect-commerce", purpose, keyBytes))
    // Purposes may name a store; a full cache is cleared.
    if (keys.size >= 10_000) keys.clear()
    keys.set(purpose, key)
    return key
  }

  return {
    /** What every text that is sealed under this root secret begins with. */
    mark,

    /** 32 bytes for one purpose; the same in every process of the installation. */
    derive: (purpose: string): Uint8Array => new Uint8Array(keyOf(`derive/${purpose}`)),

    /**
     * Encrypts a text. `context` says where it belongs (`store|table|column|id`): moved elsewhere, it does not open.
     * Returns base64url with a key mark in front.
     */
    seal: (purpose: string, context: string, plain: string): string => {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv("aes-256-gcm", keyOf(`seal/${purpose}`), nonce).setAAD(Buffer.from(context, "utf8"))
      const sealed = Buffer.concat([nonce, cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()])
      return `${mark}.${sealed.toString("base64url")}`
    },

    /** Throws SealBroken for a text that was changed, moved, or sealed under another root secret. */
    open: (purpose: string, context: string, sealed: string): string => {
      const bytes = Buffer.from(sealed.slice(mark.length + 1), "base64url")
      // Node ignores unused bits of the last character and characters that are not base64url: comparing with the text
      // encoded again rejects such changes too.
      if (sealed !== `${mark}.${bytes.toString("base64url")}` || bytes.length < nonceBytes + tagBytes)
        throw new SealBroken(context)
      const decipher = createDecipheriv("aes-256-gcm", keyOf(`seal/${purpose}`), bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes
      })
      decipher.setAAD(Buffer.from(context, "utf8")).setAuthTag(bytes.subarray(-tagBytes))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString(
          "utf8"
        )
      } catch {
        throw new SealBroken(context)
      }
    }
  }
}

export class RootSecret extends Context.Service<RootSecret, ReturnType<typeof makeRootSecret>>()(
  "@effect-commerce/core/crypto/RootSecret"
) {
  static readonly layer = (secret: Redacted.Redacted) => Layer.sync(this, () => makeRootSecret(secret))
}
