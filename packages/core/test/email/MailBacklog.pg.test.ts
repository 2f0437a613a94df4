import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { Database } from "../../src/database/Database.ts"
import { CurrentStatementLog, makeStatementCounter } from "../../src/database/StatementLog.ts"
import { mailConsumer } from "../../src/email/MailConsumer.ts"
import { addOwner, onTestDatabase, openStore, orderCreated, orderData, queueOf, shopWith } from "./mailShop.ts"

const counter = makeStatementCounter()
const live = shopWith().pipe(
  Layer.provideMerge(onTestDatabase),
  Layer.provide(Layer.succeed(CurrentStatementLog, counter))
)

const line = {
  sku: "SKU",
  name: "A mug with a name as long as names get to be in a shop",
  quantity: 1,
  unitPrice: "12.50",
  totalPrice: "12.50"
}
const largeOrder = () => orderCreated({ ...orderData().order, items: Array.from({ length: 500 }, () => line) })

layer(live)("mails of large orders", (it) => {
  it.effect("are rendered outside of a transaction and inserted in it a piece at a time, each once", () =>
    Effect.gen(function* () {
      const store = yield* openStore()
      yield* addOwner(store, "owner@example.com")
      const { sql, write } = yield* Database
      const consumer = yield* mailConsumer
      const orders = Array.from({ length: 6 }, largeOrder)
      const prepare = consumer.prepare?.(store.id, orders) ?? Effect.die("nothing is made ready")

      counter.reset()
      const insert = yield* prepare
      assert.isTrue(Option.isNone(yield* Effect.serviceOption(sql.transactionService)))
      assert.isFalse(counter.statements().some((statement) => statement.startsWith("INSERT")))

      counter.reset()
      yield* write(store.id)(insert)
      const inserts = counter.statements().filter((statement) => statement.startsWith("INSERT INTO email_message"))
      const bytes = (yield* queueOf(store.id)).reduce((sum, { html }) => sum + html.length, 0)
      assert.isAbove(bytes, 512 * 1_024)
      assert.isAtLeast(inserts.length, Math.ceil(bytes / (512 * 1_024)))
      assert.isBelow(inserts.length, 12)
      assert.strictEqual((yield* queueOf(store.id)).length, 12)

      counter.reset()
      yield* write(store.id)(insert)
      assert.strictEqual((yield* queueOf(store.id)).length, 12)
    })
  )

  it.effect("cost one statement where they are small, and none where nobody is written to", () =>
    Effect.gen(function* () {
      const store = yield* openStore()
      const { write } = yield* Database
      const consumer = yield* mailConsumer
      const insertsOf = (events: ReadonlyArray<ReturnType<typeof orderCreated>>) =>
        Effect.gen(function* () {
          counter.reset()
          yield* write(store.id)(consumer.consume(store.id, events))
          return counter.statements().filter((statement) => statement.startsWith("INSERT")).length
        })
      assert.strictEqual(yield* insertsOf([orderCreated(), orderCreated(), orderCreated()]), 2)
      assert.strictEqual(yield* insertsOf([orderCreated({ customer: { email: null, name: null } })]), 0)
    })
  )
})
