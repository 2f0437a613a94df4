/** The SQL of email_domain. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, none, one, page, storesWhoseOldest } from "../database/Repository.ts"
import { constraintViolation } from "../database/SqlErrors.ts"
import { countLocked } from "../database/StoreLocks.ts"
import { offsetOf, type Page } from "../kernel/Pagination.ts"
import type { EmailDomainState } from "./EmailDomain.ts"
import { EmailDomainInUse, EmailDomainTaken } from "./EmailDomainErrors.ts"

/** What a look changes. */
export type Looked = Pick<EmailDomainState, "status" | "checks" | "verifiedAt" | "lastCheckedAt" | "updatedAt">

export class EmailDomainRepository extends Context.Service<EmailDomainRepository>()(
  "@effect-commerce/core/emaildomain/EmailDomainRepository",
  {
    make: Effect.map(Database, ({ sql }) => {
      const columns = sql.literal(
        "id, domain, status, token, selector, public_key, private_key, checks, verified_at, last_checked_at, " +
          "created_at, updated_at"
      )
      const of = (storeId: string) => sql`SELECT ${columns} FROM email_domain WHERE store_id = ${storeId}`
      return {
        countToAdd: (storeId: string) =>
          countLocked(sql, { table: "email_domain", ownerId: storeId, which: sql`store_id = ${storeId}` }),

        insert: (storeId: string, row: EmailDomainState) =>
          none(
            constraintViolation(
              "email_domain_store_id_domain_key",
              () => new EmailDomainTaken({ domain: row.domain })
            )(sql`INSERT INTO email_domain (store_id, ${columns}) VALUES (${storeId}, ${row.id}, ${row.domain},
              ${row.status}, ${row.token}, ${row.selector}, ${row.publicKey}, ${row.privateKey},
              ${JSON.stringify(row.checks)}::jsonb, ${row.verifiedAt}, ${row.lastCheckedAt}, ${row.createdAt},
              ${row.updatedAt})`)
          ),

        /** Newest first. */
        list: (storeId: string, at: Page) =>
          page(
            sql<EmailDomainState>`${of(storeId)} ORDER BY created_at DESC, id DESC
              LIMIT ${at.limit} OFFSET ${offsetOf(at)}`,
            sql<{ readonly total: number }>`SELECT count(*)::int AS total FROM email_domain
              WHERE store_id = ${storeId}`
          ),

        find: (storeId: string, id: string) => one(sql<EmailDomainState>`${of(storeId)} AND id = ${id}`),

        /** `find`, locked until the transaction ends. */
        lock: (storeId: string, id: string) => one(sql<EmailDomainState>`${of(storeId)} AND id = ${id} FOR UPDATE`),

        /** `find`, kept from being removed until the transaction ends. */
        hold: (storeId: string, id: string) => one(sql<EmailDomainState>`${of(storeId)} AND id = ${id} FOR KEY SHARE`),

        /** The verified one of this name. */
        verified: (storeId: string, domain: string) =>
          one(sql<EmailDomainState>`${of(storeId)} AND domain = ${domain} AND status = 'VERIFIED'`),

        putLook: (storeId: string, id: string, look: Looked, next: Date) =>
          none(sql`UPDATE email_domain SET status = ${look.status}, checks = ${JSON.stringify(look.checks)}::jsonb,
              verified_at = ${look.verifiedAt}, last_checked_at = ${look.lastCheckedAt}, updated_at = ${look.updatedAt},
              look_at = ${next}
            WHERE store_id = ${storeId} AND id = ${id}`),

        /** Returns whether the domain existed. */
        remove: (storeId: string, id: string) =>
          anyRow(
            constraintViolation(
              "email_settings_custom_domain_id_fkey",
              () => new EmailDomainInUse({ id })
            )(sql`DELETE FROM email_domain WHERE store_id = ${storeId} AND id = ${id} RETURNING id`)
          ),

        // email_domain_store_id_look_at_idx serves both.
        storesToLookAt: (now: Date) =>
          storesWhoseOldest(
            sql,
            sql`SELECT d.look_at FROM email_domain d WHERE d.store_id = s.id AND d.status <> 'PENDING'
              ORDER BY d.look_at LIMIT 1`,
            sql`oldest.look_at <= ${now}`
          ),
        /** The domain of the store that waits longest; nobody else looks at it until then. */
        claimLook: (storeId: string, now: Date, again: Date) =>
          one(sql<Pick<EmailDomainState, "id" | "domain">>`UPDATE email_domain SET look_at = ${again}
            WHERE store_id = ${storeId} AND id = (SELECT d.id FROM email_domain d
              WHERE d.store_id = ${storeId} AND d.status <> 'PENDING' AND d.look_at <= ${now}
              ORDER BY d.look_at, d.id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
            RETURNING id, domain`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
