import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { signWebhook } from "@effect-commerce/core/crypto/WebhookSigner"
import { afterAll, describe, expect, it } from "vitest"
import { sectionNames } from "../src/seed/sections.ts"
import { commerce, folder } from "./runCli.ts"

const made = folder()
afterAll(made.remove)
const on = ["--data-dir", made.path]

describe("commerce", () => {
  const leaves = [
    "init",
    "serve",
    "migrate",
    "seed",
    "store create",
    "store list",
    "store quota",
    "store suspend",
    "store resume",
    "channel create",
    "channel list"
  ]
  const moreLeaves = [
    "channel update",
    "keys create",
    "keys list",
    "keys rotate",
    "keys revoke",
    "app install",
    "app list",
    "app remove",
    "owner list",
    "owner add",
    "owner password",
    "webhook sign",
    "webhook verify",
    "webhook listen",
    "webhook replay",
    "openapi",
    "audit",
    "doctor"
  ]
  it.each(["", "store", "channel", "keys", "app", "owner", "webhook", ...leaves, ...moreLeaves])(
    "teaches with --help: %s",
    async (command) => {
      const words = command === "" ? [] : command.split(" ")
      const { code, out, err } = await commerce([...words, "--help"])
      expect([code, err]).toEqual([0, ""])
      const isGroup = ["", "store", "channel", "keys", "app", "owner", "webhook"].includes(command)
      const usage = ["commerce", ...words, ...(isGroup ? ["<subcommand> [flags]"] : ["[flags]"])].join(" ")
      expect(/USAGE\n {2}(.*?\[flags\])/.exec(out)?.[1]).toBe(usage)
      for (const flag of ["--database-url", "--data-dir", "--json", "--help"]) expect(out).toContain(flag)
      expect(out).toContain(isGroup && command !== "" ? "SUBCOMMANDS" : "EXAMPLES")
    }
  )

  it("names with --help every section that a store description may have, and no other", async () => {
    const { out } = await commerce(["seed", "--help"])
    expect(/all of it or nothing: \{ (.*?) \}/.exec(out)?.[1]?.split(", ")).toEqual(sectionNames)
  })

  it("loads neither SQL nor HTTP nor any work of a command for --help", async () => {
    const hook = join(made.path, "..", "listLoaded.mjs")
    writeFileSync(
      hook,
      `import { registerHooks } from "node:module"
      const loaded = []
      registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context) } })
      process.on("exit", () => process.stderr.write(loaded.join("\\n")))`
    )
    const loadedBy = async (args: ReadonlyArray<string>) =>
      (await commerce(args, { env: { NODE_OPTIONS: `--import=${hook}` }, fromSources: true })).err.split("\n")
    const heavy =
      /^node:https?$|effect\/dist\/http-api\/|effect\/dist\/http\/Http(Server|Router)|sql-pg|NodeHttp|packages\/(core|handler)\/(?!src\/kernel\/NodeVersion)/
    const loaded = await loadedBy(["--help"])
    expect(loaded.length).toBeGreaterThan(20)
    expect(loaded.filter((url) => heavy.test(url))).toEqual([])
    expect((await loadedBy(["openapi"])).filter((url) => heavy.test(url)).length).toBeGreaterThan(20)
  })

  it("says what is wrong with the usage on standard error, and where to read on", async () => {
    expect(await commerce(["keys", "create", "--store", "store_1", "--json"])).toEqual({
      code: 2,
      out: "",
      err: "commerce: Missing required flag: --name (commerce keys create --help)\n"
    })
    expect(await commerce(["init", "--currency", "XXX"])).toEqual({
      code: 2,
      out: "",
      err: "commerce: --currency: must be an ISO 4217 code such as USD\n"
    })
    expect(await commerce(["webhook", "verify", "--secret", "s", "--timestamp", "soon", "--signature", "00"])).toEqual({
      code: 2,
      out: "",
      err: "commerce: --timestamp: must be Unix milliseconds, such as 1767323045678\n"
    })
    const bare = await commerce([])
    expect([bare.code, bare.out]).toEqual([2, ""])
    expect(bare.err).toContain("SUBCOMMANDS")
  })

  it("exits 2 for wrong usage: unknown commands and flags, missing flags, bad values", async () => {
    for (const args of [
      ["nonsense"],
      ["init", "--nonsense"],
      ["store", "create"],
      ["keys", "create", "--name", "x"],
      ["serve", "--role", "both"],
      ["serve", "--port", "70000"],
      ["store"],
      ["seed", ...on],
      ["store", "list", "--data-dir", ""],
      ["seed", "--demo", "store.json", ...on]
    ]) {
      expect([args, (await commerce(args)).code]).toEqual([args, 2])
    }
  })

  it("makes no installation by the way, where a command is given in the wrong folder", async () => {
    const nowhere = ["--data-dir", join(made.path, "..", "nowhere")]
    const none = /^commerce: there is no installation in .*nowhere: .*--data-dir names another\n$/
    const refused = [
      ["keys", "create", "--name", "k", "--scope", "tax:read"],
      ["seed", "--demo"],
      ["store", "suspend", "store_1"],
      ["webhook", "replay", "evt_1"]
    ]
    for (const args of refused) {
      expect([args, await commerce([...args, ...nowhere])]).toEqual([
        args,
        { code: 1, out: "", err: expect.stringMatching(none) }
      ])
    }
    expect(await commerce(["store", "list", "--json", ...nowhere])).toMatchObject({ code: 0, out: "[]\n" })
    expect(existsSync(nowhere[1] ?? "")).toBe(false)
  })

  it("exits 1 for a wrong setting, with one line that names it and no password", async () => {
    const wrong: ReadonlyArray<readonly [Record<string, string>, string]> = [
      [{ DATABASE_URL: "mysql://user:hunter2@h/db" }, "DATABASE_URL"],
      [{ DATABASE_URL: "postgres://user:hunter2@127.0.0.1:1/db" }, "COMMERCE_SECRET"],
      [{ COMMERCE_SECRET: "short" }, "COMMERCE_SECRET"],
      [{ COMMERCE_PORT: "http" }, "COMMERCE_PORT"],
      [{ COMMERCE_RATE_LIMIT_PER_MINUTE: "-1" }, "COMMERCE_RATE_LIMIT_PER_MINUTE"],
      [{ COMMERCE_RATE_LIMIT_STORE: "paper" }, "COMMERCE_RATE_LIMIT_STORE"],
      [{ COMMERCE_TRUSTED_PROXIES: "10.0.0.0/99" }, "COMMERCE_TRUSTED_PROXIES"],
      [{ COMMERCE_TEST_CLOCK: "yes" }, "COMMERCE_TEST_CLOCK"],
      [{ COMMERCE_TEST_CLOCK: "1", COMMERCE_HOST: "0.0.0.0" }, "COMMERCE_TEST_CLOCK"]
    ]
    for (const [env, name] of wrong) {
      const { code, err } = await commerce(["serve", ...on], { env })
      expect([env, code]).toEqual([env, 1])
      expect(err.trim().split("\n").length).toBe(1)
      expect(err).toContain(`${name}:`)
      expect(err).not.toContain("hunter2")
    }
  })

  it("sets an installation up once, and answers JSON alone on standard output", async () => {
    const first = await commerce([
      "init",
      ...on,
      "--name",
      "Corner shop",
      "--currency",
      "EUR",
      "--country",
      "DE",
      "--json"
    ])
    expect(first.code).toBe(0)
    const done = JSON.parse(first.out)
    expect(Object.keys(done).sort()).toEqual([
      "accountId",
      "apiKey",
      "keyPrefix",
      "ownerEmail",
      "ownerPassword",
      "salesChannelId",
      "storeId"
    ])
    expect([done.ownerPassword, first.err]).toEqual([expect.stringMatching(/^[\w-]{16}$/), ""])
    expect(done.keyPrefix).toBe(done.apiKey.slice(0, 12))
    const again = await commerce(["init", ...on])
    expect([again.code, again.out]).toEqual([1, ""])
    expect(again.err).toContain("already set up")
    const states = JSON.parse((await commerce(["migrate", "status", ...on, "--json"])).out)
    expect(states.every((state: { appliedAt: string | null }) => state.appliedAt !== null)).toBe(true)
  })

  it("keeps stores, channels and keys, and refuses what cannot be", async () => {
    const json = async (args: ReadonlyArray<string>) => JSON.parse((await commerce([...args, ...on, "--json"])).out)
    const store = await json(["store", "create", "--name", "Second", "--currency", "JPY"])
    expect(store).toMatchObject({ name: "Second", currency: "JPY" })
    expect(await json(["store", "suspend", store.id])).toMatchObject({ id: store.id, suspended: true })
    const stores = await json(["store", "list"])
    expect(stores.map(({ name, suspended }: { name: string; suspended: boolean }) => [name, suspended])).toEqual([
      ["Corner shop", false],
      ["Second", true]
    ])
    await commerce(["store", "resume", store.id, ...on])
    const quota = {
      id: store.id,
      products: null,
      productsUsed: 0,
      ordersPerMonth: null,
      ordersThisMonth: 0,
      storageMb: 5_120,
      storageUsedBytes: 0
    }
    expect(await json(["store", "quota", store.id])).toMatchObject(quota)
    const limits = ["--products", "0", "--orders-per-month", "500", "--storage-mb", "none"]
    const limited = { ...quota, products: 0, ordersPerMonth: 500, storageMb: null }
    expect(await json(["store", "quota", store.id, ...limits])).toMatchObject(limited)
    const seed = join(made.path, "..", "one.json")
    writeFileSync(seed, JSON.stringify({ products: [{ externalId: "cup", name: "Cup" }] }))
    const seeded = await commerce(["seed", seed, "--store", store.id, ...on])
    expect([seeded.code, seeded.err]).toEqual([1, expect.stringContaining("cup: product quota reached")])
    expect(await json(["store", "quota", store.id, "--products", "none"])).toMatchObject({ ...limited, products: null })
    expect((await commerce(["seed", seed, "--store", store.id, ...on])).code).toBe(0)
    expect(await json(["store", "quota", store.id])).toMatchObject({ productsUsed: 1, ordersPerMonth: 500 })
    const channel = await json([
      "channel",
      "create",
      "--store",
      store.id,
      "--name",
      "Web",
      "--domain",
      "shop.example",
      "--mode",
      "live",
      "--disable",
      "cart"
    ])
    expect(channel).toMatchObject({
      storeId: store.id,
      domain: "shop.example",
      mode: "live",
      cartEnabled: false,
      ordersWriteEnabled: true
    })
    expect(channel.connectionId).toBe(channel.id)
    const key = await json([
      "keys",
      "create",
      "--store",
      store.id,
      "--name",
      "k",
      "--scope",
      "tax:*",
      "--scope",
      "orders:read",
      "--tier",
      "PRO"
    ])
    expect(Object.keys(key)).toEqual(expect.arrayContaining(["id", "key", "keyPrefix", "scopes", "tier", "expiresAt"]))
    const listed = await json(["keys", "list", "--store", store.id])
    expect(listed).toMatchObject([{ id: key.id, tier: "PRO", scopes: ["tax:*", "orders:read"] }])
    expect(listed[0]).not.toHaveProperty("key")
    const [heads, row] = (await commerce(["keys", "list", "--store", store.id, ...on])).out.split("\n")
    expect(heads?.split(/ +/)).toEqual(["id", "key", "tier", "expires", "for", "name", "scopes"])
    expect(row?.indexOf("PRO")).toBe(heads?.indexOf("tier"))
    const [channelHeads] = (await commerce(["channel", "list", "--store", store.id, ...on])).out.split("\n")
    expect(channelHeads?.split(/ +/)).toEqual(["id", "store", "mode", "domain", "name"])
    expect((await commerce(["keys", "create", ...on, "--store", store.id, "--name", "k", "--scope", "*"])).code).toBe(1)
    expect(await commerce(["keys", "list", ...on, "--store", "store_unknown"])).toEqual({
      code: 1,
      out: "",
      err: "commerce: no such store: store_unknown\n"
    })
    const noSuchDay = await commerce([
      "keys",
      "create",
      ...on,
      "--name",
      "k",
      "--scope",
      "tax:read",
      "--expires-at",
      "2031-02-29T00:00:00Z"
    ])
    expect([noSuchDay.code, noSuchDay.err]).toEqual([
      2,
      "commerce: --expires-at: must be an ISO 8601 time such as 2030-01-31T12:00:00Z\n"
    ])
    expect((await commerce(["store", "create", ...on, "--name", "x", "--currency", "XXX"])).err).toContain("currency")
    expect((await commerce(["channel", "create", ...on, "--store", "store_unknown", "--name", "x"])).code).toBe(1)
  })

  it("installs, lists and removes apps; a token is shown once", async () => {
    const json = async (words: ReadonlyArray<string>) => JSON.parse((await commerce([...words, ...on, "--json"])).out)
    const { id: store } = await json(["store", "create", "--name", "With apps"])
    const at = ["--store", store]
    const scopes = ["--scope", "mappings:*", "--scope", "config:write"]
    const made = await json(["app", "install", ...at, "--name", "Hub", ...scopes, "--tier", "connector"])
    expect(made).toEqual({
      installationId: expect.stringMatching(/^inst_[0-9a-z]{26}$/),
      token: expect.stringMatching(/^app_inst_[\w-]{43}$/),
      scopes: ["mappings:*", "config:write"]
    })
    const { installationId } = made
    expect(await json(["app", "list", ...at])).toMatchObject([
      { installationId, name: "Hub", tier: "connector", tokenPrefix: made.token.slice(0, 13) }
    ])
    expect((await commerce(["app", "list", ...at, ...on])).out).not.toContain(made.token)
    expect(await commerce(["app", "install", ...at, "--name", "hub", ...scopes, ...on])).toEqual({
      code: 1,
      out: "",
      err: "commerce: hub is installed already: `commerce app list`\n"
    })
    const shown = await commerce(["app", "install", ...at, "--name", "Other", "--scope", "mappings:read", ...on])
    expect(shown.out).toMatch(/^installation  inst_\w+\ntoken         app_inst_[\w-]+\nThe token is shown this once/)
    expect(await json(["app", "remove", installationId, ...at])).toEqual({ installationId, removed: true })
    expect((await commerce(["app", "remove", installationId, ...at, ...on])).err).toBe(
      `commerce: no such installation: ${installationId}\n`
    )
  })

  it("loads the demo store whole, a second time without a second copy, and a broken file not at all", async () => {
    const stores = JSON.parse((await commerce(["store", "list", ...on, "--json"])).out)
    const store = stores[0].id
    const seed = async () => JSON.parse((await commerce(["seed", "--demo", "--store", store, ...on, "--json"])).out)
    const first = await seed()
    expect(first.created.products).toBeGreaterThanOrEqual(200)
    expect(first.updated.products).toBe(0)
    const second = await seed()
    expect(Object.entries(second.created).filter(([, count]) => count !== 0)).toEqual([])
    expect(second.updated.products).toBe(first.created.products)
    const file = join(made.path, "..", "broken.json")
    writeFileSync(
      file,
      JSON.stringify({
        categories: [{ externalId: "new", name: "New" }],
        products: [{ externalId: "bad", name: "Bad", basePrice: "1.999" }]
      })
    )
    const broken = await commerce(["seed", file, "--store", store, ...on])
    expect(broken.code).toBe(1)
    expect(broken.err).toContain("products bad: basePrice EUR has 2 fraction digits; nothing was loaded")
    writeFileSync(file, JSON.stringify({ categories: [{ externalId: "new", name: "New" }] }))
    const mended = JSON.parse((await commerce(["seed", file, "--store", store, ...on, "--json"])).out)
    expect(mended.created).toEqual({ categories: 1 })
  })

  it("refuses a data directory that is not ours", async () => {
    const other = join(made.path, "..", "other")
    mkdirSync(other)
    writeFileSync(join(other, "thesis.doc"), "")
    const refused = await commerce(["init", "--data-dir", other])
    expect(refused.code).toBe(1)
    expect(refused.err.trim().split("\n").length).toBe(1)
  })

  it("signs and verifies deliveries as published", async () => {
    const secret = "whsec_00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
    const body =
      '{"id":"evt_00000000000000000000000000000001","type":"order.created","createdAt":"2026-01-02T03:04:05.678Z","data":{"orderId":"ord_1"}}'
    const at = "1767323045678"
    const signed = JSON.parse(
      (await commerce(["webhook", "sign", "--secret", secret, "--timestamp", at, "--json"], { input: body })).out
    )
    expect(signed).toEqual({
      timestamp: 1_767_323_045_678,
      signature: "277a69621e21d7acffe2cbfe1f171e8165559b64a9b5793adff2969b29536b72"
    })
    const verify = async (now: string, signature: string = signed.signature, input: string = body) => {
      const { code, out } = await commerce(
        ["webhook", "verify", "--secret", secret, "--timestamp", at, "--signature", signature, "--now", now, "--json"],
        {
          input
        }
      )
      return [code, JSON.parse(out)]
    }
    expect(await verify("1767323345678")).toEqual([0, { valid: true, reason: null }])
    expect(await verify("1767323345679")).toEqual([1, { valid: false, reason: "stale" }])
    expect(await verify("1767322745677")).toEqual([1, { valid: false, reason: "future" }])
    expect(await verify(at, signed.signature, `${body} `)).toEqual([1, { valid: false, reason: "mismatch" }])
    expect(await verify(at, "zz")).toEqual([1, { valid: false, reason: "malformed" }])
  })

  it("reads standard input to its end, however long it is and however slowly it comes", async () => {
    const body = `{"text":"${"x".repeat(4_000_000)}"}`
    const signed = await commerce(
      ["webhook", "sign", "--secret", "whsec_1", "--timestamp", "1767323045678", "--json"],
      { input: body }
    )
    expect([signed.err, JSON.parse(signed.out)]).toEqual([
      "",
      { timestamp: 1_767_323_045_678, signature: signWebhook("whsec_1", 1_767_323_045_678, Buffer.from(body)) }
    ])
    const seeded = await commerce(["seed", "-", ...on], { input: `{"products":[{"name":"${"x".repeat(4_000_000)}"}]}` })
    expect([seeded.code, seeded.err]).toEqual([1, "commerce: standard input: products.0 needs an externalId\n"])
  })

  it("does not sign or verify with an empty secret, which is what an unset variable gives", async () => {
    expect(await commerce(["webhook", "sign", "--secret", ""], { input: "{}" })).toEqual({
      code: 2,
      out: "",
      err: "commerce: --secret: must not be empty\n"
    })
    expect(
      (await commerce(["webhook", "verify", "--secret", "", "--timestamp", "1", "--signature", "00"], { input: "{}" }))
        .code
    ).toBe(2)
  })

  it("prints the OpenAPI document of everything it serves", async () => {
    const { code, out } = await commerce(["openapi"])
    const document = JSON.parse(out)
    expect([code, document.openapi]).toEqual([0, "3.1.0"])
    expect(document.paths["/vc/{salesChannelId}/checkout/{checkoutId}/complete"].post["x-idempotency"]).toBe("required")
    expect(document.paths["/v1/orders"].post["x-scope"]).toBe("orders:write")
    const file = join(made.path, "..", "openapi.json")
    expect(await commerce(["openapi", "--out", file])).toEqual({ code: 0, out: "", err: `written to ${file}\n` })
    expect(await commerce(["openapi", "--out", file, "--json"])).toEqual({ code: 0, out, err: `written to ${file}\n` })
    expect(readFileSync(file, "utf8")).toBe(out)
  })
})
