import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import pg from "pg"
import { Database } from "../../src/database/Database.ts"
import { EmailMessageRepository } from "../../src/email/EmailMessageRepository.ts"
import { Emails } from "../../src/email/Emails.ts"
import { TemplateMails } from "../../src/email/TemplateMails.ts"
import { EmailTemplates } from "../../src/template/EmailTemplates.ts"
import { MailDelivery } from "../../src/email/MailDelivery.ts"
import { MailQueueRepository } from "../../src/email/MailQueueRepository.ts"
import { type Transport, MailUndelivered } from "../../src/smtp/MailTransport.ts"
import { TestDatabase } from "../../src/testing/TestDatabase.ts"
import { addOwner, onTestDatabase, openStore, orderCreated, relay, shopWith, tokenEvent } from "./mailShop.ts"

interface Left {
  readonly storeId: string
  readonly to: string
  readonly kind: string
  readonly number: number
}
const left: Array<Left> = []
const busy = new Set<string>()
const transport: Transport = {
  keeps: false,
  fromAddress: "post@host.example",
  deliver: ({ storeId, to, eventType, subject }) =>
    busy.has(to)
      ? Effect.fail(new MailUndelivered({ reason: "451 busy", permanent: false, unreachable: false }))
      : Effect.sync(
          () => (left.push({ storeId, to, kind: eventType, number: Number(/#(\d+)/.exec(subject)?.[1]) }), "SENT")
        )
}
const leftFrom = (storeId: string) => left.filter((mail) => mail.storeId === storeId)
const kindsFrom = (storeId: string) => leftFrom(storeId).map(({ kind }) => kind)
const numbersTo = (storeId: string, to: string) =>
  leftFrom(storeId).flatMap((mail) => (mail.to === to ? [mail.number] : []))

const deliver = MailDelivery.use((delivery) => delivery.deliverDue)
/** Rounds until nothing more leaves. */
const deliverAll: Effect.Effect<void, never, MailDelivery> = Effect.suspend(() => {
  const before = left.length
  return Effect.andThen(
    Effect.andThen(deliver, deliver),
    Effect.suspend(() => (left.length > before ? deliverAll : Effect.void))
  )
})

/** A store that may send a thousand mails an hour. */
const fastStore = Effect.gen(function* () {
  const store = yield* openStore()
  yield* Emails.use((emails) => emails.changeSettings(store, { hourlyRateLimit: 1_000 }))
  return store
})
let addresses = 0
const address = () => `reader${++addresses}@example.com`
const orders = (first: number, last: number, email: string) =>
  Array.from({ length: last - first + 1 }, (_, i) =>
    orderCreated({ orderNumber: `#${first + i}`, customer: { email, name: "Ada" } })
  )
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i)

const statesTo = Effect.fnUntraced(function* (storeId: string, to: string) {
  const { sql } = yield* Database
  return yield* sql<{ readonly status: string; readonly count: number; readonly lastError: string | null }>`
    SELECT status, count(*)::int AS count, max(last_error) AS last_error FROM email_message WHERE store_id = ${storeId} AND to_address = ${to}
    GROUP BY status ORDER BY status`
})

layer(shopWith({ transport }).pipe(Layer.provideMerge(onTestDatabase)))("mails of a store that wait", (it) => {
  it.effect(
    "let one with a token go first, then confirmations of orders, whatever was queued before them, at the pace of the store",
    () =>
      Effect.gen(function* () {
        const store = yield* openStore()
        yield* addOwner(store, address())
        yield* Emails.use((emails) => emails.changeSettings(store, { hourlyRateLimit: 4 }))
        const templates = yield* EmailTemplates
        const made = yield* templates.create(store, {
          name: "n",
          eventType: "ORDER_NOTE",
          language: "en",
          subject: "n",
          htmlContent: "n"
        })
        for (let i = 0; i < 26; i++) yield* TemplateMails.use((mails) => mails.send(store, made.id, { to: address() }))
        yield* relay(store.id, ...orders(1, 2, address()))
        yield* relay(store.id, yield* tokenEvent("internal.password_reset", store.id))
        yield* deliver
        assert.deepStrictEqual(kindsFrom(store.id), [
          "PASSWORD_RESET",
          "ORDER_CONFIRMATION",
          "ORDER_CONFIRMATION",
          "ORDER_NOTE"
        ])
        yield* relay(store.id, yield* tokenEvent("internal.email_verification", store.id))
        yield* TestClock.adjust("15 minutes")
        yield* deliver
        assert.deepStrictEqual(kindsFrom(store.id).slice(4), ["EMAIL_VERIFICATION"])
      })
  )

  it.effect("let one with a token go before those that are to be tried again", () =>
    Effect.gen(function* () {
      const [store, to] = [yield* fastStore, address()]
      busy.add(to)
      yield* relay(store.id, ...orders(1, 12, to))
      yield* deliverAll
      yield* deliverAll
      busy.delete(to)
      yield* TestClock.adjust("30 seconds")
      yield* relay(store.id, yield* tokenEvent("internal.password_reset", store.id))
      yield* deliver
      assert.strictEqual(kindsFrom(store.id)[0], "PASSWORD_RESET")
      yield* deliverAll
      assert.deepStrictEqual(numbersTo(store.id, to), range(1, 12))
    })
  )

  it.effect(
    "go to one address twenty times an hour: the next one waits and is not lost, holds up nobody else, and counts for no other store",
    () =>
      Effect.gen(function* () {
        const [store, neighbour, to, near] = [yield* fastStore, yield* fastStore, address(), address()]
        yield* relay(store.id, ...orders(1, 45, to), ...orders(46, 46, near))
        yield* relay(neighbour.id, ...orders(1, 20, to))
        yield* deliverAll
        assert.deepStrictEqual(
          [numbersTo(store.id, to), numbersTo(store.id, near), numbersTo(neighbour.id, to)],
          [range(1, 20), [46], range(1, 20)]
        )
        yield* TestClock.adjust(3_599_999)
        yield* deliverAll
        assert.lengthOf(numbersTo(store.id, to), 20)
        yield* TestClock.adjust(1)
        yield* deliverAll
        assert.deepStrictEqual(numbersTo(store.id, to), range(1, 40))
        yield* TestClock.adjust("1 hour")
        yield* deliverAll
        assert.deepStrictEqual(numbersTo(store.id, to), range(1, 45))
      })
  )

  it.effect(
    "go to one address twenty times in any hour, also where they were spread over it and where workers were away in between",
    () =>
      Effect.gen(function* () {
        const [store, to] = [yield* fastStore, address()]
        yield* relay(store.id, ...orders(1, 10, to))
        yield* deliverAll
        yield* TestClock.adjust("30 minutes")
        yield* relay(store.id, ...orders(11, 70, to))
        yield* deliverAll
        assert.lengthOf(numbersTo(store.id, to), 20)
        yield* TestClock.adjust("30 minutes")
        yield* deliverAll
        assert.lengthOf(numbersTo(store.id, to), 30)
        yield* TestClock.adjust("5 hours")
        yield* deliverAll
        assert.deepStrictEqual(numbersTo(store.id, to), range(1, 50))
        yield* TestClock.adjust("1 hour")
        yield* deliverAll
        assert.deepStrictEqual(numbersTo(store.id, to), range(1, 70))
      })
  )

  it.effect("are of one address however it is written", () =>
    Effect.gen(function* () {
      const [store, to] = [yield* fastStore, address()]
      const templates = yield* EmailTemplates
      const made = yield* templates.create(store, {
        name: "n",
        eventType: "ORDER_NOTE",
        language: "en",
        subject: "#{{n}}",
        htmlContent: "n"
      })
      for (let n = 1; n <= 21; n++)
        yield* TemplateMails.use((mails) =>
          mails.send(store, made.id, { to: n % 2 === 0 ? ` ${to.toUpperCase()} ` : to, variables: { n } })
        )
      yield* deliverAll
      assert.deepStrictEqual(numbersTo(store.id, to), range(1, 20))
    })
  )

  it.effect("let one with a token go to an address that has had its twenty", () =>
    Effect.gen(function* () {
      const [store, to] = [yield* fastStore, address()]
      yield* relay(store.id, ...orders(1, 30, to))
      yield* deliverAll
      yield* relay(store.id, yield* tokenEvent("internal.password_reset", store.id, { email: to }))
      yield* deliverAll
      assert.deepStrictEqual(kindsFrom(store.id).slice(20), ["PASSWORD_RESET"])
    })
  )

  it.effect("for an address confirm orders first, and give up what would not leave within a day", () =>
    Effect.gen(function* () {
      const store = yield* fastStore
      const owner = address()
      yield* addOwner(store, owner)
      yield* relay(store.id, ...orders(1, 502, owner))
      yield* Emails.use((emails) => emails.changeSettings(store, { eventSettings: { NEW_ORDER_ADMIN: false } }))
      yield* deliverAll
      assert.deepStrictEqual(new Set(kindsFrom(store.id)), new Set(["ORDER_CONFIRMATION"]))
      for (let i = 0; i < 60; i++) yield* deliver
      const states = yield* statesTo(store.id, owner)
      // Twenty confirmations have left, 482 wait for a little more than a day: what is behind them and is no
      // confirmation is given up.
      assert.deepStrictEqual(
        states.map(({ status, count }) => [status, count]),
        [
          ["FAILED", 502],
          ["QUEUED", 482],
          ["SENT", 20]
        ]
      )
      assert.include(states[0]?.lastError, "20 mails an hour")
    })
  )

  it.effect("are not sent once their link has ended", () =>
    Effect.gen(function* () {
      const [store, to] = [yield* fastStore, address()]
      yield* Emails.use((emails) => emails.changeSettings(store, { emailsEnabled: true }))
      yield* relay(store.id, yield* tokenEvent("internal.password_reset", store.id, { email: to }))
      yield* relay(store.id, yield* tokenEvent("internal.email_verification", store.id, { email: to }))
      yield* TestClock.adjust("1 hour")
      yield* deliverAll
      assert.deepStrictEqual(kindsFrom(store.id), ["EMAIL_VERIFICATION"])
      assert.deepStrictEqual(yield* statesTo(store.id, to), [
        { status: "FAILED", count: 1, lastError: "its link ended before it could leave" },
        { status: "SENT", count: 1, lastError: null }
      ])
    })
  )
})

/** Pages of email_message and its indexes that this transaction has looked at. */
const pagesRead = Effect.map(
  Database.use(
    ({ sql }) => sql<{
      readonly pages: number
    }>`SELECT sum(pg_stat_get_xact_blocks_fetched(c.oid))::int AS pages FROM pg_class c
      WHERE c.oid = 'email_message'::regclass OR c.oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'email_message'::regclass)`
  ),
  ([row]) => row?.pages ?? 0
)

layer(shopWith({ transport }).pipe(Layer.provideMerge(onTestDatabase)))("a backlog of 100,000 mails", (it) => {
  it.effect("is not read to find, postpone or sweep: a few pages, with figures of the table and without", () =>
    Effect.gen(function* () {
      const store = yield* fastStore
      const client = yield* Effect.acquireRelease(
        Effect.map(TestDatabase, ({ nodePostgres }) => new pg.Client(nodePostgres)),
        (open) => Effect.promise(() => open.end())
      )
      const run = (text: string) => Effect.promise(() => client.query(text))
      yield* Effect.promise(() => client.connect())
      // A quarter waits for its address, a quarter for its next attempt; a tenth is for one address.
      yield* run(`INSERT INTO email_message (store_id, id, event_type, to_address, from_name, from_address, subject, html, plain_text, due_at, created_at, updated_at,
          priority, counted_at, attempts)
        SELECT '${store.id}', 'mail_' || n, 'ORDER_NOTE', 'flood' || n / 10 % 10 || '@example.com', 'x', 'x', 'x', 'x', 'x', later, 'epoch', 'epoch', 2,
          CASE n % 4 WHEN 0 THEN timestamptz 'epoch' WHEN 1 THEN later END, CASE WHEN n % 4 = 0 THEN 1 ELSE 0 END
        FROM generate_series(1, 100000) AS n, LATERAL (SELECT timestamptz 'epoch' + interval '1 day' AS later) AS times`)
      yield* run(`INSERT INTO email_pace (store_id, full_at) VALUES ('${store.id}', 'epoch')`)
      const messages = yield* EmailMessageRepository
      const queue = yield* MailQueueRepository
      const { write } = yield* Database
      const now = new Date(0)
      const pagesOf = <A>(look: Effect.Effect<A>) =>
        write(store.id)(
          Effect.gen(function* () {
            const before = yield* pagesRead
            const found = yield* look
            return { found, pages: (yield* pagesRead) - before }
          })
        )
      const most: Array<number> = []
      for (const figures of [false, true]) {
        if (figures) yield* run("ANALYZE email_message")
        const waiting = yield* pagesOf(queue.storesWaiting(now))
        assert.include(waiting.found, store.id)
        const next = yield* pagesOf(queue.lockNext(store.id, now, { others: true, merchant: true }))
        assert.strictEqual(next.found?.id, figures ? "mail_3" : "mail_2")
        const paced = yield* pagesOf(queue.lockNext(store.id, now, { others: false, merchant: false }))
        assert.isUndefined(paced.found)
        const postponed = yield* pagesOf(
          next.found === undefined ? Effect.void : queue.postpone(store.id, next.found, now)
        )
        const older = yield* pagesOf(messages.removeOlder(store.id, { after: 0n, before: now, most: 500 }))
        most.push(waiting.pages, next.pages, paced.pages, postponed.pages, older.pages)
      }
      assert.isBelow(Math.max(...most), 100, most.join())
    })
  )
})
