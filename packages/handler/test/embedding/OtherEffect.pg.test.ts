/** A host whose program holds another copy of `effect` than ours. */
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, extname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { coreLayer } from "@effect-commerce/core/CommerceCore"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect, Layer, Redacted } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createCommerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

interface Copy {
  readonly Effect: typeof Effect
  readonly Redacted: typeof Redacted
}

const folder = mkdtempSync(join(tmpdir(), "commerce-other-effect-"))
const installed = dirname(createRequire(import.meta.url).resolve("effect/package.json"))

/** The installed package once more: other modules, as a second copy in a host's tree is. */
const openCopy = async (): Promise<Copy> => {
  const place = join(folder, "node_modules/effect")
  cpSync(join(installed, "package.json"), join(place, "package.json"))
  cpSync(join(installed, "dist"), join(place, "dist"), {
    recursive: true,
    filter: (path) => [".js", ""].includes(extname(path))
  })
  const load = (name: string) => import(pathToFileURL(join(place, "dist", `${name}.js`)).href)
  return { Effect: await load("Effect"), Redacted: await load("Redacted") }
}

let other: Copy
let shop: TestCommerce
beforeAll(async () => {
  other = await openCopy()
  shop = await openTestCommerce()
})
afterAll(async () => {
  await shop.close()
  rmSync(folder, { recursive: true, force: true })
})

const secret = "a root secret of thirty-two bytes or more"
const remedy = "was made by another copy of effect than the one used here: `npm ls effect` must show one"
/** What effect 3 makes of a hidden text and of an effect, as far as anybody else sees. */
const ofEffect3 = (symbol: string) => ({ [Symbol.for(symbol)]: {} }) as never

describe("a hidden text", () => {
  const wiped = Redacted.make(secret)
  Redacted.wipeUnsafe(wiped)

  it.each([
    ["secret", () => ({ secret: other.Redacted.make(secret) }), remedy],
    ["secret", () => ({ secret: ofEffect3("effect/Redacted") }), remedy],
    ["secret", () => ({ secret: wiped }), "was wiped"],
    ["secret", () => ({ secret: 42 }), "must be a text or a Redacted one"],
    ["secret", () => ({ secret: null }), "must be a text or a Redacted one"],
    ["secret", () => ({ secret: Redacted.make(42) }), "must be a text or a Redacted one"],
    ["mail.smtpUrl", () => ({ mail: { smtpUrl: other.Redacted.make("smtp://localhost") } }), remedy],
    [
      "database.connection.url",
      () => ({ database: { connection: { url: other.Redacted.make("postgres://localhost") } } }),
      remedy
    ],
    [
      "database.connection.password",
      () => ({ database: { connection: { host: "localhost", password: other.Redacted.make("x") } } }),
      remedy
    ]
  ] as ReadonlyArray<readonly [string, () => object, string]>)(
    "as %s is refused before anything is opened",
    async (name, options, problem) => {
      const database = { connection: shop.database.connection }
      const refused = createCommerce({ database, secret, ...options() })
      await expect(refused).rejects.toThrow(new TypeError(`createCommerce: ${name} ${problem}`))
    }
  )

  it("of this copy is taken", async () => {
    const commerce = await createCommerce({
      database: { connection: shop.database.connection },
      secret: Redacted.make(secret),
      role: "api"
    })
    expect((await commerce.fetch(new Request("http://shop/api/health/ready"))).status).toBe(200)
    await commerce.close()
  })

  it("is refused by the layers of core in the same words", async () => {
    const built = (options: Partial<Parameters<typeof coreLayer>[0]>) =>
      Effect.runPromise(
        Effect.scoped(
          Layer.build(coreLayer({ connection: shop.database.connection, secret: Redacted.make(secret), ...options }))
        )
      )
    await expect(built({ secret: other.Redacted.make(secret) })).rejects.toThrow(
      new TypeError(`the root secret ${remedy}`)
    )
    await expect(built({ mail: { smtpUrl: other.Redacted.make("smtp://localhost") } })).rejects.toThrow(
      new TypeError(`the URL of the mail server ${remedy}`)
    )
    const connection = { ...shop.database.connection, password: other.Redacted.make("x") }
    await expect(built({ connection })).rejects.toThrow(new TypeError(`the password of the database ${remedy}`))
  })
})

describe("inTransaction", () => {
  it("refuses an effect of another copy and what is none, and leaves the host's transaction as it was", async () => {
    const client = new pg.Client(shop.database.nodePostgres)
    await client.connect()
    try {
      await client.query("BEGIN")
      const given: ReadonlyArray<readonly [never, string]> = [
        [other.Effect.succeed(1) as never, remedy],
        [other.Effect.gen(() => Stores.use(({ list }) => list) as never) as never, remedy],
        [ofEffect3("effect/Effect"), remedy],
        [Promise.resolve(1) as never, "must be an effect"],
        [(() => Effect.void) as never, "must be an effect"],
        [undefined as never, "must be an effect"]
      ]
      for (const [work, problem] of given) {
        await expect(shop.commerce.inTransaction(client, work)).rejects.toThrow(
          new TypeError(`inTransaction: the work ${problem}`)
        )
      }
      const stores = await shop.commerce.inTransaction(
        client,
        Effect.map(Stores, (service) => service)
      )
      expect(await shop.commerce.inTransaction(client, stores.list)).toHaveLength(1)
      expect(await shop.commerce.inTransaction(client, Effect.exit(Effect.fail("no")))).toMatchObject({
        _tag: "Failure"
      })
    } finally {
      await client.query("ROLLBACK")
      await client.end()
    }
  })
})
