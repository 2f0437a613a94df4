import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { afterAll } from "vitest"
import { RootSecret } from "../../src/crypto/RootSecret.ts"
import { Database } from "../../src/database/Database.ts"
import { Emails } from "../../src/email/Emails.ts"
import { sealContext, sealPurpose } from "../../src/email/MailComposer.ts"
import { EmailTemplates } from "../../src/template/EmailTemplates.ts"
import { mostAttempts, retryDelays } from "../../src/email/internal/mailAttempt.ts"
import { MailDelivery } from "../../src/email/MailDelivery.ts"
import { type MailOptions, MailTransport, type Transport, MailUndelivered } from "../../src/smtp/MailTransport.ts"
import { openPostOffice, type Received } from "./mailServer.ts"
import { onTestDatabase, openStore, orderCreated, queueOf, relay, shopWith, tokenEvent } from "./mailShop.ts"

const office = await openPostOffice()
afterAll(() => office.close())

const deliver = MailDelivery.use((delivery) => delivery.deliverDue)
const order = (orderNumber: string, email: string) => orderCreated({ orderNumber, customer: { email, name: "Ada" } })
/** Orders #first to #last, in that order. */
const orders = (first: number, last: number, email: string) =>
  Array.from({ length: last - first + 1 }, (_, i) => order(`#${first + i}`, email))
/** What came for an address, in the order of its arrival. */
const arrivedFor = (email: string) => office.mails.filter(({ envelopeTo }) => envelopeTo.includes(email))
const numberOf = ({ subject }: Received) => Number(/#(\d+)/.exec(subject ?? "")?.[1])
const statesOf = (storeId: string) =>
  Effect.map(queueOf(storeId), (rows) => rows.map(({ status, attempts }) => `${status} ${attempts}`))
let shoppers = 0
const shopper = () => `shopper${++shoppers}@example.com`

/** Every line that is logged while it runs, annotations included. */
const logsOf = Effect.fnUntraced(function* <A, E, R>(body: Effect.Effect<A, E, R>) {
  const lines: Array<string> = []
  const logger = Logger.make((options) => void lines.push(Logger.formatJson.log(options)))
  yield* Effect.provide(body, Logger.layer([logger]))
  return lines.join("\n")
})

/** A worker that dies between the server's last word and the record: it sends, and is never heard of again. */
const dying = Layer.effect(
  MailTransport,
  Effect.map(
    MailTransport,
    (smtp): Transport => ({ ...smtp, deliver: (mail) => Effect.andThen(smtp.deliver(mail), Effect.never) })
  )
)

/** A database that refuses the three writes that follow on a mail's leaving. */
const awayOnceSent = Layer.unwrap(
  Effect.gen(function* () {
    const [database, smtp] = [yield* Database, yield* MailTransport]
    let refusals = 0
    const write: typeof database.write = (storeId) => (body) =>
      Effect.suspend(() =>
        refusals-- > 0 ? Effect.die(new Error("the database is away")) : database.write(storeId)(body)
      )
    const deliver: Transport["deliver"] = (mail) =>
      Effect.tap(smtp.deliver(mail), () => Effect.sync(() => void (refusals = 3)))
    return Layer.mergeAll(
      Layer.succeed(Database, { ...database, write }),
      Layer.succeed(MailTransport, { ...smtp, deliver })
    )
  })
)

const away = await openPostOffice()
await away.close()

const guarded = await openPostOffice({ login: { user: "shop@mugs.example", password: "p@ss word" } })
afterAll(() => guarded.close())
const withLogin = (login: string, query = "") => `smtp://${login}@127.0.0.1:${guarded.port}${query}`

const ownWay: Array<string> = []
const transport: Transport = {
  keeps: false,
  fromAddress: "post@host.example",
  deliver: ({ to, subject }) =>
    to.startsWith("full")
      ? Effect.fail(new MailUndelivered({ reason: "mailbox full", permanent: true, unreachable: false }))
      : Effect.sync(() => (ownWay.push(`${to}: ${subject}`), "SENT"))
}

/** The same database with another way out. */
const over = (options: MailOptions) => Effect.provide(Layer.fresh(shopWith(options)))

/** Each test has a clock of its own that begins at zero: what another one has left to be tried later is not due. */
layer(
  shopWith({ smtpUrl: `${office.url}?from=shop@mugs.example`, publicUrl: "https://mugs.example" }).pipe(
    Layer.provideMerge(onTestDatabase)
  )
)("a mail over SMTP", (it) => {
  it.effect(
    "arrives as it was written, to one recipient, from the store, with nothing in its head but what belongs there",
    () =>
      Effect.gen(function* () {
        const store = yield* openStore('Mügs "&" <co>, evil@example.com\r\nBcc: evil@example.com')
        const to = shopper()
        yield* Emails.use((emails) =>
          emails.changeSettings(store, { defaultReplyTo: "help@mugs.example", footerAddress: "1 High Street\nLondon" })
        )
        yield* relay(store.id, order("#1\r\nBcc: evil@example.com", to))
        yield* deliver
        const [mail, ...more] = arrivedFor(to)
        assert.deepStrictEqual(more, [])
        assert.deepStrictEqual([mail?.envelopeFrom, mail?.envelopeTo], ["shop@mugs.example", [to]])
        const from = mail?.from?.value.map(({ name, address }) => ({ name, address }))
        assert.deepStrictEqual(from, [
          { name: 'Mügs "&" <co>, evil@example.com Bcc: evil@example.com', address: "shop@mugs.example" }
        ])
        assert.deepStrictEqual([mail?.to?.text, mail?.replyTo?.text], [to, "help@mugs.example"])
        assert.strictEqual(mail?.subject, `Your order #1 Bcc: evil@example.com at ${store.name.replace("\r\n", " ")}`)
        assert.include(mail?.text, "2 x Mug <blue> (MUG), with Gift <wrap>, 2 × Card: $25.00")
        assert.include(mail?.text, "Reply to this mail and name your order number.")
        assert.include(mail?.text, "1 High Street\nLondon")
        assert.include(mail?.html || "", "2 &times; Mug &lt;blue&gt;")
        assert.include(mail?.html || "", "M&uuml;gs".replace("&uuml;", "ü"))
        assert.deepStrictEqual(mail?.headerLines.map(({ key }) => key).toSorted(), [
          "auto-submitted",
          "content-type",
          "date",
          "from",
          "message-id",
          "mime-version",
          "reply-to",
          "subject",
          "to",
          "x-auto-response-suppress"
        ])
        assert.deepStrictEqual(yield* statesOf(store.id), ["SENT 1"])
      })
  )

  it.effect("brings the link with its token, which stays in no row and in no log", () =>
    Effect.gen(function* () {
      const store = yield* openStore()
      const to = shopper()
      const logs = yield* logsOf(
        Effect.gen(function* () {
          office.refuse = () => ({ code: 451, text: "later" })
          yield* relay(store.id, yield* tokenEvent("internal.email_verification", store.id, { email: to }))
          yield* deliver
          office.refuse = () => undefined
          yield* TestClock.adjust("30 seconds")
          yield* deliver
        })
      )
      const [mail] = arrivedFor(to)
      assert.include(mail?.text, "https://mugs.example/verify-email?token=tok-SECRET_123")
      assert.include(mail?.html || "", 'href="https://mugs.example/verify-email?token=tok-SECRET_123"')
      assert.include(logs, "451")
      assert.notInclude(logs, "SECRET")
      const [row] = yield* queueOf(store.id)
      assert.notInclude(JSON.stringify(row), "SECRET")
      assert.deepStrictEqual([row?.status, row?.sealed], ["SENT", null])
    })
  )

  it.effect(
    "where nobody has said where the shop is reached has no link, least of all to the reader's own machine, and says in words where the token goes",
    () =>
      Effect.gen(function* () {
        const store = yield* openStore()
        const [to, other] = [shopper(), shopper()]
        const own = {
          name: "own",
          eventType: "PASSWORD_RESET",
          language: "en",
          subject: "own",
          htmlContent: '<a href="{{resetUrl}}">here</a>'
        } as const
        yield* EmailTemplates.use((templates) => templates.create(store, own))
        yield* relay(store.id, yield* tokenEvent("internal.email_verification", store.id, { email: to }))
        yield* relay(store.id, yield* tokenEvent("internal.password_reset", store.id, { email: other }))
        yield* deliver
        const [[verification], [reset]] = [arrivedFor(to), arrivedFor(other)]
        assert.include(verification?.text, "add this to its address:\n\n/verify-email?token=tok-SECRET_123\n")
        assert.include(reset?.text, "/reset-password?token=tok-SECRET_123\n")
        assert.include(reset?.html || "", "/reset-password?token=tok-SECRET_123<")
        for (const mail of [verification, reset])
          assert.notMatch(`${mail?.text}${mail?.html || ""}`, /https?:|localhost|href/)
      }).pipe(over({ smtpUrl: `${office.url}?from=shop@mugs.example` }))
  )

  it.effect("refused with 4xx is tried again as the schedule says, and given up after the last time", () =>
    Effect.gen(function* () {
      const store = yield* openStore()
      const to = shopper()
      office.refuse = (recipient) => (recipient === to ? { code: 451, text: "mailbox busy" } : undefined)
      yield* relay(store.id, order("#1", to))
      yield* deliver
      for (const [index, delay] of retryDelays.entries()) {
        assert.deepStrictEqual(yield* statesOf(store.id), [`QUEUED ${index + 1}`])
        yield* TestClock.adjust(delay - 1)
        if (index < 2) yield* deliver
        assert.deepStrictEqual(yield* statesOf(store.id), [`QUEUED ${index + 1}`])
        yield* TestClock.adjust(1)
        yield* deliver
      }
      assert.deepStrictEqual(yield* statesOf(store.id), [`FAILED ${mostAttempts}`])
      assert.include((yield* queueOf(store.id))[0]?.lastError, "451 mailbox busy")
      office.refuse = () => undefined
      yield* TestClock.adjust("30 days")
      yield* deliver
      assert.deepStrictEqual(arrivedFor(to), [])
    })
  )

  it.effect("refused with 5xx is given up at once, and holds up none behind it", () =>
    Effect.gen(function* () {
      const store = yield* openStore()
      const [gone, here] = [shopper(), shopper()]
      office.refuse = (recipient) => (recipient === gone ? { code: 550, text: "no such user" } : undefined)
      yield* relay(store.id, order("#1", gone), order("#2", here))
      yield* deliver
      assert.deepStrictEqual(yield* statesOf(store.id), ["FAILED 1", "SENT 1"])
      assert.include((yield* queueOf(store.id))[0]?.lastError, "550 no such user")
      yield* TestClock.adjust("30 days")
      yield* deliver
      assert.deepStrictEqual([arrivedFor(gone).length, arrivedFor(here).length], [0, 1])
      office.refuse = () => undefined
    })
  )

  it.effect("waits for its turn: as many at once as an hour allows, then one after another, in order, each once", () =>
    Effect.gen(function* () {
      const [store, neighbour] = [yield* openStore(), yield* openStore()]
      const [to, near] = [shopper(), shopper()]
      yield* Emails.use((emails) => emails.changeSettings(store, { hourlyRateLimit: 5 }))
      yield* relay(store.id, ...orders(1, 9, to))
      yield* relay(neighbour.id, ...orders(1, 9, near))
      yield* deliver
      yield* deliver
      assert.deepStrictEqual(arrivedFor(to).map(numberOf), [1, 2, 3, 4, 5])
      assert.deepStrictEqual(arrivedFor(near).map(numberOf), [1, 2, 3, 4, 5, 6, 7, 8, 9])
      yield* TestClock.adjust("719 seconds")
      yield* deliver
      assert.lengthOf(arrivedFor(to), 5)
      yield* TestClock.adjust("1 second")
      yield* deliver
      assert.deepStrictEqual(arrivedFor(to).map(numberOf), [1, 2, 3, 4, 5, 6])
      yield* TestClock.adjust("24 minutes")
      yield* deliver
      assert.deepStrictEqual(arrivedFor(to).map(numberOf), [1, 2, 3, 4, 5, 6, 7, 8])
      yield* Emails.use((emails) => emails.changeSettings(store, { hourlyRateLimit: 1_000 }))
      yield* TestClock.adjust("3600 millis")
      yield* deliver
      assert.deepStrictEqual(arrivedFor(to).map(numberOf), [1, 2, 3, 4, 5, 6, 7, 8, 9])
    })
  )

  it.effect(
    "stays where it is while the store has switched its mails off, also one that is to be tried again, and leaves afterwards",
    () =>
      Effect.gen(function* () {
        const store = yield* openStore()
        const [busy, to] = [shopper(), shopper()]
        const enable = (emailsEnabled: boolean) =>
          Emails.use((emails) => emails.changeSettings(store, { emailsEnabled }))
        yield* Emails.use((emails) => emails.changeSettings(store, { hourlyRateLimit: 1 }))
        office.refuse = (recipient) => (recipient === busy ? { code: 451, text: "mailbox busy" } : undefined)
        yield* relay(store.id, order("#1", busy), order("#2", to))
        yield* deliver
        office.refuse = () => undefined
        yield* enable(false)
        yield* TestClock.adjust("2 hours")
        yield* deliver
        assert.deepStrictEqual(yield* statesOf(store.id), ["QUEUED 1", "QUEUED 0"])
        yield* enable(true)
        yield* deliver
        assert.deepStrictEqual(yield* statesOf(store.id), ["SENT 2", "SENT 1"])
      })
  )

  it.effect("does not stand behind another store's flood", () =>
    Effect.gen(function* () {
      const flooding = [yield* openStore(), yield* openStore(), yield* openStore(), yield* openStore()]
      const [to, flood] = [shopper(), shopper()]
      const quiet = yield* openStore()
      for (const store of flooding) yield* relay(store.id, ...orders(1, 12, flood))
      yield* relay(quiet.id, order("#1", to))
      yield* deliver
      assert.deepStrictEqual([arrivedFor(flood).length, arrivedFor(to).length], [40, 1])
      yield* deliver
      assert.lengthOf(arrivedFor(flood), 48)
    })
  )

  it.effect("is sent once by two workers that are at it at the same time", () =>
    Effect.gen(function* () {
      const stores = [yield* openStore(), yield* openStore()]
      const to = shopper()
      for (const store of stores) yield* relay(store.id, ...orders(1, 8, to))
      const other = Effect.provide(deliver, Layer.fresh(MailDelivery.layer))
      yield* Effect.all([deliver, other, deliver, other], { concurrency: "unbounded" })
      yield* deliver
      assert.deepStrictEqual(
        arrivedFor(to)
          .map(numberOf)
          .toSorted((a, b) => a - b),
        [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8]
      )
      assert.lengthOf(new Set(arrivedFor(to).map(({ messageId }) => messageId)), 16)
      for (const store of stores) assert.deepStrictEqual(new Set(yield* statesOf(store.id)), new Set(["SENT 1"]))
    })
  )

  it.effect("that left while the database was away is recorded once it is back, and not sent again", () =>
    Effect.gen(function* () {
      const store = yield* openStore()
      const to = shopper()
      yield* relay(store.id, order("#1", to))
      const working = yield* Effect.forkChild(
        Effect.provide(deliver, Layer.fresh(MailDelivery.layer).pipe(Layer.provide(awayOnceSent)))
      )
      while (arrivedFor(to).length === 0) yield* Effect.promise(() => new Promise(setImmediate))
      for (let i = 0; i < 100 && (yield* statesOf(store.id))[0] !== "SENT 1"; i++) yield* TestClock.adjust("100 millis")
      yield* Fiber.join(working)
      assert.deepStrictEqual(yield* statesOf(store.id), ["SENT 1"])
      yield* TestClock.adjust("1 minute")
      yield* deliver
      assert.lengthOf(arrivedFor(to), 1)
    })
  )

  it.effect("that is on its way when the worker is stopped is recorded, and not sent again", () =>
    Effect.gen(function* () {
      const store = yield* openStore()
      const to = shopper()
      const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      office.beforeAccepting = () => (reached.resolve(), opened.promise)
      yield* relay(store.id, ...orders(1, 2, to))
      const working = yield* Effect.forkChild(deliver)
      yield* Effect.promise(() => reached.promise)
      const stopping = yield* Effect.forkChild(Fiber.interrupt(working))
      opened.resolve()
      yield* Fiber.join(stopping)
      office.beforeAccepting = async () => {}
      assert.deepStrictEqual(yield* statesOf(store.id), ["SENT 1", "QUEUED 0"])
      yield* deliver
      assert.deepStrictEqual(arrivedFor(to).map(numberOf), [1, 2])
    })
  )

  it.effect(
    "of a worker that dies after it has sent is left to another one after the lease, under the same Message-ID",
    () =>
      Effect.gen(function* () {
        const store = yield* openStore()
        const to = shopper()
        yield* relay(store.id, order("#1", to))
        const dead = yield* Effect.forkDetach(
          Effect.provide(deliver, Layer.fresh(MailDelivery.layer).pipe(Layer.provide(dying)))
        )
        while (arrivedFor(to).length === 0) yield* Effect.promise(() => new Promise(setImmediate))
        yield* TestClock.adjust("29 seconds")
        yield* deliver
        assert.lengthOf(arrivedFor(to), 1)
        yield* TestClock.adjust("1 second")
        yield* deliver
        assert.deepStrictEqual(
          arrivedFor(to).map(({ messageId }) => messageId),
          Array(2).fill(arrivedFor(to)[0]?.messageId)
        )
        assert.deepStrictEqual(yield* statesOf(store.id), ["SENT 2"])
        dead.interruptUnsafe()
      })
  )

  it.effect("for a server that is not there costs an attempt, and no other mail does; all arrive once it is back", () =>
    Effect.gen(function* () {
      const store = yield* openStore()
      const to = shopper()
      yield* relay(store.id, ...orders(1, 4, to))
      yield* deliver
      yield* deliver
      assert.deepStrictEqual(yield* statesOf(store.id), ["QUEUED 1", "QUEUED 0", "QUEUED 0", "QUEUED 0"])
      assert.include((yield* queueOf(store.id))[0]?.lastError, "ECONNREFUSED")
      yield* TestClock.adjust("5 seconds")
      yield* deliver
      assert.deepStrictEqual(yield* statesOf(store.id), ["QUEUED 1", "QUEUED 1", "QUEUED 0", "QUEUED 0"])
      const back = yield* Effect.promise(() => openPostOffice({ port: away.port }))
      yield* TestClock.adjust("9 seconds")
      yield* deliver
      assert.deepStrictEqual(back.mails.map(numberOf), [])
      yield* TestClock.adjust("1 second")
      yield* deliver
      assert.deepStrictEqual(back.mails.map(numberOf), [3, 4])
      yield* TestClock.adjust("20 seconds")
      yield* deliver
      assert.deepStrictEqual(back.mails.map(numberOf), [3, 4, 1, 2])
      assert.deepStrictEqual(yield* statesOf(store.id), ["SENT 2", "SENT 2", "SENT 1", "SENT 1"])
      yield* Effect.promise(back.close)
    }).pipe(over({ smtpUrl: away.url }))
  )

  const attempt = (smtpUrl: string) =>
    Effect.gen(function* () {
      const store = yield* openStore()
      yield* relay(store.id, order("#1", shopper()))
      const logs = yield* logsOf(deliver)
      const [row] = yield* queueOf(store.id)
      return { status: row?.status, lastError: row?.lastError ?? "", logs }
    }).pipe(over({ smtpUrl }))

  it.effect(
    "for a server that asks who we are goes there over TLS; the user is the sender where it is an address",
    () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* attempt(withLogin("shop%40mugs.example:p%40ss%20word"))).status, "SENT")
        const [mail] = guarded.mails
        assert.deepStrictEqual(
          [mail?.overTls, mail?.user, mail?.envelopeFrom],
          [true, "shop@mugs.example", "shop@mugs.example"]
        )
      })
  )

  it.effect("for a server that does not know us waits, and no log says what we told it", () =>
    Effect.gen(function* () {
      const tried = yield* attempt(withLogin("shop%40mugs.example:hunter%232"))
      assert.strictEqual(tried.status, "QUEUED")
      assert.include(tried.lastError, "Invalid credentials")
      assert.notMatch(`${tried.lastError}\n${tried.logs}`, /hunter/)
    })
  )

  it.effect("does not go where the certificate must hold and does not", () =>
    Effect.gen(function* () {
      const before = guarded.mails.length
      const tried = yield* attempt(withLogin("shop%40mugs.example:p%40ss%20word", "?tls=verify"))
      assert.strictEqual(tried.status, "QUEUED")
      assert.match(tried.lastError, /certificate/i)
      assert.strictEqual(guarded.mails.length, before)
    })
  )

  it.effect(
    "that was sealed for a server is whole in the mailbox where there is none any more, and given up where the secret is another",
    () =>
      Effect.gen(function* () {
        const [store, other] = [yield* openStore(), yield* openStore()]
        for (const { id } of [store, other]) yield* relay(id, yield* tokenEvent("internal.password_reset", id))
        const { sql, write } = yield* Database
        yield* write(other.id)(
          sql`UPDATE email_message SET sealed = (SELECT sealed FROM email_message WHERE store_id = ${store.id}) WHERE store_id = ${other.id}`
        )
        assert.notInclude((yield* queueOf(store.id))[0]?.plainText, "SECRET")
        yield* deliver.pipe(over({}))
        const [row] = yield* queueOf(store.id)
        assert.deepStrictEqual([row?.status, row?.sealed], ["KEPT", null])
        for (const body of [row?.plainText, row?.html])
          assert.include(body, "https://mugs.example/reset-password?token=tok-SECRET_123")
        const [strange] = yield* queueOf(other.id)
        assert.deepStrictEqual([strange?.status, strange?.attempts], ["FAILED", 1])
        assert.include(strange?.lastError, "does not open")
      })
  )

  it.effect("is given up where its sealed body is not what this release stores", () =>
    Effect.gen(function* () {
      const store = yield* openStore()
      yield* relay(store.id, yield* tokenEvent("internal.password_reset", store.id))
      const { sql, write } = yield* Database
      const [mail] = yield* sql<{ readonly id: string }>`SELECT id FROM email_message WHERE store_id = ${store.id}`
      const other = JSON.stringify({ html: "<p>of another release</p>", parts: [] })
      const sealed = (yield* RootSecret).seal(sealPurpose, sealContext(store.id, mail?.id ?? ""), other)
      yield* write(store.id)(sql`UPDATE email_message SET sealed = ${sealed} WHERE store_id = ${store.id}`)
      yield* deliver
      const [row] = yield* queueOf(store.id)
      assert.deepStrictEqual(
        [row?.status, row?.attempts, row?.lastError],
        ["FAILED", 1, "its sealed body cannot be read: its data have another shape, at text"]
      )
    })
  )

  it.effect("takes a host's own way in place of SMTP, with the same queue and record", () =>
    Effect.gen(function* () {
      const store = yield* openStore()
      yield* relay(store.id, order("#1", "full@example.com"), order("#2", "ada@example.com"))
      yield* deliver
      assert.deepStrictEqual(ownWay, ["ada@example.com: Your order #2 at Test Shop"])
      assert.deepStrictEqual(yield* statesOf(store.id), ["FAILED 1", "SENT 1"])
    }).pipe(over({ transport }))
  )

  it.effect("without a server is kept, its link readable, and named in the log without its token", () =>
    Effect.gen(function* () {
      const store = yield* openStore()
      yield* relay(store.id, yield* tokenEvent("internal.password_reset", store.id))
      const logs = yield* logsOf(deliver)
      assert.include(logs, "ada@example.com")
      assert.notInclude(logs, "SECRET")
      const [row] = yield* queueOf(store.id)
      assert.strictEqual(row?.status, "KEPT")
      assert.include(row?.plainText, "http://localhost/reset-password?token=tok-SECRET_123")
    }).pipe(over({}))
  )
})
