/**
 * A kind of tender that only tests have: credit of a shop, kept in tables of its own. Which credit pays for a checkout
 * is decided by the e-mail of its buyer, and not by what is left of it.
 */
import { type ClaimKind, FurtherClaimKinds } from "@effect-commerce/core/claim/ClaimKind"
import { TenderShort } from "@effect-commerce/core/claim/ClaimErrors"
import { Database } from "@effect-commerce/core/database/Database"
import { type AdjustmentSource, FurtherAdjustmentSources } from "@effect-commerce/core/pricing/AdjustmentSource"
import { Effect } from "effect"
import pg from "pg"
import type { TestCommerce } from "../../src/testing/TestCommerce.ts"
import { defaultInFile } from "../../../core/test/defaultInFile.ts"

/** What pays for the checkouts of a buyer: amounts in minor units by the id of the credit. */
export const tendersOf = new Map<string, Readonly<Record<string, bigint>>>()
/** Buyers whose tender has a kind that is not registered. */
export const strangers = new Set<string>()

const sourceOf = (kind: string, tendersFor: (email: string) => Readonly<Record<string, bigint>> | undefined) => {
  const source: AdjustmentSource = {
    load: (_store, { buyer }) =>
      Effect.sync(() => {
        const tenders = tendersFor(buyer.email ?? "")
        if (tenders === undefined) return undefined
        return {
          tenders: Object.entries(tenders).map(([sourceId, amount]) => ({
            kind,
            sourceId,
            tenderId: sourceId,
            reason: "Store credit",
            pay: () => amount
          }))
        }
      })
  }
  return Effect.succeed(source)
}

const creditKind = Effect.map(Database, ({ sql }): ClaimKind => {
  const written = (statement: Effect.Effect<unknown, unknown>) => Effect.asVoid(Effect.orDie(statement))
  /** Locks the credit, and fails where its balance, less what others hold, is too small. */
  const check = Effect.fnUntraced(function* (
    storeId: string,
    { sourceId, holderId, amount, now }: Parameters<ClaimKind["hold"]>[1] | Parameters<ClaimKind["spend"]>[1]
  ) {
    const [credit] = yield* Effect.orDie(
      sql<{ balance: bigint }>`SELECT balance FROM test_credit
        WHERE store_id = ${storeId} AND id = ${sourceId} FOR UPDATE`
    )
    const [others] = yield* Effect.orDie(
      sql<{ held: bigint }>`SELECT coalesce(sum(amount), 0)::bigint AS held FROM test_credit_hold
        WHERE store_id = ${storeId} AND credit_id = ${sourceId} AND holder_id <> ${holderId} AND held_until > ${now}`
    )
    if ((credit?.balance ?? 0n) - (others?.held ?? 0n) < amount)
      return yield* new TenderShort({ kind: "credit", sourceId })
  })
  const end = (storeId: string, holderId: string, sourceId: string | null) =>
    written(sql`DELETE FROM test_credit_hold WHERE store_id = ${storeId} AND holder_id = ${holderId}
      AND credit_id = coalesce(${sourceId}, credit_id)`)
  return {
    kind: "credit",
    hold: (store, hold) =>
      Effect.andThen(
        check(store.id, hold),
        written(sql`INSERT INTO test_credit_hold (store_id, holder_id, credit_id, amount, held_until)
          VALUES (${store.id}, ${hold.holderId}, ${hold.sourceId}, ${hold.amount}, ${hold.until})
          ON CONFLICT (store_id, holder_id, credit_id)
          DO UPDATE SET amount = EXCLUDED.amount, held_until = EXCLUDED.held_until`)
      ),
    spend: Effect.fnUntraced(function* (store, spending) {
      const { holderId, sourceId, amount, orderId } = spending
      yield* check(store.id, spending)
      yield* written(sql`UPDATE test_credit SET balance = balance - ${amount}
        WHERE store_id = ${store.id} AND id = ${sourceId}`)
      yield* written(sql`INSERT INTO test_credit_spent (store_id, order_id, credit_id, amount)
        VALUES (${store.id}, ${orderId}, ${sourceId}, ${amount})`)
      yield* end(store.id, holderId, sourceId)
    }),
    release: (store, holderId) => end(store.id, holderId, null),
    giveBack: (store, { sourceId, amount }) =>
      Effect.as(
        written(sql`UPDATE test_credit SET balance = balance + ${amount}
          WHERE store_id = ${store.id} AND id = ${sourceId}`),
        null
      )
  }
})

/** For the instances that a file of tests opens. */
export const addStoreCredit = (): void => {
  const sources = [
    sourceOf("credit", (email) => tendersOf.get(email)),
    sourceOf("unknown", (email) => (strangers.has(email) ? { any: 100n } : undefined))
  ]
  defaultInFile(FurtherAdjustmentSources, sources)
  defaultInFile(FurtherClaimKinds, [creditKind])
}

/** The tables of the kind, made as a migration would. */
const tables = `
  CREATE TABLE test_credit (store_id text COLLATE "C", id text COLLATE "C", balance bigint NOT NULL CHECK (balance >= 0),
    PRIMARY KEY (store_id, id));
  CREATE TABLE test_credit_hold (store_id text COLLATE "C", holder_id text COLLATE "C", credit_id text COLLATE "C",
    amount bigint NOT NULL, held_until timestamptz NOT NULL, PRIMARY KEY (store_id, holder_id, credit_id));
  CREATE TABLE test_credit_spent (store_id text COLLATE "C", order_id text COLLATE "C", credit_id text COLLATE "C",
    amount bigint NOT NULL, PRIMARY KEY (store_id, order_id, credit_id));
  SELECT tenant_table('test_credit'), tenant_table('test_credit_hold'), tenant_table('test_credit_spent');
  GRANT SELECT, INSERT, UPDATE, DELETE ON test_credit, test_credit_hold, test_credit_spent TO commerce_app`

/** The books of the credit in a shop. */
export const openCredit = async (shop: TestCommerce) => {
  const client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
  await client.query(tables)
  await client.query("SELECT set_config('app.store_id', $1, false)", [shop.storeId])
  const rows = async (sql: string, values: ReadonlyArray<unknown>) => (await client.query(sql, [...values])).rows
  let made = 0
  return {
    rows,
    /** A new credit with this balance, in minor units. */
    issue: async (balance: bigint): Promise<string> => {
      const id = `credit_${made++}`
      await rows("INSERT INTO test_credit (store_id, id, balance) VALUES ($1, $2, $3)", [shop.storeId, id, balance])
      return id
    },
    /** What is left of it, what is held (also where the hold has lapsed), and what each order has spent of it. */
    booksOf: async (id: string) => {
      const [books] = await rows(
        `SELECT balance::int,
            (SELECT coalesce(sum(amount), 0)::int FROM test_credit_hold WHERE credit_id = c.id) AS held,
            (SELECT coalesce(array_agg(amount::int), '{}') FROM test_credit_spent WHERE credit_id = c.id) AS spent
          FROM test_credit c WHERE id = $1`,
        [id]
      )
      return books
    },
    close: () => client.end()
  }
}
