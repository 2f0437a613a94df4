import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Emails } from "../../src/email/Emails.ts"
import { isMerchantTurn, merchantAllowed } from "../../src/email/HourlyPace.ts"
import { MailDelivery } from "../../src/email/MailDelivery.ts"
import type { Transport } from "../../src/smtp/MailTransport.ts"
import type { StoreContext } from "../../src/store/StoreContext.ts"
import { addOwner, onTestDatabase, openStore, orderCreated, relay, shopWith } from "./mailShop.ts"

const left: Array<string> = []
const transport: Transport = {
  keeps: false,
  fromAddress: "post@host.example",
  deliver: ({ storeId, eventType, subject }) =>
    Effect.sync(() => (left.push(`${storeId} ${eventType} ${/#\d+/.exec(subject)?.[0]}`), "SENT"))
}
/** What has left of a store since the last call. */
const leftOf = (store: StoreContext) =>
  left.splice(0).flatMap((line) => (line.startsWith(`${store.id} `) ? [line.slice(store.id.length + 1)] : []))

const deliver = MailDelivery.use((delivery) => delivery.deliverDue)
const deliverAll = Effect.repeat(deliver, { times: 12 })
let orders = 0
const order = (storeId: string) => {
  const number = ++orders
  const event = orderCreated({ orderNumber: `#${number}`, customer: { email: `m${number}@example.com`, name: "Ada" } })
  return Effect.as(relay(storeId, event), number)
}
const storeWith = Effect.fnUntraced(function* (hourlyRateLimit: number) {
  const store = yield* openStore()
  yield* addOwner(store, `owner-${store.id}@example.com`)
  yield* Emails.use((emails) => emails.changeSettings(store, { hourlyRateLimit }))
  left.length = 0
  return store
})

layer(shopWith({ transport }).pipe(Layer.provideMerge(onTestDatabase)))("at the hourly pace", (it) => {
  it.effect("no mail about an order waits behind one to the owner", () =>
    Effect.gen(function* () {
      const store = yield* storeWith(2)
      const [first, second, third] = [yield* order(store.id), yield* order(store.id), yield* order(store.id)]
      yield* deliverAll
      assert.deepStrictEqual(leftOf(store), [`ORDER_CONFIRMATION #${first}`, `ORDER_CONFIRMATION #${second}`])
      yield* TestClock.adjust("30 minutes")
      const fourth = yield* order(store.id)
      yield* deliverAll
      assert.deepStrictEqual(leftOf(store), [`ORDER_CONFIRMATION #${third}`])
      yield* TestClock.adjust("30 minutes")
      yield* deliverAll
      assert.deepStrictEqual(leftOf(store), [`ORDER_CONFIRMATION #${fourth}`])
      yield* TestClock.adjust("30 minutes")
      yield* deliverAll
      assert.deepStrictEqual(leftOf(store), [`NEW_ORDER_ADMIN #${first}`])
    })
  )

  it.effect("a tenth of the hour's mails is kept for others than the owner", () =>
    Effect.gen(function* () {
      const store = yield* storeWith(20)
      for (let i = 0; i < 12; i++) yield* order(store.id)
      yield* deliverAll
      const kinds = leftOf(store).map((line) => line.split(" ")[0])
      assert.deepStrictEqual([kinds.filter((kind) => kind === "ORDER_CONFIRMATION").length, kinds.length], [12, 18])
      const late = yield* order(store.id)
      yield* deliverAll
      assert.deepStrictEqual(leftOf(store), [`ORDER_CONFIRMATION #${late}`])
    })
  )

  it.effect("mails to the owner that have waited for a day get one turn in ten, whatever else waits", () =>
    Effect.gen(function* () {
      const store = yield* storeWith(1)
      const first = yield* order(store.id)
      yield* deliverAll
      leftOf(store)
      for (let i = 0; i < 60; i++) yield* order(store.id)
      const kinds: Array<string> = []
      for (let hour = 0; hour < 45; hour++) {
        yield* TestClock.adjust("1 hour")
        yield* deliver
        kinds.push(...leftOf(store))
      }
      assert.lengthOf(kinds, 45)
      const toOwner = kinds.flatMap((kind, hour) => (kind.startsWith("NEW_ORDER_ADMIN") ? [hour] : []))
      assert.strictEqual(kinds[toOwner[0] ?? -1], `NEW_ORDER_ADMIN #${first}`)
      assert.isAtLeast(toOwner[0] ?? 0, 23)
      assert.isAtLeast(toOwner.length, 2)
      assert.isAtMost(toOwner.length, 3)
    })
  )

  it.effect("mails to the owner alone use the whole pace of a store with a low limit", () =>
    Effect.sync(() => {
      assert.deepStrictEqual(
        [merchantAllowed(0, 9, 0), merchantAllowed(0, 1, 0), merchantAllowed(3_600_000, 1, 0)],
        [true, true, false]
      )
      assert.deepStrictEqual(
        [merchantAllowed(3_600_000 * 0.9, 20, 0), merchantAllowed(3_600_000 * 0.8, 20, 0)],
        [false, true]
      )
      const turns = Array.from({ length: 30 }, (_, i) => isMerchantTurn(i * 3_600_000, 1))
      assert.strictEqual(turns.filter(Boolean).length, 3)
    })
  )
})
