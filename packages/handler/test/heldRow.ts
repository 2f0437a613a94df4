/** A row that another session has locked, and how many sessions wait for it: a race without chance. */
import pg from "pg"
import { expect } from "vitest"
import type { TestCommerce } from "../src/testing/TestCommerce.ts"

/** Locks the row of the table with the id in the column, as an UPDATE of it would, until `free`. */
export const heldRow = async (
  { database }: Pick<TestCommerce, "database">,
  table: string,
  id: string,
  column = "id"
) => {
  const client = new pg.Client(database.nodePostgres)
  // A test that fails meanwhile leaves the session to the end of its database.
  client.on("error", () => undefined)
  await client.connect()
  await client.query("BEGIN")
  await client.query(`SELECT 1 FROM ${table} WHERE ${column} = $1 FOR NO KEY UPDATE`, [id])
  const waiting = async () => {
    const waits = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    return (await client.query(waits)).rows.length
  }
  return {
    /** Resolves once so many sessions wait. */
    awaited: (count: number) => expect.poll(waiting, { timeout: 10_000 }).toBe(count),
    free: async () => {
      await client.query("COMMIT")
      await client.end()
    }
  }
}
