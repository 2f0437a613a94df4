import { readdirSync, readFileSync } from "node:fs"
import { inboundMillis } from "@effect-commerce/core/app/AppInbound"
import { replayWindow } from "@effect-commerce/core/guard/RequestKey"
import { keptMillis as mailsMillis } from "@effect-commerce/core/email/MailRetention"
import { keptMillis as alertsMillis } from "@effect-commerce/core/inventory/StockAlert"
import { signupTokenLifetime } from "@effect-commerce/core/newsletter/NewsletterSignup"
import * as TestDatabase from "@effect-commerce/core/testing/TestDatabase"
import { contractPolicy } from "@effect-commerce/core/webhook/WebhookPolicy"
import pg from "pg"
import { expect, it } from "vitest"

interface Row {
  readonly tables: ReadonlyArray<string>
  readonly kept: string
  readonly by: string
}

/** The names in a cell, each between backticks. */
const namesIn = (cell: string): ReadonlyArray<string> => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name)

const guide = readFileSync(new URL("../../../../docs/guides/looking-after.md", import.meta.url), "utf8")
const begin = guide.indexOf("## What is kept, and how long")
const rows: ReadonlyArray<Row> = guide
  .slice(begin, guide.indexOf("\n## ", begin + 1))
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .slice(2)
  .map((line) => {
    const [, , tables = "", kept = "", by = ""] = line.split("|").map((cell) => cell.trim())
    return { tables: namesIn(tables), kept, by }
  })

/** The names of the workers that the rooms declare. */
const workers: ReadonlySet<string> = new Set(
  readdirSync(new URL("../../src/", import.meta.url), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith("Room.ts"))
    .map((path) => readFileSync(new URL(`../../src/${path}`, import.meta.url), "utf8"))
    .flatMap((text) => [...text.matchAll(/every\(\s*"\d+ \w+",\s*"([^"]+)"/g)].map(([, name = ""]) => name))
)

const spelled = (millis: number): string => {
  const hours = millis / 3_600_000
  return hours > 24 ? `${hours / 24} days` : `${hours} hours`
}

it("every table of the schema has its line in the guide: kept for good, or removed after a time", async () => {
  const database = await TestDatabase.open()
  const client = new pg.Client(database.nodePostgres)
  await client.connect()
  const { rows: tables } = await client.query(
    "SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace"
  )
  await client.end()
  await database.close()
  expect(rows.flatMap((row) => row.tables).toSorted()).toEqual(tables.map(({ name }) => name).toSorted())
})

it("what is removed by a worker is removed by one that a room declares", () => {
  const named = rows.flatMap(({ by }) => namesIn(by))
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((name) => !workers.has(name))).toEqual([])
})

it.each([
  ["event", contractPolicy.retention],
  ["webhook_delivery", contractPolicy.retention],
  ["email_message", mailsMillis],
  ["idempotency", replayWindow],
  ["app_inbound", inboundMillis],
  ["stock_alert", alertsMillis],
  ["newsletter_signup", signupTokenLifetime]
])("the guide says of %s how long the code keeps it", (table, millis) => {
  expect(rows.find(({ tables }) => tables.includes(table))?.kept).toBe(spelled(millis))
})
