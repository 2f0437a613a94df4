/**
 * Who wants mails that can be unsubscribed from: what is read from customer and newsletter_signup, tables of other
 * rooms, beside the suppressions of this one. A suppression ends with a later consent: a confirmed sign-up removes it,
 * and a customer with a verified address who agrees to marketing again outweighs it, because unsubscribing has taken
 * that agreement back.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, many } from "../database/Repository.ts"

export class ConsentView extends Context.Service<ConsentView>()("@effect-commerce/core/emaillink/ConsentView", {
  make: Effect.map(Database, ({ sql }) => {
    const suppressed = (storeId: string, emails: ReadonlyArray<string>) =>
      many(
        sql<{ readonly email: string }>`SELECT s.email FROM email_suppression s
          WHERE s.store_id = ${storeId} AND s.email = ANY(${emails}::text[])
            AND NOT EXISTS (SELECT FROM customer c WHERE c.store_id = s.store_id AND c.email = s.email
              AND c.accepts_marketing AND c.email_verified)`,
        ({ email }) => email
      )
    return {
      /** Those of these addresses, normalised, whose owners have unsubscribed. */
      suppressed: (storeId: string, emails: ReadonlyArray<string>): Effect.Effect<ReadonlySet<string>> =>
        emails.length === 0
          ? Effect.succeed(new Set())
          : Effect.map(suppressed(storeId, emails), (found) => new Set(found)),

      /** Whether the address is a customer's who has not agreed to marketing, and did not sign up for news either. */
      isRefused: (storeId: string, email: string): Effect.Effect<boolean> =>
        anyRow(sql`SELECT 1 FROM customer c WHERE c.store_id = ${storeId} AND c.email = ${email}
          AND NOT c.accepts_marketing AND NOT EXISTS (SELECT FROM newsletter_signup n
            WHERE n.store_id = c.store_id AND n.email = c.email AND n.confirmed_at IS NOT NULL)`)
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
