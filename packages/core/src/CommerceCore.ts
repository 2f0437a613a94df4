/**
 * The rooms put together over one database: what the server, the commands and the tests build on. The database is a
 * URL's, or the embedded one of a data directory, started or attached to; it is brought to this version's schema before
 * anything is asked of it.
 */
import { Effect, Layer, Redacted } from "effect"
import { Carts } from "./cart/Carts.ts"
import { CustomerCarts } from "./cart/CustomerCarts.ts"
import { Categories } from "./catalog/Categories.ts"
import { ProductImports } from "./catalog/ProductImports.ts"
import { Products } from "./catalog/Products.ts"
import { Completion } from "./checkout/Completion.ts"
import { CheckoutPayments } from "./checkout/CheckoutPayments.ts"
import { Checkouts } from "./checkout/Checkouts.ts"
import { ChargedCompletion } from "./checkout/ChargedCompletion.ts"
import { cartCheckoutsLayer } from "./checkout/CartCheckouts.ts"
import { PaymentOutcomes } from "./checkout/PaymentOutcomes.ts"
import { SimulatedNotices } from "./checkout/SimulatedNotices.ts"
import { CustomerAccounts } from "./customer/CustomerAccounts.ts"
import { CustomerAddresses } from "./customer/CustomerAddresses.ts"
import { Customers } from "./customer/Customers.ts"
import { CustomerTokens } from "./customer/CustomerTokens.ts"
import { commerceClock } from "./database/CommerceClock.ts"
import type { ConnectionOptions } from "./database/ConnectionOptions.ts"
import { RootSecret } from "./crypto/RootSecret.ts"
import { Database, type DatabaseOptions } from "./database/Database.ts"
import * as HostDatabase from "./database/HostDatabase.ts"
import type { HostedTables } from "./database/HostDatabase.ts"
import { IdempotencyRecords } from "./database/IdempotencyRecords.ts"
import { up } from "./database/Migrations.ts"
import { Outbox } from "./database/Outbox.ts"
import { OutboxConsumers, OutboxRelay } from "./database/OutboxRelay.ts"
import { RateLimits } from "./database/RateLimits.ts"
import { RowVersions } from "./database/RowVersions.ts"
import { emailRoom } from "./email/EmailRoom.ts"
import { customerMailsLayer } from "./email/ForgottenMails.ts"
import { mailConsumer } from "./email/MailConsumer.ts"
import type { MailOptions } from "./email/MailTransport.ts"
import { ApiKeys } from "./identity/ApiKeys.ts"
import { Installations } from "./identity/Installations.ts"
import { Charges } from "./payment/Charges.ts"
import { OperationOutcomes } from "./payment/OperationOutcomes.ts"
import { OutcomeHandlers } from "./payment/OutcomeHandlers.ts"
import { PaymentNotices } from "./payment/PaymentNotices.ts"
import { PaymentProviders } from "./payment/PaymentProviders.ts"
import { PaymentRecovery } from "./payment/PaymentRecovery.ts"
import { ProviderOperations } from "./payment/ProviderOperations.ts"
import { TestProvider } from "./payment/TestProvider.ts"
import { StorefrontOrders } from "./order/StorefrontOrders.ts"
import { OrderMoney } from "./order/OrderMoney.ts"
import { OrderPlacement } from "./order/OrderPlacement.ts"
import { Orders } from "./order/Orders.ts"
import { Inventory } from "./inventory/Inventory.ts"
import { Reservations } from "./inventory/Reservations.ts"
import { StorefrontStock } from "./inventory/StorefrontStock.ts"
import { StockLedger } from "./inventory/StockLedger.ts"
import { productStockLayer } from "./inventory/ProductStocks.ts"
import { GuardedFetch, type OutboundOptions } from "./outbound/GuardedFetch.ts"
import { ShippingClasses } from "./shipping/ShippingClasses.ts"
import { ShippingRates } from "./shipping/ShippingRates.ts"
import { ShippingZones } from "./shipping/ShippingZones.ts"
import { SalesChannels } from "./store/SalesChannels.ts"
import { Stores } from "./store/Stores.ts"
import { TaxClasses } from "./tax/TaxClasses.ts"
import { TaxRates } from "./tax/TaxRates.ts"
import { WebhookDeliveries } from "./webhook/WebhookDeliveries.ts"
import { webhookFeed, webhookRoom } from "./webhook/WebhookRoom.ts"

export interface CoreOptions {
  /**
   * Where PostgreSQL answers: the embedded server's socket, a URL; or a host's node-postgres pool, whose settings are
   * the host's.
   */
  readonly connection: ConnectionOptions | HostedTables
  /** COMMERCE_SECRET, at least 32 bytes, the same for every process of the installation. */
  readonly secret: Redacted.Redacted
  /** A direct connection for LISTEN and migrations behind a transaction pooler. */
  readonly direct?: ConnectionOptions | undefined
  readonly maxConnections?: number | undefined
  readonly statementLog?: DatabaseOptions["statementLog"]
  /** `memory` counts in this process alone. */
  readonly rateLimitStore?: "postgres" | "memory" | undefined
  /** How mail leaves; absent, it is kept. */
  readonly mail?: MailOptions | undefined
  /** Where calls to addresses that others have chosen may go; absent, only to the internet. */
  readonly outbound?: OutboundOptions | undefined
}

const foundation = (options: CoreOptions) =>
  commerceClock.pipe(Layer.merge(RootSecret.layer(options.secret)), Layer.provideMerge(databaseOf(options)))

const databaseOf = ({ connection, direct, maxConnections, statementLog }: CoreOptions) =>
  "pool" in connection
    ? HostDatabase.layer({ ...connection, direct, statementLog })
    : Database.layer({ ...connection, direct, maxConnections, statementLog })

const platform = (options: CoreOptions) =>
  Layer.mergeAll(
    Stores.layer,
    SalesChannels.layer,
    ApiKeys.layer,
    Outbox.layer,
    IdempotencyRecords.layer,
    RowVersions.layer,
    options.rateLimitStore === "memory" ? RateLimits.layerMemory : RateLimits.layer
  )

const catalog = Layer.merge(ProductImports.layer, Categories.layer).pipe(
  Layer.provideMerge(Products.layer),
  Layer.provide(productStockLayer)
)
const stock = Layer.mergeAll(Inventory.layer, StorefrontStock.layer, Reservations.layer).pipe(
  Layer.provideMerge(StockLedger.layer)
)
const customers = Layer.mergeAll(CustomerAccounts.layer, CustomerAddresses.layer).pipe(
  Layer.provideMerge(Customers.layer.pipe(Layer.provide(customerMailsLayer))),
  Layer.provideMerge(CustomerTokens.layer)
)
const rules = Layer.mergeAll(
  TaxRates.layer,
  TaxClasses.layer,
  ShippingZones.layer,
  ShippingRates.layer,
  ShippingClasses.layer
)
/** Each room that has payment providers asked for something says here what an outcome means to it. */
const outcomeHandlers = Layer.effect(
  OutcomeHandlers,
  Effect.map(PaymentOutcomes, (checkouts) => [checkouts])
)
const payments = Layer.mergeAll(ProviderOperations.layer, PaymentRecovery.layer).pipe(
  Layer.provideMerge(PaymentNotices.layer),
  Layer.provideMerge(OperationOutcomes.layer),
  Layer.provideMerge(outcomeHandlers),
  Layer.provideMerge(PaymentOutcomes.layer)
)
const selling = Layer.mergeAll(Completion.layer, CheckoutPayments.layer, SimulatedNotices.layer).pipe(
  Layer.provideMerge(ChargedCompletion.layer),
  Layer.provideMerge(payments),
  Layer.provideMerge(Checkouts.layer),
  Layer.provideMerge(Layer.mergeAll(Carts.layer, CustomerCarts.layer, Orders.layer, StorefrontOrders.layer)),
  Layer.provideMerge(Layer.mergeAll(OrderPlacement.layer, OrderMoney.layer, PaymentProviders.layer)),
  Layer.provideMerge(Layer.merge(TestProvider.layer, Charges.layer)),
  Layer.provide(cartCheckoutsLayer)
)

/** What hangs off the outbox: each consumer is told of every event, in the transaction that marks it relayed. */
const consumers = Layer.effect(
  OutboxConsumers,
  Effect.all([Effect.map(WebhookDeliveries, ({ consumer }) => consumer), mailConsumer])
)
const aftermath = (options: CoreOptions) =>
  webhookFeed.pipe(
    Layer.provideMerge(OutboxRelay.layer.pipe(Layer.provide(consumers))),
    Layer.provideMerge(Layer.merge(webhookRoom, emailRoom(options.mail ?? {}))),
    Layer.provideMerge(GuardedFetch.layer(options.outbound))
  )

/** Every service of core, over an already migrated database. */
export const coreLayer = (options: CoreOptions) =>
  Layer.mergeAll(selling, catalog, Installations.layer, aftermath(options)).pipe(
    Layer.provideMerge(stock),
    Layer.provideMerge(customers),
    Layer.provideMerge(rules),
    Layer.provideMerge(platform(options)),
    Layer.provideMerge(foundation(options))
  )

/** Brings the tables up to date: over the direct connection where there is one. */
export const migrateTables = ({ connection, direct }: Pick<CoreOptions, "connection" | "direct">) => {
  if (!("pool" in connection)) return up(direct ?? connection)
  return direct === undefined
    ? HostDatabase.migrate(connection.pool, connection)
    : up({ ...direct, schema: connection.schema })
}

/** Migrates, then builds every service. */
export const migratedCoreLayer = (options: CoreOptions) =>
  Layer.unwrap(Effect.as(migrateTables(options), coreLayer(options)))

/** A connection from a `postgres://` URL. */
export const connectionOf = (url: string): ConnectionOptions => ({ url: Redacted.make(url) })

/** What `coreLayer` provides. */
export type CoreServices = Layer.Success<ReturnType<typeof coreLayer>>
