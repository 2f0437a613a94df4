/**
 * The SQL of email_template. That one template of a kind and language is active at a time is kept by a partial unique
 * index.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, lockThenRead, many, none, one, page } from "../database/Repository.ts"
import { uniqueViolation } from "../database/SqlErrors.ts"
import { lockStoreFor } from "../database/StoreLocks.ts"
import { offsetOf, type Page, type PageOf } from "../kernel/Pagination.ts"
import type { EmailTemplateState } from "./EmailTemplate.ts"
import { EmailTemplateActive } from "./TemplateErrors.ts"

export interface TemplateFilter {
  readonly eventType?: string | undefined
  readonly language?: string | undefined
}

export interface EmailTemplateRepositoryMethods {
  /** How many others the store has, and their bytes as JSON; nobody else writes one until the transaction ends. */
  readonly othersLocked: (
    storeId: string,
    id: string
  ) => Effect.Effect<{ readonly count: number; readonly bytes: number }>
  readonly insert: (storeId: string, row: EmailTemplateState) => Effect.Effect<void, EmailTemplateActive>
  readonly update: (storeId: string, row: EmailTemplateState) => Effect.Effect<void, EmailTemplateActive>
  /** Whether there was one. */
  readonly remove: (storeId: string, id: string) => Effect.Effect<boolean>
  readonly find: (storeId: string, id: string) => Effect.Effect<EmailTemplateState | undefined>
  /** `find`, held until the transaction ends. */
  readonly lock: (storeId: string, id: string) => Effect.Effect<EmailTemplateState | undefined>
  readonly list: (storeId: string, filter: TemplateFilter, page: Page) => Effect.Effect<PageOf<EmailTemplateState>>
  /** The active ones of these kinds, in every language. */
  readonly active: (storeId: string, types: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<EmailTemplateState>>
}

export class EmailTemplateRepository extends Context.Service<EmailTemplateRepository, EmailTemplateRepositoryMethods>()(
  "@effect-commerce/core/template/EmailTemplateRepository"
) {
  static readonly layer = Layer.effect(
    EmailTemplateRepository,
    Effect.gen(function* () {
      const { sql } = yield* Database
      const columns = sql.literal(
        "id, name, event_type, language, subject, html_content, text_content, variables, is_active, created_at, " +
          "updated_at"
      )
      const taken = ({ eventType, language }: EmailTemplateState) =>
        uniqueViolation(
          "email_template_store_id_event_type_language_key",
          () => new EmailTemplateActive({ eventType, language })
        )

      const list = (storeId: string, { eventType, language }: TemplateFilter, at: Page) => {
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
      }

      return EmailTemplateRepository.of({
        othersLocked: (storeId, id) =>
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
        insert: (storeId, row) =>
          none(
            taken(row)(sql`INSERT INTO email_template (store_id, ${columns})
              VALUES (${storeId}, ${row.id}, ${row.name}, ${row.eventType}, ${row.language}, ${row.subject},
                ${row.htmlContent}, ${row.textContent}, ${JSON.stringify(row.variables)}::jsonb, ${row.isActive},
                  ${row.createdAt}, ${row.updatedAt})`)
          ),
        update: (storeId, row) =>
          none(
            taken(row)(sql`UPDATE email_template SET name = ${row.name}, event_type = ${row.eventType},
                language = ${row.language}, subject = ${row.subject}, html_content = ${row.htmlContent},
                text_content = ${row.textContent}, variables = ${JSON.stringify(row.variables)}::jsonb,
                  is_active = ${row.isActive}, updated_at = ${row.updatedAt}
              WHERE store_id = ${storeId} AND id = ${row.id}`)
          ),
        remove: (storeId, id) =>
          anyRow(sql`DELETE FROM email_template WHERE store_id = ${storeId} AND id = ${id} RETURNING id`),
        find: (storeId, id) =>
          one(
            sql<EmailTemplateState>`SELECT ${columns} FROM email_template WHERE store_id = ${storeId} AND id = ${id}`
          ),
        lock: (storeId, id) =>
          one(sql<EmailTemplateState>`SELECT ${columns} FROM email_template WHERE store_id = ${storeId} AND id = ${id}
                FOR UPDATE`),
        list,
        // email_template_store_id_event_type_language_key finds them.
        active: (storeId, types) =>
          many(sql<EmailTemplateState>`SELECT ${columns} FROM email_template WHERE store_id =
            ${storeId} AND event_type =
              ANY(${types}::text[]) AND is_active`)
      })
    })
  )
}
