/** The SQL of email_template. A partial unique index allows one active template for each kind and language. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, lockThenRead, many, none, one, page } from "../database/Repository.ts"
import { uniqueViolation } from "../database/SqlErrors.ts"
import { lockStoreFor } from "../database/StoreLocks.ts"
import { offsetOf, type Page } from "../kernel/Pagination.ts"
import type { EmailTemplateState } from "./EmailTemplate.ts"
import { EmailTemplateActive } from "./TemplateErrors.ts"

export interface TemplateFilter {
  readonly eventType?: string | undefined
  readonly language?: string | undefined
}

export class EmailTemplateRepository extends Context.Service<EmailTemplateRepository>()(
  "@effect-commerce/core/template/EmailTemplateRepository",
  {
    make: Effect.map(Database, ({ sql }) => {
      const columns = sql.literal(
        "id, name, event_type, language, subject, html_content, text_content, variables, is_active, created_at, " +
          "updated_at"
      )
      const taken = ({ eventType, language }: EmailTemplateState) =>
        uniqueViolation(
          "email_template_store_id_event_type_language_key",
          () => new EmailTemplateActive({ eventType, language })
        )

      return {
        /**
         * How many other templates the store has, and their bytes as JSON. No other transaction can write one until
         * this one ends.
         */
        othersLocked: (storeId: string, id: string) =>
          Effect.map(
            lockThenRead(
              none(lockStoreFor(sql, "email_template", storeId)),
              one(
                sql<{ readonly count: number; readonly bytes: number }>`SELECT count(*)::int AS count,
                    coalesce(sum(octet_length(row_to_json(t)::text)), 0)::int AS bytes
                  FROM email_template t WHERE store_id = ${storeId} AND id <> ${id}`
              )
            ),
            ([, others]) => others ?? { count: 0, bytes: 0 }
          ),

        insert: (storeId: string, row: EmailTemplateState) =>
          none(
            taken(row)(sql`INSERT INTO email_template (store_id, ${columns})
              VALUES (${storeId}, ${row.id}, ${row.name}, ${row.eventType}, ${row.language}, ${row.subject},
                ${row.htmlContent}, ${row.textContent}, ${JSON.stringify(row.variables)}::jsonb, ${row.isActive},
                ${row.createdAt}, ${row.updatedAt})`)
          ),

        update: (storeId: string, row: EmailTemplateState) =>
          none(
            taken(row)(sql`UPDATE email_template SET name = ${row.name}, event_type = ${row.eventType},
                language = ${row.language}, subject = ${row.subject}, html_content = ${row.htmlContent},
                text_content = ${row.textContent}, variables = ${JSON.stringify(row.variables)}::jsonb,
                is_active = ${row.isActive}, updated_at = ${row.updatedAt}
              WHERE store_id = ${storeId} AND id = ${row.id}`)
          ),

        /** Returns whether the template existed. */
        remove: (storeId: string, id: string) =>
          anyRow(sql`DELETE FROM email_template WHERE store_id = ${storeId} AND id = ${id} RETURNING id`),

        find: (storeId: string, id: string) =>
          one(
            sql<EmailTemplateState>`SELECT ${columns} FROM email_template WHERE store_id = ${storeId} AND id = ${id}`
          ),

        /** `find`, locked until the transaction ends. */
        lock: (storeId: string, id: string) =>
          one(sql<EmailTemplateState>`SELECT ${columns} FROM email_template WHERE store_id = ${storeId} AND id = ${id}
            FOR UPDATE`),

        /** Oldest first. */
        list: (storeId: string, { eventType, language }: TemplateFilter, at: Page) => {
          const which = sql.and([
            sql`store_id = ${storeId}`,
            ...(eventType === undefined ? [] : [sql`event_type = ${eventType}`]),
            ...(language === undefined ? [] : [sql`language = ${language}`])
          ])
          return page(
            sql<EmailTemplateState>`SELECT ${columns} FROM email_template WHERE ${which}
              ORDER BY created_at, id LIMIT ${at.limit} OFFSET ${offsetOf(at)}`,
            sql<{ readonly total: number }>`SELECT count(*)::int AS total FROM email_template WHERE ${which}`
          )
        },

        /**
         * The active templates of these kinds, in every language. email_template_store_id_event_type_language_key finds
         * them.
         */
        active: (storeId: string, types: ReadonlyArray<string>) =>
          many(sql<EmailTemplateState>`SELECT ${columns} FROM email_template
            WHERE store_id = ${storeId} AND event_type = ANY(${types}::text[]) AND is_active`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
