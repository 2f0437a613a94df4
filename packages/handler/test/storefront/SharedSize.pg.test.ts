/** What a store's products share is read whole: one bound over its sum, checked at each write that makes it larger. */
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
let owner: InstanceType<typeof pg.Client>
beforeAll(async () => {
  shop = await openTestCommerce({ rateLimit: { perMinute: "off" } })
  owner = new pg.Client(shop.database.nodePostgres)
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await shop.close()
})

const most = 8_388_608
const long = (length: number) => "Lorem ipsum dolor sit amet ".repeat(Math.ceil(length / 27)).slice(0, length)

const openStore = async () => {
  const { storeId, channelId, apiKey: key } = await shop.openStore()
  const call = (method: string, path: string, body?: object) =>
    shop.call(method, path, { key, ...(body === undefined ? {} : { body }) })
  const refused = async (asked: ReturnType<typeof call>) => {
    const { status, body } = await asked
    return [status, body.code, Object.keys(body.details?.errors ?? {})]
  }
  const total = async (): Promise<number> =>
    Number(
      (await owner.query("SELECT sum(bytes) AS bytes FROM shared_size WHERE store_id = $1", [storeId])).rows[0]?.bytes
    )
  /** By SQL, as a release without the bound may have left it. Row by row, each with a text so long. */
  const fill = async (count: number, length: number, prefix: string) => {
    await owner.query("SET session_replication_role = replica")
    await owner.query(
      `INSERT INTO brand (store_id, id, name, slug, source, translations, is_active, created_at, updated_at)
        SELECT $1, 'brand_' || $4 || i, $4 || i, lower($4) || i, 'INTERNAL', jsonb_build_object('de',
          jsonb_build_object('description', repeat('a', $3))), true, now(), now() FROM generate_series(1, $2::int) AS i`,
      [storeId, count, length, prefix]
    )
    await owner.query("SET session_replication_role = origin")
    await owner.query(
      `INSERT INTO shared_size (store_id, slot, bytes) SELECT $1, hashtext($2), sum(shared_bytes(to_jsonb(b), 'false'))
        FROM brand b WHERE b.store_id = $1 AND b.name LIKE $2 || '%'`,
      [storeId, prefix]
    )
  }
  return { storeId, channelId, call, refused, total, fill }
}

/** Everything that is read with the shared things of a store. */
const readAll = async ({ channelId, call }: Awaited<ReturnType<typeof openStore>>) => {
  const storefront = [
    "products",
    "products?search=mug&locale=de",
    "products/slug/mug",
    "products?facets=true",
    "brands"
  ]
  const paths = [
    ...[...storefront, "categories"].map((path) => `/vc/${channelId}/${path}`),
    ...["products", "brands", "categories", "attributes", "modifier-groups", "metafield-definitions"].map(
      (path) => `/v1/${path}?limit=100`
    )
  ]
  const answers = []
  for (const path of paths) answers.push([path, (await call("GET", path)).status])
  return answers.filter(([, status]) => status !== 200)
}

describe("the shared things of a store", () => {
  it("have 8 MiB together: one byte more is refused by the name of its collection, and everything is read", async () => {
    const store = await openStore()
    const { call, refused, total, fill } = store
    await call("POST", "/v1/products", { name: "Mug", basePrice: "5.00", status: "active" })
    const before = await total()
    const text = { translations: { de: { description: "a".repeat(1_000) } } }
    const probe = await call("POST", "/v1/brands", { name: "Probe", ...text })
    const size = (await total()) - before
    expect(size).toBeGreaterThan(1_000)
    expect(size).toBeLessThan(1_600)
    await call("DELETE", `/v1/brands/${probe.body.id}`)
    expect(await total()).toBe(before)

    await fill(127, 65_000, "Full")
    await fill(1, 1, "Rest")
    /** By SQL, so many bytes more of text. */
    const grow = (bytes: number) =>
      owner.query(
        `UPDATE brand SET translations = jsonb_build_object('de', jsonb_build_object('description',
          (translations -> 'de' ->> 'description') || repeat('a', $2))) WHERE store_id = $1 AND name = 'Rest1'`,
        [store.storeId, bytes]
      )
    // The fractions of its times may be some digits longer.
    await grow(most - (await total()) - size - 16)
    const made = await call("POST", "/v1/brands", { name: "Probe", ...text })
    expect(made.status).toBe(201)
    await grow(most - (await total()))
    expect(await total()).toBe(most)
    await expect(grow(1)).rejects.toMatchObject({ constraint: "shared_size", table: "brand" })

    expect(await refused(call("PATCH", `/v1/brands/${made.body.id}`, { name: `Probe ${long(20)}` }))).toEqual([
      400,
      "VALIDATION_FAILED",
      ["brands"]
    ])
    for (const [path, body, field] of [
      ["brands", { name: "One" }, "brands"],
      ["categories", { name: "One" }, "categories"],
      ["attributes", { name: "One" }, "attributes"],
      ["modifier-groups", { name: "One", selectionType: "SINGLE", modifiers: [{ name: "A" }] }, "modifierGroups"],
      ["metafield-definitions", { name: "One", key: "one", type: "TEXT" }, "metafieldDefinitions"],
      ["tax/classes", { name: "One" }, "taxClasses"],
      ["tax/rates", { name: "One", country: "DE", rate: 19 }, "taxRates"],
      ["shipping/classes", { name: "One", slug: "one" }, "shippingClasses"]
    ] as const)
      expect([path, await refused(call("POST", `/v1/${path}`, body))]).toEqual([
        path,
        [400, "VALIDATION_FAILED", [field]]
      ])
    expect(await total()).toBe(most)
    expect(await readAll(store)).toEqual([])

    const shorter = { translations: { de: { description: "a".repeat(900) } } }
    const renamed = await call("PATCH", `/v1/brands/${made.body.id}`, { name: "Prob", ...shorter })
    expect([renamed.status, renamed.body.name]).toEqual([200, "Prob"])
    expect((await call("DELETE", `/v1/brands/${made.body.id}`)).status).toBe(200)
    expect((await call("POST", "/v1/categories", { name: "One" })).status).toBe(201)
  })

  it("that were more before there was a bound may shrink and be renamed, and nothing of them grows", async () => {
    const { call, refused, total, fill } = await openStore()
    const { body: attribute } = await call("POST", "/v1/attributes", {
      name: "Size",
      options: ["Small", "Medium", "Large"].map((name) => ({ name, value: name.toLowerCase() }))
    })
    const { body: group } = await call("POST", "/v1/modifier-groups", {
      name: "Extras",
      selectionType: "MULTIPLE",
      modifiers: [{ name: "Gift wrap" }, { name: "Card" }]
    })
    await fill(140, 65_000, "Full")
    expect(await total()).toBeGreaterThan(most)
    const options = attribute.options.map(({ id }: { id: string }, i: number) => ({ id, name: ["S", "M", "L"][i] }))
    expect((await call("PATCH", `/v1/attributes/${attribute.id}`, { options })).status).toBe(200)
    const longer = options.map(({ id }: { id: string }) => ({ id, name: `Much longer ${id}` }))
    expect(await refused(call("PATCH", `/v1/attributes/${attribute.id}`, { options: longer }))).toEqual([
      400,
      "VALIDATION_FAILED",
      ["options"]
    ])
    const [wrap] = group.modifiers
    const { status } = await call("PATCH", `/v1/modifier-groups/${group.id}`, {
      modifiers: [{ id: wrap.id, name: "Wrap" }]
    })
    expect(status).toBe(200)
    expect(await refused(call("PATCH", `/v1/modifier-groups/${group.id}`, { description: long(500) }))).toEqual([
      400,
      "VALIDATION_FAILED",
      ["modifierGroups"]
    ])
  })

  it("are full of modifier groups before a list cannot be read any more", async () => {
    const store = await openStore()
    const { call } = store
    const product = await call("POST", "/v1/products", { name: "Mug", basePrice: "5.00", status: "active" })
    expect(product.status).toBe(201)
    const modifiers = Array.from({ length: 90 }, (_, i) => ({ name: `Extra ${i}`, description: long(300) }))
    let made = 0
    for (;;) {
      const { status, body } = await call("POST", "/v1/modifier-groups", {
        name: `Group ${made}`,
        selectionType: "MULTIPLE",
        modifiers
      })
      if (status === 400) {
        expect(Object.keys(body.details.errors)).toEqual(["modifierGroups"])
        break
      }
      made += 1
    }
    expect(made).toBeGreaterThan(100)
    expect(made).toBeLessThan(250)
    expect(await readAll(store)).toEqual([])
  })

  it("are written by many at once, and none waits for the other", async () => {
    const { call, total } = await openStore()
    const before = await total()
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        call("POST", i % 2 === 0 ? "/v1/brands" : "/v1/categories", { name: `N${i}` })
      )
    )
    expect(made.map(({ status }) => status)).toEqual(Array(20).fill(201))
    const { rows } = await owner.query(
      `SELECT sum(n) AS bytes FROM (
        SELECT shared_bytes(to_jsonb(b), 'false') AS n FROM brand b WHERE id = ANY($1)
        UNION ALL SELECT shared_bytes(to_jsonb(c), 'false') FROM category c WHERE id = ANY($1)) s`,
      [made.map(({ body }) => body.id)]
    )
    expect((await total()) - before).toBe(Number(rows[0]?.bytes))
  })
})
