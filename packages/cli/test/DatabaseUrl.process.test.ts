import * as TestDatabase from "@effect-commerce/core/testing/TestDatabase"
import { Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { reachable, urlOf } from "./databaseUrls.ts"
import { commerce, folder, serving } from "./runCli.ts"

let database: Awaited<ReturnType<typeof TestDatabase.open>>
let proxy: Awaited<ReturnType<typeof reachable>>
let env: Record<string, string>
let password: string
const data = folder()

beforeAll(async () => {
  database = await TestDatabase.open({ template: false })
  proxy = await reachable(database.connection.path ?? "")
  password = database.connection.password === undefined ? "" : Redacted.value(database.connection.password)
  const secret = "0123456789abcdef0123456789abcdef"
  env = {
    DATABASE_URL: urlOf(database, proxy.port),
    COMMERCE_SECRET: secret
  }
})
afterAll(async () => {
  proxy.close()
  await database.close()
  data.remove()
})

describe("commerce on a PostgreSQL of your own", () => {
  it("lists what is pending without changing anything, then applies it", async () => {
    const states = async (action: string) =>
      JSON.parse((await commerce(["migrate", action, "--json"], { env })).out) as ReadonlyArray<{
        readonly appliedAt: string | null
      }>
    const before = await states("status")
    expect(before.length).toBeGreaterThanOrEqual(5)
    expect(before.filter((state) => state.appliedAt !== null)).toEqual([])
    expect(await states("status")).toEqual(before)
    const after = await states("up")
    expect(after.length).toBe(before.length)
    expect(after.filter((state) => state.appliedAt === null)).toEqual([])
  })

  it("does not set up a store unasked, and serves what init makes while it runs", async () => {
    const server = await serving([], env)
    expect(server.out()).toContain("There is no store yet")
    const made = await commerce(["init", "--json", "--email", "ada@example.com", "--password", "correct horse"], {
      env
    })
    expect([made.code, made.err]).toEqual([0, ""])
    const { apiKey, ownerEmail } = JSON.parse(made.out)
    expect(ownerEmail).toBe("ada@example.com")
    const answer = await fetch(`${server.url}/v1/store`, { headers: { authorization: `Bearer ${apiKey}` } })
    expect(answer.status).toBe(200)
    const document = await (await fetch(`${server.url}/openapi.json`)).json()
    expect(document).toEqual(JSON.parse((await commerce(["openapi"])).out))
    expect(await server.end("SIGTERM")).toBe(0)
    expect(server.out()).not.toContain(password)
  })

  it("makes and fills the demo store where --demo asks for it, and shows its key once", async () => {
    const another = await TestDatabase.open()
    const of = {
      ...env,
      DATABASE_URL: (env["DATABASE_URL"] ?? "").replace(/[^/]+$/, another.connection.database ?? "")
    }
    const server = await serving(["--demo"], of)
    expect(server.out()).toMatch(/^admin key +svc_\S+$/m)
    const [, channel] = /^sales channel +(vc_\S+)/m.exec(server.out()) ?? []
    const found = (await (await fetch(`${server.url}/vc/${channel}/products?limit=1`)).json()) as {
      readonly meta: { readonly total: number }
    }
    expect(found.meta.total).toBeGreaterThanOrEqual(200)
    expect(await server.end("SIGTERM")).toBe(0)
    const again = await serving(["--demo"], of)
    expect(again.out()).not.toMatch(/svc_|--demo fills/)
    expect(await again.end("SIGTERM")).toBe(0)
    await another.close()
  })

  it("says in one line that it cannot be reached or refuses, and never the password", async () => {
    const wrong = async (url: string) => {
      const { code, out, err } = await commerce(["store", "list", "--database-url", url], { env })
      expect([code, out, err.split("\n").length, err.includes("hunter2")]).toEqual([1, "", 2, false])
      return err
    }
    expect(await wrong("postgres://postgres:hunter2@127.0.0.1:1/commerce")).toBe(
      "commerce: the database (DATABASE_URL, --database-url) cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n"
    )
    expect(await wrong(`postgres://postgres:hunter2@127.0.0.1:${proxy.port}/commerce`)).toBe(
      'commerce: the database (DATABASE_URL, --database-url) refuses: password authentication failed for user "postgres" (28P01)\n'
    )
    expect(await wrong(env["DATABASE_URL"]?.replace(/[^/]+$/, "nowhere") ?? "")).toBe(
      'commerce: the database (DATABASE_URL, --database-url) refuses: database "nowhere" does not exist (3D000)\n'
    )
  })
})
