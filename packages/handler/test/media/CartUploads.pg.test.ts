/**
 * What shoppers upload for a customization goes with the carts that named it, and never where an order names it or may
 * come to.
 */
import { FaultPoint } from "@effect-commerce/core/database/FaultPoint"
import { MediaSweep } from "@effect-commerce/core/media/MediaSweep"
import { memoryObjectStore } from "@effect-commerce/core/testing/MemoryObjectStore"
import { jpeg } from "@effect-commerce/core/testing/TestImages"
import { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { keyIn, noticeOf, scriptedPayments, stands, tell } from "../payment/ScriptedProvider.ts"
import { addressIn, shopperOf } from "../Shopper.ts"
import { formOf, sendTo } from "./sendForm.ts"
import { defaultInFile } from "../../../core/test/defaultInFile.ts"

const day = 86_400_000
const storage = memoryObjectStore()
let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
let owner: InstanceType<typeof pg.Client>
let mug: string
/** What happens when the stock of a paid order is sold. */
let sold: Effect.Effect<void> = Effect.void

defaultInFile(FaultPoint.Faults, (name: string) => Effect.suspend(() => (name === "payment.sold" ? sold : Effect.void)))
beforeAll(async () => {
  // Nothing sweeps by itself: tests say when.
  shop = await openTestCommerce({ role: "api", media: { store: storage }, ...scriptedPayments })
  shopper = shopperOf(shop)
  mug = await shopper.product({ price: 1_000n, stock: 1_000 })
  const body = { name: "Photos", key: "photos", type: "GALLERY", isCustomerInput: true, productIds: [mug] }
  expect((await shop.call("POST", "/v1/metafield-definitions", { body })).status).toBe(201)
  owner = new pg.Client(shop.database.nodePostgres)
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await shop.close()
})

const use = <A, R>(effect: Effect.Effect<A, unknown, R>) => shop.run(effect as unknown as Effect.Effect<A>)
const sweep = () => use(MediaSweep.use(({ pass }) => pass))
const advance = (advanceMs: number) => shop.call("POST", "/test/clock", { body: { advanceMs } })
const now = async () => Date.parse((await shop.call("POST", `${shopper.at}/cart`)).body.createdAt)

interface Uploaded {
  readonly url: string
  readonly key: string
}
const upload = async () => {
  const form = formOf({ bytes: jpeg(30, 20), type: "image/jpeg" })
  return (await sendTo(shop)(`/vc/${shop.channelId}/customization-upload`, form)).body as Uploaded
}
const add = (cartId: string, ...photos: ReadonlyArray<Uploaded>) => {
  const customizations = { photos: photos.map(({ url }) => url) }
  return shop.call("POST", `${shopper.at}/cart/${cartId}/items`, {
    body: { productId: mug, quantity: 1, customizations }
  })
}
const cartWith = async (...photos: ReadonlyArray<Uploaded>) => {
  const { body } = await shop.call("POST", `${shopper.at}/cart`)
  const added = await add(body.id, ...photos)
  expect([added.status, added.body.items?.[0].customizations.photos]).toEqual([200, photos.map(({ url }) => url)])
  return { id: body.id as string, itemId: added.body.items[0].id as string, endsAt: Date.parse(added.body.expiresAt) }
}
const isThere = async ({ key }: Uploaded) => {
  const { status } = await shop.call("GET", `/media/${key}`)
  expect(status === 200).toBe(storage.objects.has(key))
  return status === 200
}
const rowOf = async ({ key }: Uploaded) =>
  (await owner.query("SELECT review_at, purge_at FROM media_file WHERE key = $1", [key])).rows[0]
const usedBytes = async () => {
  const { rows } = await owner.query("SELECT used_bytes FROM media_storage WHERE store_id = $1", [shop.storeId])
  return Number(rows[0]?.["used_bytes"] ?? 0)
}
const to = async (instant: number) => advance(instant - (await now()))

describe("an upload that a line of a cart names", () => {
  it("lives a day longer than the cart, and is taken from what the store keeps then", async () => {
    const before = await usedBytes()
    const photo = await upload()
    const { id, endsAt } = await cartWith(photo)
    expect(await usedBytes()).toBeGreaterThan(before)
    await sweep()
    expect(await rowOf(photo)).toEqual({ review_at: new Date(endsAt + day), purge_at: null })
    await to(endsAt - day)
    // The cart is changed, and lives on.
    const patched = await shop.call("PATCH", `${shopper.at}/cart/${id}`, { body: { notes: "soon" } })
    const later = Date.parse(patched.body.expiresAt)
    expect(later).toBeGreaterThan(endsAt)
    await to(endsAt + day + 1_000)
    await sweep()
    expect(await rowOf(photo)).toEqual({ review_at: new Date(later + day), purge_at: null })
    await to(later + day - 60_000)
    await sweep()
    expect(await isThere(photo)).toBe(true)
    await to(later + day + 60_000)
    await sweep()
    expect([await isThere(photo), await rowOf(photo), await usedBytes()]).toEqual([false, undefined, before])
    expect((await shop.call("GET", `${shopper.at}/cart/${id}`)).body.status).toBe("EXPIRED")
  })

  it("goes when no line names it any more, and stays where another cart does", async () => {
    const [alone, shared] = [await upload(), await upload()]
    const first = await cartWith(alone, shared)
    const other = await cartWith(shared)
    await shop.call("DELETE", `${shopper.at}/cart/${first.id}/items/${first.itemId}`)
    await sweep()
    expect([await isThere(alone), await isThere(shared)]).toEqual([false, true])
    await to(other.endsAt + day + 60_000)
    await sweep()
    expect(await isThere(shared)).toBe(false)
  })

  it("is refused or stays, where it is named at the moment in which it is swept", async () => {
    const answers: Array<number> = []
    for (let i = 0; i < 20; i++) {
      const photo = await upload()
      const { id, itemId } = await cartWith(photo)
      await shop.call("DELETE", `${shopper.at}/cart/${id}/items/${itemId}`)
      const [added] = await Promise.all([add(id, photo), sweep()])
      await sweep()
      expect([i, await isThere(photo)]).toEqual([i, added.status === 200])
      expect([200, 400]).toContain(added.status)
      answers.push(added.status)
    }
    expect(answers.length).toBe(20)
  })
})

const checkout = async (cartId: string) => {
  const id = await shopper.checkout(cartId)
  const billing = { billingAddress: addressIn("CA", "94105") }
  await shop.call("PATCH", `${shopper.at}/checkout/${id}`, { body: billing })
  return id
}
let keys = 0
const pay = (checkoutId: string, paymentReference: string) =>
  shopper.complete(checkoutId, `upload-${keys++}`, {
    paymentMethod: "provider",
    providerId: "scripted",
    paymentReference
  })
const captured = async (checkoutId: string, attempt = 1) => {
  const key = keyIn(shop.storeId, checkoutId, attempt)
  stands(key, { captured: 1_000n })
  expect(await tell(shop, noticeOf(key))).toBe(true)
}
const photosOfOrder = async (checkoutId: string) =>
  (
    await owner.query(
      "SELECT i.customizations -> 'photos' AS photos FROM orders o JOIN order_item i USING (store_id) WHERE o.checkout_id = $1 AND i.order_id = o.id",
      [checkoutId]
    )
  ).rows.map((row) => row["photos"])

describe("an upload that an order names", () => {
  it("is kept for good, and not asked about again", async () => {
    const photo = await upload()
    const { id, endsAt } = await cartWith(photo)
    const checkoutId = await checkout(id)
    expect((await pay(checkoutId, "approve")).status).toBe(200)
    await to(endsAt + 400 * day)
    await sweep()
    expect([await isThere(photo), await photosOfOrder(checkoutId), await rowOf(photo)]).toEqual([
      true,
      [[photo.url]],
      { review_at: null, purge_at: null }
    ])
  })

  it.each([
    ["nobody knows the outcome of the payment", "silence", 1],
    ["the payment was declined", "decline", 1]
  ])("was kept while %s, however late the money comes", async (_, reference, attempt) => {
    const photo = await upload()
    const { id, endsAt } = await cartWith(photo)
    const checkoutId = await checkout(id)
    await pay(checkoutId, reference)
    await to(endsAt + 400 * day)
    await sweep()
    expect(await isThere(photo)).toBe(true)
    await captured(checkoutId, attempt)
    await advance(2 * day)
    await sweep()
    expect([await photosOfOrder(checkoutId), await isThere(photo)]).toEqual([[[photo.url]], true])
  })

  it("is kept by a sweep at any moment of the sale, long after the cart's time", async () => {
    for (let i = 0; i < 6; i++) {
      const photo = await upload()
      const { id, endsAt } = await cartWith(photo)
      const checkoutId = await checkout(id)
      await pay(checkoutId, "silence")
      await to(endsAt + 2 * day)
      // Once in the middle of the transaction that writes the order; then wherever both happen to be.
      let swept = 0
      sold = i > 0 ? Effect.void : Effect.promise(() => sweep().then(() => void (swept += 1)))
      await Promise.all([captured(checkoutId), ...(i > 0 ? [sweep(), sweep()] : [])])
      sold = Effect.void
      expect(swept).toBe(i > 0 ? 0 : 1)
      await advance(2 * day)
      await sweep()
      expect([i, await photosOfOrder(checkoutId), await isThere(photo)]).toEqual([i, [[photo.url]], true])
    }
  })
})
