import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { Emails } from "../../src/email/Emails.ts"
import { EmailTemplates } from "../../src/template/EmailTemplates.ts"
import { SalesChannels } from "../../src/store/SalesChannels.ts"
import { Stores } from "../../src/store/Stores.ts"
import {
  addOwner,
  eventOf,
  onTestDatabase,
  openStore,
  orderCreated,
  orderData,
  queueOf,
  relay,
  shopWith,
  tokenEvent
} from "./mailShop.ts"

const page = { page: 1, limit: 100 }
const messagesOf = Effect.fnUntraced(function* (storeId: string) {
  const store = yield* Stores.use((stores) => stores.context(storeId))
  return (yield* Emails.use((emails) => emails.messages(store, page))).items
})

layer(shopWith().pipe(Layer.provideMerge(onTestDatabase)))("a shop that keeps its mails", (it) => {
  it.effect("confirms an order to the buyer and tells the owner, once, however often the event is relayed", () =>
    Effect.gen(function* () {
      const store = yield* openStore()
      yield* addOwner(store, "owner@example.com")
      const event = orderCreated()
      yield* relay(store.id, event)
      yield* relay(store.id, event, event)
      const mails = yield* messagesOf(store.id)
      assert.deepStrictEqual(
        mails.map(({ to, from, subject, eventType, status }) => ({ to, from, subject, eventType, status })),
        [
          {
            to: "owner@example.com",
            from: "Test Shop <no-reply@localhost>",
            subject: "New order #1001: $46.80",
            eventType: "NEW_ORDER_ADMIN",
            status: "QUEUED"
          },
          {
            to: "ada@example.com",
            from: "Test Shop <no-reply@localhost>",
            subject: "Your order #1001 at Test Shop",
            eventType: "ORDER_CONFIRMATION",
            status: "QUEUED"
          }
        ]
      )
      const [, confirmation] = mails
      assert.notInclude(confirmation?.text, "Reply to this mail")
      assert.include(confirmation?.html, "Mug &lt;blue&gt;")
      assert.include(confirmation?.html, "Gift &lt;wrap&gt;, 2 × Card")
      assert.include(confirmation?.text, "2 x Mug <blue> (MUG), with Gift <wrap>, 2 × Card: $25.00")
      assert.include(confirmation?.text, "1 x Towel: $18.00")
      assert.include(confirmation?.text, "Discount: -$4.30\nShipping (Standard): $5.00\nTax: $3.10\nTotal: $46.80")
      assert.include(confirmation?.text, "Ada Byron\n1 Main St\nTown, CA 94105\nUS\n")
      assert.include(confirmation?.text, "November 21, 2026")
      assert.notInclude(JSON.stringify(mails), "never shown")
    })
  )

  it.effect("writes to nobody where there is nobody: no owner, no address of the buyer", () =>
    Effect.gen(function* () {
      const store = yield* openStore()
      yield* relay(store.id, orderCreated({ customer: { email: null, name: null } }))
      assert.deepStrictEqual(yield* messagesOf(store.id), [])
    })
  )

  it.effect("sends nothing that is switched off, as a whole or by kind", () =>
    Effect.gen(function* () {
      const store = yield* openStore()
      yield* addOwner(store, "another.owner@example.com")
      const emails = yield* Emails
      const types = Effect.map(messagesOf(store.id), (mails) => mails.map(({ eventType }) => eventType))
      yield* emails.changeSettings(store, { emailsEnabled: false })
      yield* relay(store.id, orderCreated())
      assert.deepStrictEqual(yield* types, [])
      yield* emails.changeSettings(store, { emailsEnabled: true, eventSettings: { NEW_ORDER_ADMIN: false } })
      yield* relay(store.id, orderCreated())
      assert.deepStrictEqual(yield* types, ["ORDER_CONFIRMATION"])
      yield* emails.changeSettings(store, { eventSettings: { ORDER_CONFIRMATION: { enabled: false } } })
      yield* relay(store.id, orderCreated())
      assert.deepStrictEqual(yield* types, ["NEW_ORDER_ADMIN", "ORDER_CONFIRMATION"])
    })
  )

  it.effect(
    "puts the token of a customer into a link of the kept mail, at the domain of the channel it was asked on",
    () =>
      Effect.gen(function* () {
        const store = yield* openStore()
        const channels = yield* SalesChannels
        yield* channels.create(store.id, { name: "First", domain: "first.example" })
        yield* TestClock.adjust("1 second")
        const second = yield* channels.create(store.id, { name: "Second", domain: "second.example" })
        const foreign = yield* channels.create((yield* openStore()).id, { name: "Theirs", domain: "theirs.example" })
        yield* relay(
          store.id,
          yield* tokenEvent("internal.email_verification", store.id, { salesChannelId: second.id })
        )
        yield* relay(store.id, yield* tokenEvent("internal.password_reset", store.id, { salesChannelId: foreign.id }))
        const [reset, verification] = yield* messagesOf(store.id)
        assert.include(verification?.text, "https://second.example/verify-email?token=tok-SECRET_123\n")
        assert.include(verification?.html, 'href="https://second.example/verify-email?token=tok-SECRET_123"')
        assert.include(reset?.text, "https://first.example/reset-password?token=tok-SECRET_123\n")
        assert.deepStrictEqual([verification?.eventType, reset?.eventType], ["EMAIL_VERIFICATION", "PASSWORD_RESET"])
      })
  )

  it.effect(
    "leaves an event it cannot read, and one whose token was sealed elsewhere, and goes on with the others",
    () =>
      Effect.gen(function* () {
        const store = yield* openStore()
        const other = yield* openStore()
        const moved = yield* tokenEvent("internal.password_reset", other.id)
        yield* relay(
          store.id,
          eventOf("order.created", { orderId: 1 }),
          eventOf("order.created", null),
          moved,
          eventOf("product.updated", {}),
          orderCreated()
        )
        assert.deepStrictEqual(
          (yield* messagesOf(store.id)).map(({ eventType }) => eventType),
          ["ORDER_CONFIRMATION"]
        )
      })
  )

  it.effect("reads events of an earlier release; of a later one it makes no mail, and logs why", () =>
    Effect.gen(function* () {
      const store = yield* openStore()
      const lines: Array<string> = []
      const logger = Logger.make(({ message }) => void lines.push(String(message)))
      const later = { ...orderCreated(), version: 2 }
      const { discountAmount: _, ...without } = orderData().order
      const broken = eventOf("order.created", { orderId: "ord_2", order: without })
      yield* relay(store.id, later, broken, { ...orderCreated({ orderNumber: "#1002" }), version: null }).pipe(
        Effect.provide(Logger.layer([logger]))
      )
      assert.deepStrictEqual(
        (yield* messagesOf(store.id)).map(({ subject }) => subject),
        ["Your order #1002 at Test Shop"]
      )
      const unsent = (id: string, reason: string) =>
        ["ORDER_CONFIRMATION", "NEW_ORDER_ADMIN"].map((mail) => `No ${mail} is sent for order.created ${id}: ${reason}`)
      assert.deepStrictEqual(lines, [
        ...unsent(later.id, "it has version 2, and this release reads versions up to 1"),
        ...unsent(broken.id, "its data have another shape, at order.discountAmount")
      ])
    })
  )

  it.effect("greets nobody by a name that looks like an address", () =>
    Effect.gen(function* () {
      const store = yield* openStore()
      for (const firstName of ["Win at evil.com", "http://evil", "www.evil", "x".repeat(81)]) {
        yield* relay(store.id, yield* tokenEvent("internal.email_verification", store.id, { firstName }))
      }
      for (const mail of yield* messagesOf(store.id)) assert.include(mail.text, "\nHello,\n")
    })
  )

  it.effect("cannot be made to add a header: line breaks of names and numbers never reach a subject", () =>
    Effect.gen(function* () {
      const store = yield* openStore()
      yield* relay(store.id, orderCreated({ orderNumber: "#1\r\nBcc: evil@example.com\r\n\r\n<h1>" }))
      const [mail] = yield* messagesOf(store.id)
      assert.strictEqual(mail?.subject, "Your order #1 Bcc: evil@example.com <h1> at Test Shop")
    })
  )

  it.effect("uses the store's active template in the customer's language, then in the store's, then the default", () =>
    Effect.gen(function* () {
      const made = yield* openStore()
      const store = yield* Stores.use((stores) => stores.update(made, { languages: ["de", "fr", "it"] }))
      const templates = yield* EmailTemplates
      const write = (language: string, isActive = true) =>
        templates.create(store, {
          name: language,
          eventType: "PASSWORD_RESET",
          language,
          subject: `${language} {{storeName}}`,
          htmlContent: "<p>{{resetUrl}}</p>",
          isActive
        })
      yield* write("it", false)
      const french = yield* write("fr")
      const german = yield* write("de")
      const subjectFor = Effect.fnUntraced(function* (language: string | null) {
        yield* relay(store.id, yield* tokenEvent("internal.password_reset", store.id, { language }))
        return (yield* messagesOf(store.id))[0]?.subject
      })
      assert.strictEqual(yield* subjectFor("fr"), "fr Test Shop")
      assert.strictEqual(yield* subjectFor("fr-CA"), "fr Test Shop")
      assert.strictEqual(yield* subjectFor("it"), "de Test Shop")
      assert.strictEqual(yield* subjectFor(null), "de Test Shop")
      yield* templates.remove(store, german.id)
      assert.strictEqual(yield* subjectFor("it"), "Wählen Sie ein neues Passwort für Test Shop")
      yield* templates.update(store, french.id, { isActive: false })
      assert.strictEqual(yield* subjectFor("fr"), "Wählen Sie ein neues Passwort für Test Shop")
      assert.strictEqual(yield* subjectFor("en-GB"), "Choose a new password for Test Shop")
    })
  )

  it.effect("confirms with the default where the store's template cannot be rendered", () =>
    Effect.gen(function* () {
      const store = yield* openStore()
      const templates = yield* EmailTemplates
      const loop = `${"{{#items}}".repeat(8)}x${"{{/items}}".repeat(8)}`
      yield* templates.create(store, {
        name: "heavy",
        eventType: "ORDER_CONFIRMATION",
        language: "en",
        subject: "heavy",
        htmlContent: loop
      })
      const { order } = orderData()
      yield* relay(store.id, orderCreated({ items: Array.from({ length: 100 }, () => order.items[0]) }))
      assert.strictEqual((yield* messagesOf(store.id))[0]?.subject, "Your order #1001 at Test Shop")
    })
  )

  it.effect(
    "confirms the largest order there can be, and stores a subject that is cut in the middle of a character",
    () =>
      Effect.gen(function* () {
        const store = yield* openStore()
        const { order } = orderData()
        const line = { ...order.items[0], name: "Mug & saucer, hand-painted 🫖 ".repeat(40), sku: "M".repeat(500) }
        yield* relay(store.id, orderCreated({ items: Array.from({ length: 500 }, () => line) }))
        const [confirmation] = yield* messagesOf(store.id)
        assert.lengthOf(confirmation?.text.match(/2 x Mug & saucer/g) ?? [], 500)
        const templates = yield* EmailTemplates
        const subject = `${"x".repeat(480)}{{orderNumber}}`
        yield* templates.create(store, {
          name: "long",
          eventType: "ORDER_CONFIRMATION",
          language: "en",
          subject,
          htmlContent: "<p>Thanks</p>"
        })
        yield* relay(store.id, orderCreated({ orderNumber: `${"y".repeat(19)}🫖` }))
        assert.strictEqual((yield* messagesOf(store.id))[0]?.subject, `${"x".repeat(480)}${"y".repeat(19)}`)
      })
  )

  it.effect("names the sender as the store asks, and where to answer", () =>
    Effect.gen(function* () {
      const store = yield* openStore()
      yield* Emails.use((emails) =>
        emails.changeSettings(store, { defaultFromName: "Mugs & more", defaultReplyTo: "help@mugs.example" })
      )
      yield* relay(store.id, orderCreated())
      assert.strictEqual((yield* messagesOf(store.id))[0]?.from, "Mugs & more <no-reply@localhost>")
    })
  )
})

layer(
  shopWith({ smtpUrl: "smtp://shop%40mugs.example:secret@127.0.0.1:1", publicUrl: "https://api.mugs.example/" }).pipe(
    Layer.provideMerge(onTestDatabase)
  )
)("a shop with a mail server", (it) => {
  it.effect(
    "leads to the domain of the channel that asked, without one to the public URL, and never to another channel's",
    () =>
      Effect.gen(function* () {
        const store = yield* openStore()
        const channels = yield* SalesChannels
        yield* channels.create(store.id, { name: "Old", domain: "old.example" })
        yield* TestClock.adjust("1 second")
        const own = yield* channels.create(store.id, { name: "Own", domain: "own.example" })
        const bare = yield* channels.create(store.id, { name: "Bare" })
        for (const { id } of [own, bare])
          yield* relay(store.id, yield* tokenEvent("internal.password_reset", store.id, { salesChannelId: id }))
        assert.deepStrictEqual(
          (yield* messagesOf(store.id)).map(({ text }) => /https?:.*/.exec(text)?.[0]),
          [
            "https://api.mugs.example/reset-password?token=(hidden)",
            "https://own.example/reset-password?token=(hidden)"
          ]
        )
      })
  )

  it.effect("has no token in the clear while a mail waits: neither in the queue nor to those who read it", () =>
    Effect.gen(function* () {
      const store = yield* openStore()
      yield* relay(store.id, yield* tokenEvent("internal.password_reset", store.id))
      const [row] = yield* queueOf(store.id)
      assert.notInclude(JSON.stringify(row), "tok-SECRET_123")
      assert.isString(row?.sealed)
      const [mail] = yield* messagesOf(store.id)
      assert.notInclude(JSON.stringify(mail), "tok-SECRET_123")
      assert.include(mail?.text, "https://api.mugs.example/reset-password?token=(hidden)\n")
      assert.strictEqual(mail?.from, "Test Shop <shop@mugs.example>")
    })
  )

  it.effect("seals nothing of a mail without a token", () =>
    Effect.gen(function* () {
      const store = yield* openStore()
      yield* relay(store.id, orderCreated())
      assert.isNull((yield* queueOf(store.id))[0]?.sealed)
    })
  )
})
