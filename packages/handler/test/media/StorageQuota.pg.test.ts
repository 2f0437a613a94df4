/** How much a store keeps: what its merchant does, what shoppers have sent and nothing names, and a disk that is full. */
import { Audit } from "@effect-commerce/core/audit/Audit"
import type { Finding } from "@effect-commerce/core/audit/Law"
import { MediaSweep } from "@effect-commerce/core/media/MediaSweep"
import { Database } from "@effect-commerce/core/database/Database"
import { noStorageLimit } from "@effect-commerce/core/media/MediaLimits"
import { StoragePlan } from "@effect-commerce/core/media/StoragePlan"
import { memoryObjectStore } from "@effect-commerce/core/testing/MemoryObjectStore"
import { jpeg } from "@effect-commerce/core/testing/TestImages"
import { Effect, Layer } from "effect"
import pg from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"
import { formOf, sendTo } from "./sendForm.ts"

const gibibyte = 1_073_741_824
const [plan, budget] = [5 * gibibyte, gibibyte / 4]
const day = 86_400_000
/** A file without a thumbnail, which would count too. */
const file = jpeg(30, 20)
const size = file.length
const storage = memoryObjectStore()

let shop: TestCommerce
let client: InstanceType<typeof pg.Client>
let store: TestStore
/** Whether the disk has room. */
let hasRoom = true

beforeAll(async () => {
  // Nothing sweeps by itself: tests say when.
  shop = await openTestCommerce({
    role: "api",
    media: { store: { ...storage, hasRoom: Effect.sync(() => hasRoom) } }
  })
  client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await shop.close()
})
beforeEach(async () => {
  store = await shop.openStore()
  hasRoom = true
})

const use = <A, R>(effect: Effect.Effect<A, never, R>) => shop.run(effect as unknown as Effect.Effect<A>)
const send = (path: string, at: TestStore) =>
  sendTo(shop)(path, formOf({ bytes: file, type: "image/jpeg" }), { key: at.apiKey })
const merchant = () => send("/v1/media", store)
const shopper = () => send(`/vc/${store.channelId}/customization-upload`, store)
const kept = async (): Promise<readonly [used: number, unclaimed: number]> => {
  const { rows } = await client.query("SELECT used_bytes, unclaimed_bytes FROM media_storage WHERE store_id = $1", [
    store.storeId
  ])
  return [Number(rows[0]?.used_bytes), Number(rows[0]?.unclaimed_bytes)]
}
/** As if so much were stored. */
const keep = (used: number, unclaimed: number) =>
  client.query(
    `INSERT INTO media_storage (store_id, used_bytes, unclaimed_bytes) VALUES ($1, $2, $3)
     ON CONFLICT (store_id) DO UPDATE SET used_bytes = excluded.used_bytes, unclaimed_bytes = excluded.unclaimed_bytes`,
    [store.storeId, used, unclaimed]
  )
/** What the audit finds of the store's files. */
const findings = async () => {
  const all: Array<Finding> = []
  const tell = (found: ReadonlyArray<Finding>) => Effect.sync(() => void all.push(...found))
  const run = Audit.use((audit) => audit.run({ tell, storeId: store.storeId }))
  const over = Audit.layer.pipe(Layer.provide(Database.layer(shop.database.connection)))
  await Effect.runPromise(Effect.provide(run, over))
  return all
}
const refused = (limit: string, limitBytes: number, usedBytes: number) => [
  402,
  "PLAN_LIMIT_REACHED",
  { limit, limitBytes, usedBytes, remedy: expect.any(String) }
]
const answerOf = async (answer: ReturnType<typeof merchant>) => {
  const { status, body } = await answer
  return [status, body.code, body.details]
}

describe("the media of a store", () => {
  it("are at most 5 GiB, unless its operator says otherwise", async () => {
    await keep(plan - size, 0)
    expect((await merchant()).status).toBe(201)
    expect(await answerOf(merchant())).toEqual(refused("storage", plan, plan))
    expect(await kept()).toEqual([plan, 0])
    await use(StoragePlan.use(({ setLimit }) => setLimit(store.storeId, BigInt(plan + size))))
    expect((await merchant()).status).toBe(201)
    expect(await answerOf(merchant())).toEqual(refused("storage", plan + size, plan + size))
    await use(StoragePlan.use(({ setLimit }) => setLimit(store.storeId, noStorageLimit)))
    expect((await merchant()).status).toBe(201)
  })

  it("do not pass the limit when many come at once", async () => {
    await keep(plan - 3 * size, 0)
    const all = await Promise.all(Array.from({ length: 10 }, merchant))
    expect(all.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(await kept()).toEqual([plan, 0])
  })
})

describe("what shoppers have sent and nothing names", () => {
  it("is at most 256 MiB of a store, and takes nothing from the merchant", async () => {
    await keep(0, budget - 2 * size)
    const all = await Promise.all(Array.from({ length: 10 }, shopper))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(await kept()).toEqual([0, budget])
    expect(await answerOf(shopper())).toEqual(refused("unclaimed", budget, budget))
    await keep(plan - size, budget)
    expect((await merchant()).status).toBe(201)
    expect(await answerOf(merchant())).toEqual(refused("storage", plan, plan))
    // Another store has its own.
    store = await shop.openStore()
    expect((await shopper()).status).toBe(200)
  })

  it("needs room in the plan too, so that a cart that names it is never refused for lack of it", async () => {
    await keep(plan - 2 * size, size)
    expect((await shopper()).status).toBe(200)
    expect(await answerOf(shopper())).toEqual(refused("storage", plan, plan))
  })

  it("becomes the merchant's once, however many carts name it at the same moment", async () => {
    const shopping = shopperOf({ ...shop, ...store })
    const mug = await shopping.product({ price: 1_000n, stock: 1_000 })
    const field = { name: "Photo", key: "photo", type: "IMAGE", isCustomerInput: true, productIds: [mug] }
    const defined = await shop.call("POST", "/v1/metafield-definitions", { body: field, key: store.apiKey })
    expect(defined.status).toBe(201)
    const [first, second] = [(await shopper()).body, (await shopper()).body]
    expect(await kept()).toEqual([0, 2 * size])
    const carts = await Promise.all(
      Array.from({ length: 6 }, async () => (await shop.call("POST", `/vc/${store.channelId}/cart`)).body.id)
    )
    const added = await Promise.all(
      carts.map((id) =>
        shop.call("POST", `/vc/${store.channelId}/cart/${id}/items`, {
          body: { productId: mug, quantity: 1, customizations: { photo: first.key } }
        })
      )
    )
    expect(added.map(({ status }) => status)).toEqual(carts.map(() => 200))
    expect([await kept(), await findings()]).toEqual([[size, size], []])
    await keep(size, size + 7)
    expect(await findings()).toMatchObject([
      { law: "media.storage", id: store.storeId, expected: `${size}`, found: `${size + 7}` }
    ])
    await keep(size, size)
    // What nothing names is swept after a day and makes room for others.
    await shop.call("POST", "/test/clock", { body: { advanceMs: 2 * day } })
    await use(MediaSweep.use(({ pass }) => pass))
    expect([storage.objects.has(first.key), storage.objects.has(second.key)]).toEqual([true, false])
    expect(await kept()).toEqual([size, 0])
  })
})

describe("a disk that is nearly full", () => {
  it("takes no uploads, of merchants and of shoppers, and everything else goes on", async () => {
    const before = (await merchant()).body
    hasRoom = false
    for (const upload of [merchant, shopper]) {
      const { status, body } = await upload()
      expect([status, body.code]).toEqual([503, "SERVICE_TEMPORARILY_UNAVAILABLE"])
    }
    expect(await kept()).toEqual([size, 0])
    expect((await shop.call("GET", `/media/${before.key}`)).status).toBe(200)
    const shopping = shopperOf({ ...shop, ...store })
    const mug = await shopping.product({ price: 1_000n, stock: 10 })
    const { body: cart } = await shop.call("POST", `/vc/${store.channelId}/cart`)
    const added = await shop.call("POST", `/vc/${store.channelId}/cart/${cart.id}/items`, {
      body: { productId: mug, quantity: 1 }
    })
    expect(added.status).toBe(200)
    expect((await shop.call("DELETE", `/v1/media/${before.id}`, { key: store.apiKey })).status).toBe(200)
    hasRoom = true
    expect((await merchant()).status).toBe(201)
  })
})
