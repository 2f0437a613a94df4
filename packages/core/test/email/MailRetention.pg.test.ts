import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Database } from "../../src/database/Database.ts"
import { keptMillis, MailRetention } from "../../src/email/MailRetention.ts"
import { eventOf, onTestDatabase, openStore, orderData, queueOf, relay, shopWith } from "./mailShop.ts"

const sweep = MailRetention.use((retention) => retention.sweep)
const order = (orderNumber: string) => eventOf("order.created", orderData({ orderNumber }))

/** Copies of a store's only mail, as old as it is. */
const copies = Effect.fnUntraced(function* (storeId: string, count: number) {
  const { sql, write } = yield* Database
  yield* write(
    storeId
  )(sql`INSERT INTO email_message (store_id, id, event_type, to_address, from_name, from_address, subject, html, plain_text, status, due_at,
      created_at, updated_at)
    SELECT store_id, id || n, event_type, to_address, from_name, from_address, subject, html, plain_text, CASE WHEN n % 2 = 0 THEN 'SENT' ELSE 'FAILED' END,
      due_at, created_at, updated_at FROM email_message, generate_series(1, ${count}) AS n WHERE store_id = ${storeId}`)
})

layer(shopWith().pipe(Layer.provideMerge(onTestDatabase)))("mails that are kept", (it) => {
  it.effect(
    "are kept for thirty days, and then no longer: however many, whatever became of them, one store's and not another's",
    () =>
      Effect.gen(function* () {
        const [store, other, quiet] = [yield* openStore(), yield* openStore(), yield* openStore()]
        yield* relay(store.id, order("#1"))
        yield* copies(store.id, 1_200)
        yield* TestClock.adjust(1)
        yield* relay(store.id, order("#2"))
        yield* relay(other.id, order("#3"))
        const counts = Effect.map(
          Effect.forEach([store, other, quiet], ({ id }) => queueOf(id)),
          (queues) => queues.map((queue) => queue.length)
        )
        yield* TestClock.adjust(keptMillis - 1)
        yield* sweep
        assert.deepStrictEqual(yield* counts, [1_202, 1, 0])
        yield* TestClock.adjust(1)
        yield* sweep
        assert.deepStrictEqual(yield* counts, [1, 1, 0])
        yield* TestClock.adjust(1)
        yield* sweep
        assert.deepStrictEqual(yield* counts, [0, 0, 0])
      })
  )
})
