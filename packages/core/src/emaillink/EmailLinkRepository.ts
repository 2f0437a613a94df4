/** The SQL of email_suppression and email_click. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, none } from "../database/Repository.ts"

export class EmailLinkRepository extends Context.Service<EmailLinkRepository>()(
  "@effect-commerce/core/emaillink/EmailLinkRepository",
  {
    make: Effect.map(Database, ({ sql }) => ({
      /** Returns whether the address was not suppressed before. */
      suppress: (storeId: string, email: string, at: Date) =>
        anyRow(sql`INSERT INTO email_suppression (store_id, email, created_at) VALUES (${storeId}, ${email}, ${at})
          ON CONFLICT (store_id, email) DO NOTHING RETURNING 1`),

      lift: (storeId: string, email: string) =>
        none(sql`DELETE FROM email_suppression WHERE store_id = ${storeId} AND email = ${email}`),

      /** Counts a click, while the mail is kept. */
      count: (storeId: string, { messageId, url, urlHash }: Click, at: Date) =>
        none(sql`INSERT INTO email_click AS k (store_id, message_id, url_hash, url, clicks, first_at, last_at)
          SELECT m.store_id, m.id, ${urlHash}, ${url}, 1, ${at}, ${at} FROM email_message m
            WHERE m.store_id = ${storeId} AND m.id = ${messageId} FOR KEY SHARE
          ON CONFLICT (store_id, message_id, url_hash)
            DO UPDATE SET clicks = least(k.clicks, 2147483646) + 1, last_at = EXCLUDED.last_at`)
    }))
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}

export interface Click {
  readonly messageId: string
  readonly url: string
  readonly urlHash: string
}
