import { existsSync } from "node:fs"
import { coreLayer } from "@effect-commerce/core/CommerceCore"
import { nodePostgresConfig } from "@effect-commerce/core/database/ConnectionOptions"
import * as EmbeddedPostgres from "@effect-commerce/core/embedded/EmbeddedPostgres"
import { up } from "@effect-commerce/core/migration/Migrations"
import { seedProduct } from "@effect-commerce/core/testing/Factories"
import { testSecret } from "@effect-commerce/core/testing/TestDatabase"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect, Exit, Scope } from "effect"
import pg, { type Client } from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { commerce, folder } from "./runCli.ts"

const made = folder()
const on = ["--data-dir", made.path]
let scope: Scope.Closeable
let client: Client
let store: string
let product: string

/** An installation that runs, as beside `commerce serve`. */
beforeAll(async () => {
  scope = await Effect.runPromise(Scope.make())
  const { connection } = await Effect.runPromise(
    Scope.provide(EmbeddedPostgres.start({ dataDir: made.path, durable: false, exclusive: true }), scope)
  )
  await Effect.runPromise(up(connection))
  const fill = Effect.gen(function* () {
    const { id } = yield* Stores.use((stores) => stores.create({ name: "Shop", currency: "EUR", country: "DE" }))
    yield* Stores.use((stores) => stores.create({ name: "Another", currency: "EUR", country: "DE" }))
    return { id, product: yield* seedProduct(id, { stock: 5 }) }
  })
  const filled = await Effect.runPromise(
    Effect.provide(fill, coreLayer({ connection, secret: testSecret, maxConnections: 2 }))
  )
  store = filled.id
  product = filled.product
  client = new pg.Client(nodePostgresConfig(connection))
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await Effect.runPromise(Scope.close(scope, Exit.void))
  made.remove()
})

describe("commerce audit and commerce doctor", () => {
  it("say that all is well, and exit 0", async () => {
    const [books, lines] = await Promise.all([commerce(["audit", ...on]), commerce(["doctor", ...on])])
    expect([books.code, books.err]).toEqual([0, ""])
    expect(books.out).toMatch(/^The books agree: \d+ laws hold in 2 stores\.\n$/)
    expect([lines.code, lines.err]).toEqual([0, ""])
    expect(lines.out).toMatch(/^ok {2}configuration .*the embedded PostgreSQL in /)
    expect(lines.out).toMatch(/\nok {2}configuration\.seals +what is kept sealed opens with this root secret\n/)
    expect(lines.out).toContain("Nothing to mend.\n")
  })

  it("name stores whose mails lead nowhere, where mails leave, until they have a domain or there is a public URL", async () => {
    const smtp = { COMMERCE_SMTP_URL: "smtp://post%40mugs.example:x@127.0.0.1:9" }
    const linksOf = async (env: Readonly<Record<string, string>>) =>
      /^.*configuration\.links.*$/m.exec((await commerce(["doctor", ...on], { env })).out)?.[0]
    const [kept, bare, told] = await Promise.all([
      linksOf({}),
      linksOf(smtp),
      linksOf({ ...smtp, COMMERCE_PUBLIC_URL: "https://api.mugs.example" })
    ])
    expect([kept, told]).toEqual([undefined, undefined])
    expect(bare).toMatch(/^!! .*lead nowhere for 2 stores: no sales channel has a domain, and there is no public URL$/)
    await client.query(
      "INSERT INTO sales_channel (id, store_id, name, domain, created_at, updated_at) SELECT 'vc_' || id, id, 'x', 'x.example', now(), now() FROM store"
    )
    expect(await linksOf(smtp)).toMatch(/^ok .*mails lead to the domains of sales channels$/)
    await client.query("DELETE FROM sales_channel")
  })

  it("name the row that is wrong and what is to be mended, and exit 1", async () => {
    await client.query("UPDATE stock SET total = 6 WHERE key = $1", [product])
    await client.query("ALTER TABLE stock NO FORCE ROW LEVEL SECURITY")
    const [books, readable, health] = await Promise.all([
      commerce(["audit", ...on, "--json"]),
      commerce(["audit", ...on, "--store", store]),
      commerce(["doctor", ...on, "--json"])
    ])
    const says = "what is in stock is the sum of its movements"
    expect([books.code, JSON.parse(books.out)]).toEqual([
      1,
      [{ law: "stock.total", says, table: "stock", storeId: store, id: product, expected: "5", found: "6" }]
    ])
    expect([readable.code, readable.out]).toEqual([
      1,
      `${store}  stock.total: ${says}\n  stock ${product}: is 6, should be 5\n1 breach of ${readable.out.match(/of (\d+) laws/)?.[1]} laws in 1 store.\n`
    ])
    expect([health.code, JSON.parse(health.out)]).toEqual([
      1,
      [
        {
          check: "tenancy.policies",
          says: "tenants are not kept apart in stock",
          remedy: "put key, policies and FORCE ROW LEVEL SECURITY back, as the migrations made them"
        }
      ]
    ])
  })

  it("neither make an installation nor migrate one", async () => {
    const none = `${made.path}-none`
    await client.query("DELETE FROM commerce_migration WHERE id = (SELECT max(id) FROM commerce_migration)")
    const [nowhere, pending, health] = await Promise.all([
      commerce(["audit", "--data-dir", none]),
      commerce(["audit", ...on, "--json"]),
      commerce(["doctor", ...on])
    ])
    expect([nowhere.code, nowhere.out, nowhere.err]).toEqual([
      1,
      "",
      expect.stringMatching(/^commerce: there is no installation in .*-none: .*--data-dir names another\n$/)
    ])
    expect(existsSync(none)).toBe(false)
    expect(pending).toEqual({
      code: 1,
      out: "",
      err: "commerce: the database is not at this version's schema: run `commerce migrate`\n"
    })
    expect([health.code, health.out]).toEqual([
      1,
      expect.stringMatching(/!! {2}database\.schema .* pending, from .*\n +run `commerce migrate`\n/)
    ])
    expect(health.out.endsWith("2 things to mend.\n")).toBe(true)
  })
})
