/** A shop whose mails go to a mail server of the test's, and what it sells, as events. */
import { Clock, Effect, Layer, Redacted } from "effect"
import { RootSecret } from "../../src/crypto/RootSecret.ts"
import { mailTokenContext, mailTokenPurpose } from "../../src/customer/CustomerEvents.ts"
import { Database } from "../../src/database/Database.ts"
import type { OutboxConsumer, RelayedEvent } from "../../src/outbox/OutboxConsumer.ts"
import { emailRoom, mailWay } from "../../src/email/EmailRoom.ts"
import { emailDomainRoom } from "../../src/emaildomain/EmailDomainRoom.ts"
import { emailSettingRoom } from "../../src/emailsetting/EmailSettingRoom.ts"
import { mailConsumer } from "../../src/email/MailConsumer.ts"
import type { MailOptions } from "../../src/smtp/MailTransport.ts"
import { makeId } from "../../src/kernel/Ids.ts"
import { SignedLinks } from "../../src/link/SignedLinks.ts"
import { SalesChannels } from "../../src/store/SalesChannels.ts"
import { Stores } from "../../src/store/Stores.ts"
import { templateRoom } from "../../src/template/TemplateRoom.ts"
import { TestDatabase } from "../../src/testing/TestDatabase.ts"

const secret = Redacted.make("a secret for tests, at least thirty-two bytes long")

/** The email room over a database of the test's own. Without a server or a transport, mails are kept. */
export const shopWith = (options: MailOptions = {}) =>
  emailRoom
    .layer(options)
    .pipe(
      Layer.provideMerge(emailSettingRoom.layer),
      Layer.provideMerge(emailDomainRoom.layer(options)),
      Layer.provideMerge(mailWay(options)),
      Layer.provideMerge(templateRoom.layer),
      Layer.provideMerge(SignedLinks.layer({ publicUrl: options.publicUrl, basePath: "/api" })),
      Layer.provideMerge(Layer.mergeAll(Stores.layer, SalesChannels.layer, RootSecret.layer(secret)))
    )

export const onTestDatabase = TestDatabase.layer

export const openStore = (name = "Test Shop") =>
  Stores.use((stores) => stores.create({ name, currency: "USD", country: "US" }))

/** An owner of the store. */
export const addOwner = Effect.fnUntraced(function* (
  store: { readonly id: string; readonly accountId: string },
  email: string
) {
  const { sql, platform } = yield* Database
  const now = yield* Clock.currentTimeMillis
  const [at, userId] = [new Date(now), makeId("user", now)]
  yield* platform(
    Effect.andThen(
      sql`INSERT INTO dashboard_user (id, account_id, email, password_hash, created_at)
        VALUES (${userId}, ${store.accountId}, ${email}, 'x', ${at})`,
      sql`INSERT INTO team_member (id, store_id, user_id, email, role, created_at, updated_at)
        VALUES (${makeId("team", now)}, ${store.id}, ${userId}, ${email}, 'owner', ${at}, ${at})`
    )
  )
})

let events = 0
export const eventOf = (type: string, data: unknown): RelayedEvent => ({
  id: `evt_${++events}`,
  type,
  version: 1,
  data,
  createdAt: new Date(0)
})

/** Hands events to the consumer as the relay does. */
export const relay = Effect.fnUntraced(function* (storeId: string, ...given: ReadonlyArray<RelayedEvent>) {
  const { write } = yield* Database
  const consumer: OutboxConsumer = yield* mailConsumer
  yield* write(storeId)(consumer.consume(storeId, given))
})

/** An `order.created` event's data; amounts as the order room writes them. */
export const orderData = (over: Record<string, unknown> = {}, orderId = "ord_1") => ({
  orderId,
  order: {
    id: orderId,
    orderNumber: "#1001",
    currency: "USD",
    subtotal: "43.00",
    discountAmount: "4.00",
    ruleDiscountAmount: "0.30",
    shippingAmount: "5.00",
    surchargeAmount: "0.00",
    taxAmount: "3.10",
    totalAmount: "46.80",
    taxBreakdown: { pricesIncludeTax: false, breakdown: [] },
    status: "PENDING",
    financialStatus: "pending",
    paymentMethod: "manual",
    notes: null,
    customer: { email: "ada@example.com", name: "Ada Byron" },
    shippingAddress: {
      name: "Ada Byron",
      firstName: "Ada",
      lastName: "Byron",
      company: null,
      line1: "1 Main St",
      line2: null,
      city: "Town",
      state: "CA",
      postalCode: "94105",
      country: "US",
      phone: null
    },
    shippingSelection: { methodName: "Standard", amount: "5.00" },
    items: [
      {
        id: "item_1",
        productId: "prod_1",
        variantId: null,
        sku: "MUG",
        name: "Mug <blue>",
        quantity: 2,
        price: "12.50",
        unitPrice: "12.50",
        totalPrice: "25.00",
        image: null,
        modifiers: [
          { name: "Gift <wrap>", quantity: 1 },
          { name: "Card", quantity: 2 },
          { modifierId: "mod_of_before" }
        ]
      },
      {
        id: "item_2",
        productId: "prod_2",
        variantId: null,
        sku: null,
        name: "Towel",
        quantity: 1,
        price: "18.00",
        unitPrice: "18.00",
        totalPrice: "18.00",
        image: null
      }
    ],
    trackingNumber: null,
    trackingUrl: null,
    carrier: null,
    createdAt: "2026-11-21T07:00:00.000Z",
    secretNote: "never shown",
    ...over
  }
})

/** A customer's event with a token, sealed as the customer room seals it. */
export const tokenEvent = Effect.fnUntraced(function* (
  type: string,
  storeId: string,
  over: Record<string, unknown> = {}
) {
  const token = (yield* RootSecret).seal(mailTokenPurpose, mailTokenContext(storeId, "cust_1"), "tok-SECRET_123")
  const event = eventOf(type, {
    customerId: "cust_1",
    email: "ada@example.com",
    firstName: "Ada",
    language: "en",
    salesChannelId: null,
    token,
    ...over
  })
  return { ...event, createdAt: new Date(yield* Clock.currentTimeMillis) }
})

export const orderCreated = (over: Record<string, unknown> = {}) => eventOf("order.created", orderData(over))

/** What the queue says of the store's mails, oldest first. */
export const queueOf = Effect.fnUntraced(function* (storeId: string) {
  const { sql } = yield* Database
  return yield* sql<{
    readonly eventType: string
    readonly status: string
    readonly attempts: number
    readonly lastError: string | null
    readonly dueAt: Date
    readonly html: string
    readonly plainText: string
    readonly sealed: string | null
  }>`
    SELECT event_type, status, attempts, last_error, due_at, html, plain_text, sealed FROM email_message WHERE store_id = ${storeId} ORDER BY seq`
})
