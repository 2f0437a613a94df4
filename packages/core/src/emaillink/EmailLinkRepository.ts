/** The SQL of email_suppression and email_click. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { none } from "../database/Repository.ts"

export class EmailLinkRepository extends Context.Service<EmailLinkRepository>()(
  "@effect-commerce/core/emaillink/EmailLinkRepository",
  {
    make: Effect.map(Database, ({ sql }) => ({
      /** From now on, also where an older row says since when: its owner has agreed in between. */
      suppress: (storeId: string, email: string, at: Date) =>
        none(sql`INSERT INTO email_suppression (store_id, email, created_at) VALUES (${storeId}, ${email}, ${at})
          ON CONFLICT (store_id, email) DO UPDATE SET created_at = EXCLUDED.created_at`),

      /** Ends suppressions that began before their owners agreed. */
      lift: (storeId: string, agreed: ReadonlyArray<Agreement>): Effect.Effect<void> =>
        agreed.length === 0
          ? Effect.void
          : none(sql`DELETE FROM email_suppression s
              USING jsonb_to_recordset(${JSON.stringify(agreed)}::jsonb) AS a (email text, at timestamptz)
              WHERE s.store_id = ${storeId} AND s.email = a.email AND s.created_at <= a.at`),

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

/** That the owner of an address, normalised, has agreed to marketing mails at that time. */
export interface Agreement {
  readonly email: string
  readonly at: Date
}

export interface Click {
  readonly messageId: string
  readonly url: string
  readonly urlHash: string
}
