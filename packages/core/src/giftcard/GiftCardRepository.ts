/** The SQL of gift_card and gift_card_transaction: what merchants do with cards. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { makePageReader } from "../database/PageReads.ts"
import { versionAfter } from "../database/Precondition.ts"
import { anyRow, containing, none, one } from "../database/Repository.ts"
import { uniqueViolation } from "../database/SqlErrors.ts"
import type { Page } from "../kernel/Pagination.ts"
import type { GiftCardFields, GiftCardState, GiftCardStatus } from "./GiftCard.ts"
import { GiftCardCodeTaken } from "./GiftCardErrors.ts"
import type { GiftCardTransaction } from "./GiftCardLedger.ts"
import { normaliseGiftCardCode } from "./GiftCardCode.ts"

/** Undefined fields do not filter; `search` is a part of the last four characters. */
export interface GiftCardFilter {
  readonly search: string | undefined
  readonly statuses: ReadonlyArray<string> | undefined
}

export interface NewGiftCard extends Omit<GiftCardState, "updatedAt" | "disabledAt"> {
  readonly codeHash: string
}

/** An entry of the ledger that is to be made. */
export interface GiftCardMove extends Omit<GiftCardTransaction, "balance" | "createdAt"> {
  readonly now: Date
}

const columns = `g.id, g.code_last4, g.initial_balance, g.balance, g.currency, g.disabled_at, g.expires_at,
  g.customer_id, g.recipient_email, g.sender_name, g.message, g.note, g.created_at, g.updated_at`
const entryColumns = "t.id, t.type, t.amount, t.balance, t.order_id, t.reason, t.created_at"

export class GiftCardRepository extends Context.Service<GiftCardRepository>()(
  "@effect-commerce/core/giftcard/GiftCardRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const select = sql.literal(`SELECT ${columns} FROM gift_card g`)
      const reader = makePageReader<GiftCardState>(sql, { name: "gift_card", alias: "g", columns })
      const entries = makePageReader<GiftCardTransaction>(sql, {
        name: "gift_card_transaction",
        alias: "t",
        columns: entryColumns
      })

      /** As `giftCardStatusAt`. */
      const hasStatus = (statuses: ReadonlyArray<string>, now: Date) => {
        const conditions: Record<GiftCardStatus, ReturnType<typeof sql.literal>> = {
          DISABLED: sql`g.disabled_at IS NOT NULL`,
          EXPIRED: sql`g.disabled_at IS NULL AND g.expires_at <= ${now}`,
          REDEEMED: sql`g.disabled_at IS NULL AND (g.expires_at > ${now}) IS NOT FALSE AND g.balance = 0`,
          ACTIVE: sql`g.disabled_at IS NULL AND (g.expires_at > ${now}) IS NOT FALSE AND g.balance > 0`
        }
        return sql.or(Object.entries(conditions).flatMap(([name, holds]) => (statuses.includes(name) ? [holds] : [])))
      }

      /**
       * Changes the balance and makes the entry of it, by one statement. False where the balance would be below zero:
       * then nothing is written.
       */
      const move = (storeId: string, id: string, { now, ...entry }: GiftCardMove) =>
        anyRow(
          sql`WITH moved AS (
              UPDATE gift_card SET balance = balance + ${entry.amount}::bigint, entries = entries + 1,
                updated_at = ${versionAfter(sql, now)}
              WHERE store_id = ${storeId} AND id = ${id} AND balance + ${entry.amount}::bigint >= 0
              RETURNING balance, entries)
            INSERT INTO gift_card_transaction (store_id, id, gift_card_id, position, type, amount, balance, order_id,
              reason, created_at)
            SELECT ${storeId}, ${entry.id}, ${id}, m.entries, ${entry.type}, ${entry.amount}::bigint, m.balance,
              ${entry.orderId}, ${entry.reason}, ${now}
            FROM moved m RETURNING id`
        )

      return {
        move,
        /** The card with the entry of its first balance. */
        insert: (storeId: string, card: NewGiftCard, entryId: string) =>
          none(
            uniqueViolation(
              "gift_card_store_id_code_hash_key",
              () => new GiftCardCodeTaken()
            )(
              sql`WITH issued AS (
                  INSERT INTO gift_card (store_id, id, code_hash, code_last4, currency, initial_balance, balance,
                    entries, expires_at, customer_id, recipient_email, sender_name, message, note, created_at,
                    updated_at)
                  VALUES (${storeId}, ${card.id}, ${card.codeHash}, ${card.codeLast4}, ${card.currency},
                    ${card.initialBalance}, ${card.balance}, 1, ${card.expiresAt}, ${card.customerId},
                    ${card.recipientEmail}, ${card.senderName}, ${card.message}, ${card.note}, ${card.createdAt},
                    ${card.createdAt})
                  RETURNING store_id, id, balance, created_at)
                INSERT INTO gift_card_transaction (store_id, id, gift_card_id, position, type, amount, balance,
                  created_at)
                SELECT store_id, ${entryId}, id, 1, 'ISSUE', balance, balance, created_at FROM issued`
            )
          ),
        find: (storeId: string, id: string) =>
          one(sql<GiftCardState>`${select} WHERE g.store_id = ${storeId} AND g.id = ${id}`),
        /** Locked until the transaction ends. */
        lock: (storeId: string, id: string) =>
          one(sql<GiftCardState>`${select} WHERE g.store_id = ${storeId} AND g.id = ${id} FOR NO KEY UPDATE`),
        findByCode: (storeId: string, codeHash: string) =>
          one(sql<GiftCardState>`${select} WHERE g.store_id = ${storeId} AND g.code_hash = ${codeHash}`),
        update: (storeId: string, id: string, fields: GiftCardFields, now: Date) =>
          none(
            sql`UPDATE gift_card SET expires_at = ${fields.expiresAt}, customer_id = ${fields.customerId},
                recipient_email = ${fields.recipientEmail}, sender_name = ${fields.senderName},
                message = ${fields.message}, note = ${fields.note}, updated_at = ${versionAfter(sql, now)}
              WHERE store_id = ${storeId} AND id = ${id}`
          ),
        /** Keeps the time at which a card was disabled first. Returns whether the card exists. */
        setDisabled: (storeId: string, id: string, isDisabled: boolean, now: Date) =>
          anyRow(
            sql`UPDATE gift_card SET updated_at = ${versionAfter(sql, now)},
                disabled_at = ${isDisabled ? sql`coalesce(disabled_at, ${now})` : sql`NULL`}
              WHERE store_id = ${storeId} AND id = ${id} RETURNING id`
          ),
        /** Newest first. */
        list: (storeId: string, page: Page, { search, statuses }: GiftCardFilter, now: Date) =>
          reader.page(storeId, {
            conditions: [
              ...(statuses === undefined ? [] : [hasStatus(statuses, now)]),
              ...(search === undefined
                ? []
                : [sql`g.code_last4 LIKE ${containing(normaliseGiftCardCode(search) || search)}`])
            ],
            order: sql.literal("g.created_at DESC, g.id DESC"),
            page,
            search
          }),
        /** Newest first. */
        transactions: (storeId: string, id: string, page: Page) =>
          entries.page(storeId, {
            conditions: [sql`t.gift_card_id = ${id}`],
            order: sql.literal("t.position DESC, t.id DESC"),
            page
          }),
        // gift_card_store_id_customer_id_idx, gift_card_store_id_recipient_email_idx
        /**
         * Cards of a customer who is deleted, and those that were made out to their address, keep their balance, and
         * nothing that says whose they were.
         */
        forget: (storeId: string, { id, email }: { readonly id: string; readonly email: string }, now: Date) =>
          none(
            sql`UPDATE gift_card SET customer_id = NULL, recipient_email = NULL, sender_name = NULL, message = NULL,
                updated_at = ${versionAfter(sql, now)}
              WHERE store_id = ${storeId}
                AND (customer_id = ${id} OR (customer_id IS NULL AND lower(recipient_email) = ${email}))`
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(GiftCardRepository, GiftCardRepository.make)
}
