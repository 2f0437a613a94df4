/**
 * Links that open something without a credential: an invoice, a file that was bought, an export. A token names its
 * parts and an expiry, and authenticates them with a key of its kind (HMAC-SHA256, a key derived from the root secret).
 * A token that was changed, has expired or is of another kind reads as none; the comparison takes constant time.
 */
import { Context, Effect, Layer } from "effect"
import { constantTimeEqual, hmacSha256Hex } from "../crypto/Hashing.ts"
import { RootSecret } from "../crypto/RootSecret.ts"
import { RequestOrigin } from "../media/MediaUrls.ts"

export type LinkKind = "invoice" | "download" | "export"

export interface SignedLinkOptions {
  /** COMMERCE_PUBLIC_URL. */
  readonly publicUrl: string | undefined
  /** The base path of this server: `/api` by default. */
  readonly basePath: string
}

/** Characters of a token; a longer text is none. */
const longestToken = 500

const partPattern = /^\w{1,100}$/

export class SignedLinks extends Context.Service<SignedLinks>()("@effect-commerce/core/link/SignedLinks", {
  make: Effect.fnUntraced(function* ({ publicUrl, basePath }: SignedLinkOptions) {
    const secret = yield* RootSecret
    const given = publicUrl?.replace(/\/+$/, "")

    const signatureOf = (kind: LinkKind, signed: string): string =>
      hmacSha256Hex(Buffer.from(secret.derive(`link/${kind}`)).toString("hex"), signed)

    /** Parts are ids of ours and whole numbers: letters, digits and `_`. The expiry is rounded down to a second. */
    const sign = (kind: LinkKind, parts: ReadonlyArray<string>, expiresAt: number): string => {
      if (!parts.every((part) => partPattern.test(part))) throw new RangeError("no part of a link is like this")
      const signed = [...parts, Math.floor(expiresAt / 1_000).toString(36)].join(".")
      return `${signed}.${signatureOf(kind, signed)}`
    }

    /** The parts of a token and its expiry (ms); undefined for anything that was not signed for `now` or later. */
    const read = (kind: LinkKind, token: string, now: number) => {
      if (token.length > longestToken) return undefined
      const end = token.lastIndexOf(".")
      const signed = token.slice(0, Math.max(end, 0))
      if (!constantTimeEqual(token.slice(end + 1), signatureOf(kind, signed))) return undefined
      const parts = signed.split(".")
      const expiresAt = Number.parseInt(parts.pop() ?? "", 36) * 1_000
      return expiresAt > now ? { parts, expiresAt } : undefined
    }

    return {
      sign,
      read,
      /** Where this server answers without a request that says so: COMMERCE_PUBLIC_URL, else this origin, if any. */
      addressOr: (origin: string | null): string | null =>
        given === undefined && origin === null ? null : `${given ?? origin}${basePath}`,
      /**
       * The address of this server: COMMERCE_PUBLIC_URL, else where the current request was sent to. Where neither is
       * known (a call inside the process), it is a path.
       */
      current: Effect.map(RequestOrigin, (origin) => `${given ?? origin()}${basePath}`)
    }
  })
}) {
  static readonly layer = (options: SignedLinkOptions) => Layer.effect(this, this.make(options))
}
