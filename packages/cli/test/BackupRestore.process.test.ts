/** What the guide says of backups: a dump that is made while the service sells is whole, and what is restored sells. */
import { execFile, execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type OwnPostgres, programs, startOwnPostgres } from "./ownPostgres.ts"
import { commerce, folder, serving } from "./runCli.ts"

const secret = "0123456789abcdef0123456789abcdef"
const cleanups: Array<() => unknown> = []
afterAll(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** An admin of a server that runs. */
const shopAt = (url: string, key: string) => {
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  return {
    call,
    order: async (productId: string) => {
      const placed = await call("POST", "/orders", { items: [{ productId, quantity: 1 }] })
      expect(placed.status, JSON.stringify(placed.body)).toBe(201)
      return String(placed.body["id"])
    }
  }
}

const lampOf = async (shop: ReturnType<typeof shopAt>) => {
  const inventory = { trackingMode: "TRACKED", total: 100_000 }
  const made = await shop.call("POST", "/products", { name: "Lamp", basePrice: "25.00", status: "active", inventory })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return String(made.body["id"])
}

const saysAllIsWell = async (env: Readonly<Record<string, string>>, on: ReadonlyArray<string> = []) => {
  const [doctor, audit] = [await commerce(["doctor", ...on], { env }), await commerce(["audit", ...on], { env })]
  expect([doctor.code, doctor.out], doctor.err).toEqual([0, expect.stringContaining("Nothing to mend.\n")])
  expect([audit.code, audit.out], audit.err).toEqual([0, expect.stringMatching(/^The books agree: /)])
}

const init = async (env: Readonly<Record<string, string>>, on: ReadonlyArray<string> = []) => {
  const made = await commerce(["init", "--json", ...on], { env })
  expect(made.code, made.err).toBe(0)
  return JSON.parse(made.out) as { readonly storeId: string; readonly apiKey: string }
}

describe.skipIf(programs === undefined)("pg_dump and pg_restore, as the guide has them", () => {
  const bin = programs ?? ""
  let server: OwnPostgres
  let dump: string
  let key: string
  let lamp: string
  const during = { first: "", last: "", all: 0 }
  const envOf = (database: string) => ({ DATABASE_URL: server.url("shop", database), COMMERCE_SECRET: secret })

  beforeAll(async () => {
    server = await startOwnPostgres(bin)
    cleanups.push(server.stop)
    const files = mkdtempSync(join(tmpdir(), "commerce-backup-"))
    cleanups.push(() => rmSync(files, { recursive: true, force: true }))
    dump = join(files, "shop.dump")
    await server.run("CREATE ROLE shop LOGIN CREATEROLE")
    await server.run("CREATE ROLE backup LOGIN BYPASSRLS")
    await server.run("GRANT pg_read_all_data TO backup")
    await server.run("CREATE DATABASE shop OWNER shop ENCODING 'UTF8' TEMPLATE template0")
    key = (await init(envOf("shop"))).apiKey
  }, 600_000)

  it("makes a dump by a role of its own while orders are placed", async () => {
    const running = await serving([], envOf("shop"))
    const shop = shopAt(running.url, key)
    lamp = await lampOf(shop)
    during.first = await shop.order(lamp)
    let dumping = true
    const dumped = promisify(execFile)(join(bin, "pg_dump"), [
      "--format=custom",
      `--file=${dump}`,
      server.url("backup", "shop")
    ]).finally(() => (dumping = false))
    while (dumping) {
      during.last = await shop.order(lamp)
      during.all += 1
    }
    await dumped
    during.last = await shop.order(lamp)
    expect(during.all).toBeGreaterThan(0)
    expect(await running.end("SIGTERM")).toBe(0)
  }, 600_000)

  it("is restored into a new database, where doctor and audit have nothing to say", async () => {
    await server.run("CREATE DATABASE restored OWNER shop ENCODING 'UTF8' TEMPLATE template0")
    await promisify(execFile)(join(bin, "pg_restore"), [
      "--exit-on-error",
      `--dbname=${server.url("admin", "restored")}`,
      dump
    ])
    const ids = (await server.run("SELECT id FROM orders", "restored")).map(({ id }) => id)
    expect(ids).toContain(during.first)
    expect(ids).not.toContain(during.last)
    await saysAllIsWell(envOf("restored"))
  }, 600_000)

  it("a server starts on it, knows the key, and goes on selling", async () => {
    const running = await serving([], envOf("restored"))
    const shop = shopAt(running.url, key)
    expect((await shop.call("GET", `/orders/${during.first}`)).status).toBe(200)
    await shop.order(lamp)
    expect(await running.end("SIGTERM")).toBe(0)
    await saysAllIsWell(envOf("restored"))
  }, 600_000)

  it("fails as the user of DATABASE_URL, as the guide says, and makes no half of a dump unnoticed", async () => {
    const failed = await promisify(execFile)(join(bin, "pg_dump"), [server.url("shop", "shop")]).catch(
      (error: { readonly stderr: string }) => error.stderr
    )
    expect(failed).toContain("query would be affected by row-level security policy")
  })
})

describe("the embedded PostgreSQL", () => {
  it("is backed up by copying its folder while no server runs, and the copy sells", async () => {
    const [made, copy] = [folder(), folder()]
    cleanups.push(made.remove, copy.remove)
    const on = ["--data-dir", made.path]
    const { apiKey } = await init({}, on)
    const first = await serving(on)
    const shop = shopAt(first.url, apiKey)
    const lamp = await lampOf(shop)
    const order = await shop.order(lamp)
    expect(await first.end("SIGTERM")).toBe(0)
    execFileSync("cp", ["-a", made.path, copy.path])

    const there = ["--data-dir", copy.path]
    await saysAllIsWell({}, there)
    const second = await serving(there)
    const copied = shopAt(second.url, apiKey)
    expect((await copied.call("GET", `/orders/${order}`)).status).toBe(200)
    await copied.order(lamp)
    expect(await second.end("SIGTERM")).toBe(0)
  }, 600_000)
})
