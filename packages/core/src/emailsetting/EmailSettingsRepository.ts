/** The SQL of email_settings: one row for each store that has changed its settings. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { none, one } from "../database/Repository.ts"
import type { EmailSettingsState } from "./EmailSettings.ts"

export class EmailSettingsRepository extends Context.Service<EmailSettingsRepository>()(
  "@effect-commerce/core/emailsetting/EmailSettingsRepository",
  {
    make: Effect.map(Database, ({ sql }) => {
      const columns = sql.literal(
        "id, emails_enabled, default_from_name, default_reply_to, event_settings, hourly_rate_limit, " +
          "custom_domain_id, daily_campaign_send_limit, click_tracking_enabled, footer_address, " +
          "marketing_sending_paused, marketing_pause_reason, marketing_paused_at, created_at, updated_at"
      )
      return {
        find: (storeId: string) =>
          one(sql<EmailSettingsState>`SELECT ${columns} FROM email_settings WHERE store_id = ${storeId}`),

        /** Locks the store's settings until the transaction ends, also if they have no row yet. */
        lock: (storeId: string) =>
          none(sql`SELECT pg_advisory_xact_lock(hashtextextended('email_settings ' || ${storeId}, 0))`),

        put: (storeId: string, row: EmailSettingsState) =>
          none(sql`INSERT INTO email_settings (store_id, ${columns})
            VALUES (${storeId}, ${row.id}, ${row.emailsEnabled}, ${row.defaultFromName}, ${row.defaultReplyTo},
              ${JSON.stringify(row.eventSettings)}::jsonb, ${row.hourlyRateLimit}, ${row.customDomainId},
              ${row.dailyCampaignSendLimit}, ${row.clickTrackingEnabled}, ${row.footerAddress},
              ${row.marketingSendingPaused}, ${row.marketingPauseReason}, ${row.marketingPausedAt}, ${row.createdAt},
              ${row.updatedAt})
            ON CONFLICT (store_id) DO UPDATE SET emails_enabled = EXCLUDED.emails_enabled,
              default_from_name = EXCLUDED.default_from_name, default_reply_to = EXCLUDED.default_reply_to,
              event_settings = EXCLUDED.event_settings, hourly_rate_limit = EXCLUDED.hourly_rate_limit,
              custom_domain_id = EXCLUDED.custom_domain_id,
              daily_campaign_send_limit = EXCLUDED.daily_campaign_send_limit,
              click_tracking_enabled = EXCLUDED.click_tracking_enabled, footer_address = EXCLUDED.footer_address,
              marketing_sending_paused = EXCLUDED.marketing_sending_paused,
              marketing_pause_reason = EXCLUDED.marketing_pause_reason,
              marketing_paused_at = EXCLUDED.marketing_paused_at, updated_at = EXCLUDED.updated_at`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
