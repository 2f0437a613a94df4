/**
 * Links of mails that lead to this server: to unsubscribe, and to the page behind a counted link. Nobody else can make
 * one: the first holds its address sealed, the second is authenticated, so that it redirects to nothing but what a mail
 * of ours showed.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { constantTimeEqual, hmacSha256Hex, sha256Hex } from "../crypto/Hashing.ts"
import { RootSecret } from "../crypto/RootSecret.ts"
import type { Click } from "./EmailLinkRepository.ts"

const unsubscribePurpose = "unsubscribe-link"
const contextOf = (storeId: string): string => `${storeId}|unsubscribe`

const Subscriber = Schema.Struct({ email: Schema.String, language: Schema.String })
const readSubscriber = Schema.decodeUnknownEffect(Schema.fromJsonString(Subscriber))

export interface Subscriber {
  readonly storeId: string
  readonly email: string
  /** The language of the mail. */
  readonly language: string
}

/** Links of one mail that are counted, and the characters of one; the rest lead where they lead. */
const mostLinks = 200
const longestUrl = 2_000
/** Characters of a token that is looked at: no link of ours is longer. */
const longestToken = 4_500

const href = /(<a\b[^<>]{0,2000}?\shref=")(https?:\/\/[^"<>\s]{1,2500})(")/gi

const plain = (attribute: string): string =>
  attribute
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")

export class MailLinkTokens extends Context.Service<MailLinkTokens>()(
  "@effect-commerce/core/emaillink/MailLinkTokens",
  {
    make: Effect.fnUntraced(function* (base: string | null) {
      const secret = yield* RootSecret
      const key = Buffer.from(secret.derive("click-link")).toString("hex")

      const signatureOf = (storeId: string, messageId: string, url: string) =>
        hmacSha256Hex(key, JSON.stringify([storeId, messageId, url]))

      const counted = (storeId: string, messageId: string, url: string): string =>
        `${base}/email/click/${storeId}.${messageId}.${Buffer.from(url).toString("base64url")}.` +
        signatureOf(storeId, messageId, url)

      return {
        /** Null where the address of this server is not known. */
        unsubscribe: ({ storeId, ...subscriber }: Subscriber): string | null => {
          if (base === null) return null
          const sealed = secret.seal(unsubscribePurpose, contextOf(storeId), JSON.stringify(subscriber))
          return `${base}/email/unsubscribe/${storeId}.${sealed}`
        },

        /** Who a link to unsubscribe was made for; undefined if it was not made here. */
        subscriber: (token: string): Effect.Effect<Subscriber | undefined> => {
          const dot = token.indexOf(".")
          if (dot < 1 || token.length > longestToken) return Effect.undefined
          const storeId = token.slice(0, dot)
          return Effect.try({
            try: () => secret.open(unsubscribePurpose, contextOf(storeId), token.slice(dot + 1)),
            catch: () => undefined
          }).pipe(
            Effect.flatMap(readSubscriber),
            Effect.map((read) => ({ storeId, ...read })),
            Effect.catch(() => Effect.undefined)
          )
        },

        /** The HTML with its links counted, but the one to unsubscribe. */
        countingIn: (html: string, storeId: string, messageId: string): string => {
          if (base === null) return html
          let left = mostLinks
          return html.replace(href, (whole: string, before: string, attribute: string, after: string) => {
            const url = plain(attribute)
            if (left === 0 || url.length > longestUrl || url.startsWith(`${base}/`) || !URL.canParse(url)) return whole
            left -= 1
            return `${before}${counted(storeId, messageId, url)}${after}`
          })
        },

        /** Where a counted link leads; undefined if it was not made here. */
        clicked: (token: string): (Click & { readonly storeId: string }) | undefined => {
          const [storeId = "", messageId = "", encoded = "", signature = "", ...more] =
            token.length > longestToken ? [] : token.split(".")
          const url = Buffer.from(encoded, "base64url").toString("utf8")
          const isOurs = more.length === 0 && constantTimeEqual(signature, signatureOf(storeId, messageId, url))
          return isOurs ? { storeId, messageId, url, urlHash: sha256Hex(url) } : undefined
        }
      }
    })
  }
) {
  static readonly layer = (base: string | null) => Layer.effect(this, this.make(base))
}
