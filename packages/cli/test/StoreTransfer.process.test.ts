/** `commerce store export` and `import`, as the processes that they are: to files and pipes, bounded, and killed. */
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { coreLayer } from "@effect-commerce/core/CommerceCore"
import { Database } from "@effect-commerce/core/database/Database"
import { OrderEntry } from "@effect-commerce/core/orderentry/OrderEntry"
import { Stores } from "@effect-commerce/core/store/Stores"
import { seedProduct } from "@effect-commerce/core/testing/Factories"
import * as TestDatabase from "@effect-commerce/core/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import pg, { type Client } from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { reachable, urlOf } from "./databaseUrls.ts"
import { commerce } from "./runCli.ts"

type Opened = Awaited<ReturnType<typeof TestDatabase.open>>

let source: Opened
let target: Opened
let client: Client
let there: Client
let proxy: Awaited<ReturnType<typeof reachable>>
let from: Record<string, string>
let to: Record<string, string>
let store: string
let small: string
const files = mkdtempSync(join(tmpdir(), "commerce-transfer-"))
const file = (name: string) => join(files, name)
const main = resolve(import.meta.dirname, "../dist/main.js")

beforeAll(async () => {
  source = await TestDatabase.open()
  target = await TestDatabase.open()
  client = new pg.Client(source.nodePostgres)
  there = new pg.Client(target.nodePostgres)
  await client.connect()
  await there.connect()
  const { connection } = source
  const fill = Effect.gen(function* () {
    const [shop, other] = [yield* makeStore("Shop"), yield* makeStore("Small")]
    yield* seedProduct(shop, { name: "Lamp", stock: 5 })
    yield* seedProduct(other, { name: "Lamp", stock: 5 })
    return [shop, other]
  })
  const made = await Effect.runPromise(
    Effect.provide(fill, coreLayer({ connection, secret: TestDatabase.testSecret, maxConnections: 2 }))
  )
  ;[store = "", small = ""] = made
  proxy = await reachable(connection.path ?? "")
  const secret = { COMMERCE_SECRET: Redacted.value(TestDatabase.testSecret) }
  from = { ...secret, DATABASE_URL: urlOf(source, proxy.port) }
  to = { ...secret, DATABASE_URL: urlOf(target, proxy.port) }
})
afterAll(async () => {
  await client.end()
  await there.end()
  proxy.close()
  await source.close()
  await target.close()
  rmSync(files, { recursive: true, force: true })
})

const makeStore = (name: string) =>
  Stores.use((stores) => stores.create({ name, currency: "EUR", country: "DE" })).pipe(Effect.map(({ id }) => id))

const countThere = async (table: string): Promise<number> =>
  Number((await there.query(`SELECT count(*) AS n FROM ${table}`)).rows[0]?.["n"])

describe("commerce store export and import", () => {
  it("writes a whole file that nobody else may read, and makes the store of it elsewhere", async () => {
    const out = file("small.ndjson")
    const exported = await commerce(["store", "export", small, "--out", out, "--json"], { env: from })
    expect([exported.code, exported.err]).toEqual([0, ""])
    const answer = JSON.parse(exported.out)
    expect(answer).toMatchObject({ id: small, name: "Small", files: 0, rows: { store: 1, product: 1, stock: 1 } })
    expect(statSync(out).mode & 0o777).toBe(0o600)
    expect(existsSync(`${out}.part`)).toBe(false)

    const imported = await commerce(["store", "import", out], { env: to })
    expect([imported.code, imported.err]).toEqual([0, ""])
    expect(imported.out).toMatch(new RegExp(`^id +${small}\naccountId +acct_\\w+\nname +Small\n`))
    expect((await there.query("SELECT id, name FROM store")).rows).toEqual([{ id: small, name: "Small" }])
    expect((await there.query("SELECT name FROM account")).rows).toEqual([{ name: "Small" }])
    const audit = await commerce(["audit"], { env: to })
    expect(audit.out).toMatch(/^The books agree: \d+ laws hold in 1 store\.\n$/)

    const again = await commerce(["store", "import", out], { env: to })
    expect([again.code, again.out]).toEqual([1, ""])
    expect(again.err).toBe(
      `commerce: the store ${small} exists in this database already: an import makes a store, and changes none\n`
    )
  }, 600_000)

  it("prints the stream where no file is named, and nothing of it beside the stream", async () => {
    const piped = await commerce(["store", "export", small, "--anonymise"], { env: from })
    expect(piped.code).toBe(0)
    expect(piped.err).toMatch(/^exported \d+ rows of \d+ tables\n$/)
    const lines = piped.out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(lines[0]).toMatchObject({ format: "effect-commerce store", storeId: small, anonymised: true })
    expect(lines.at(-1).end.rows).toMatchObject({ store: 1, product: 1 })
  })

  it("says in one line what is wrong, and leaves no half of a file", async () => {
    const refused = async (args: ReadonlyArray<string>, env = from) => {
      const { code, out, err } = await commerce(["store", ...args], { env })
      expect([out, err.trimEnd().split("\n").length]).toEqual(["", 1])
      return [code, err]
    }
    const out = file("none.ndjson")
    expect(await refused(["export", "store_unknown", "--out", out])).toEqual([
      1,
      "commerce: no such store: store_unknown\n"
    ])
    expect([existsSync(out), existsSync(`${out}.part`)]).toEqual([false, false])
    expect(await refused(["export", small, "--out", join(files, "no", "such.ndjson")])).toEqual([
      1,
      expect.stringMatching(/such\.ndjson cannot be written: ENOENT/)
    ])
    expect(await refused(["export", small, "--json"])).toEqual([
      2,
      expect.stringContaining("--json needs --out: without it the export is what is printed")
    ])
    expect(await refused(["import", file("missing.ndjson")], to)).toEqual([
      1,
      expect.stringMatching(/missing\.ndjson cannot be read: ENOENT/)
    ])
    expect(await refused(["import", files], to)).toEqual([1, expect.stringContaining("is no file: it is read twice")])
    writeFileSync(file("cut.ndjson"), readFileSync(file("small.ndjson")).subarray(0, 3_000))
    expect(await refused(["import", file("cut.ndjson")], { ...to, DATABASE_URL: from["DATABASE_URL"] ?? "" })).toEqual([
      1,
      expect.stringContaining(small)
    ])
    expect(await refused(["import", file("small.ndjson"), "--account", "acct_unknown"], to)).toEqual([
      1,
      "commerce: no such account: acct_unknown\n"
    ])
  }, 600_000)

  it("shows how far it is at a terminal, on standard error alone", async () => {
    const out = file("shown.ndjson")
    const line = `'${process.execPath}' '${main}' store export ${small} --out '${out}' >/dev/null`
    const child = spawn("script", ["-qec", line, "/dev/null"], { env: { ...process.env, ...from }, stdio: "pipe" })
    let seen = ""
    child.stdout.on("data", (chunk) => (seen += chunk))
    expect(await new Promise((done) => child.on("close", done))).toBe(0)
    expect(seen).toMatch(new RegExp(`\r${"█".repeat(30)} (\\d+)/\\1 rows\r?\nexported \\1 rows of \\d+ tables\r?\n$`))
  })

  it("teaches both in its help", async () => {
    const [exporting, importing] = await Promise.all([
      commerce(["store", "export", "--help"]),
      commerce(["store", "import", "--help"])
    ])
    for (const words of ["--out", "--anonymise", "--media", "COMMERCE_SECRET"]) expect(exporting.out).toContain(words)
    for (const words of ["--account", "all of it, or nothing", "keys"]) expect(importing.out).toContain(words)
  })
})

/** The file would not fit into it. */
const smallHeap = ["--max-old-space-size=96", "--max-semi-space-size=8"]

/** Runs the command with a small heap, and watches how much memory the process has taken at most, in MiB. */
const watched = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>>) =>
  new Promise<{ readonly code: number | null; readonly err: string; readonly peak: number }>((done) => {
    const child = spawn(process.execPath, [...smallHeap, main, ...args], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "ignore", "pipe"]
    })
    let [err, peak] = ["", 0]
    child.stderr.on("data", (chunk) => (err += chunk))
    const look = setInterval(() => {
      try {
        const [, kib] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8")) ?? []
        peak = Math.max(peak, Number(kib ?? 0) / 1_024)
      } catch {
        // It has ended.
      }
    }, 20)
    child.on("close", (code) => {
      clearInterval(look)
      done({ code, err, peak })
    })
  })

describe("a store with 50,000 orders", () => {
  const big = file("big.ndjson")
  const orders = 50_000

  beforeAll(async () => {
    const { rows } = await client.query("SELECT id FROM product WHERE store_id = $1", [store])
    expect(rows.length).toBe(1)
    await placeOne(source, store)
    const columns = (
      await client.query("SELECT attname AS name FROM pg_attribute WHERE attrelid = 'orders'::regclass AND attnum > 0")
    ).rows.map((row) => String(row["name"]))
    const copied: Readonly<Record<string, string>> = {
      id: "'ord_' || lpad(n::text, 26, '0')",
      order_number: "100000 + n",
      notes: "repeat(md5(n::text), 25)"
    }
    await client.query(
      `INSERT INTO orders (${columns.join(", ")})
        SELECT ${columns.map((name) => copied[name] ?? name).join(", ")}
        FROM orders, generate_series(1, $2) n WHERE store_id = $1`,
      [store, orders]
    )
  }, 600_000)

  it("is exported and imported in memory that does not grow with it", async () => {
    const little = await watched(["store", "export", small, "--out", file("little.ndjson")], from)
    const exported = await watched(["store", "export", store, "--out", big], from)
    expect([exported.code, exported.err]).toEqual([0, expect.stringMatching(/^exported \d+ rows/)])
    const size = statSync(big).size / 1_048_576
    expect(size).toBeGreaterThan(120)
    expect(exported.peak - little.peak).toBeLessThan(100)
    const imported = await watched(["store", "import", big], to)
    expect([imported.code, imported.err]).toEqual([0, ""])
    expect(imported.peak - little.peak).toBeLessThan(100)
    expect(await countThere("orders")).toBe(orders + 1)
  }, 600_000)

  it("leaves nothing where an import of it is killed in the middle, and can be imported again", async () => {
    const empty = await TestDatabase.open()
    const watcher = new pg.Client(empty.nodePostgres)
    await watcher.connect()
    const env = { ...to, DATABASE_URL: urlOf(empty, proxy.port) }
    const child = spawn(process.execPath, [main, "store", "import", big], {
      env: { ...process.env, ...env },
      stdio: "ignore"
    })
    const ended = new Promise((done) => child.on("close", done))
    const sessions = async () =>
      (
        await watcher.query(`SELECT query FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'commerce' AND backend_xid IS NOT NULL`)
      ).rows.map((row) => String(row["query"]))
    while (!(await sessions()).some((query) => query.includes('INTO "orders"'))) expect(child.exitCode).toBe(null)
    child.kill("SIGKILL")
    await ended
    while ((await sessions()).length > 0) expect(child.signalCode).toBe("SIGKILL")
    const { rows } = await watcher.query("SELECT (SELECT count(*) FROM store) + (SELECT count(*) FROM orders) AS n")
    expect(Number(rows[0]?.["n"])).toBe(0)
    const again = await commerce(["store", "import", big, "--json"], { env })
    expect([again.code, again.err]).toEqual([0, ""])
    expect(JSON.parse(again.out).rows["orders"]).toBe(orders + 1)
    await watcher.end()
    await empty.close()
  }, 600_000)
})

const placeOne = ({ connection }: Opened, storeId: string) =>
  Effect.runPromise(
    Effect.provide(
      Effect.gen(function* () {
        const shop = yield* (yield* Stores).context(storeId)
        const { sql } = yield* Database
        const [product] = yield* sql<{ readonly id: string }>`SELECT id FROM product WHERE store_id = ${storeId}`
        return yield* (yield* OrderEntry).create(shop, {
          items: [{ productId: product?.id ?? "", quantity: 1 }]
        } as never)
      }),
      coreLayer({ connection, secret: TestDatabase.testSecret, maxConnections: 2 })
    ) as Effect.Effect<unknown>
  )
