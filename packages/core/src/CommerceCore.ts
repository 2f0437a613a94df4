/**
 * The rooms put together over one database: what the server, the commands and the tests build on. The database is a
 * URL's, or the embedded one of a data directory, started or attached to; it is brought to this version's schema before
 * anything is asked of it.
 */
import { Effect, Layer, Redacted } from "effect"
import { appRoom } from "./app/AppRoom.ts"
import { abandonmentRoom } from "./abandonment/AbandonmentRoom.ts"
import { adjustmentSources, claimKinds } from "./CommerceAdjustments.ts"
import { cartUploads } from "./cart/CartUploads.ts"
import { customerTraces, mailboxProofs } from "./CommerceCustomers.ts"
import { commerceEvents } from "./CommerceEvents.ts"
import { CustomerUploads } from "./metafield/Customizations.ts"
import { checkoutUploads } from "./checkout/CheckoutUploads.ts"
import { cartCheckoutsLayer } from "./checkout/CartCheckouts.ts"
import { PaymentOutcomes } from "./completion/PaymentOutcomes.ts"
import { commerceClock } from "./database/CommerceClock.ts"
import type { CoreOptions } from "./CoreOptions.ts"
import type { ConnectionOptions } from "./database/ConnectionOptions.ts"
import { RootSecret } from "./crypto/RootSecret.ts"
import { Database } from "./database/Database.ts"
import * as HostDatabase from "./host/HostDatabase.ts"
import { up } from "./migration/Migrations.ts"
import { OutboxConsumers } from "./outbox/OutboxConsumer.ts"
import { outboxRelay, outboxRoom } from "./outbox/OutboxRoom.ts"
import { explanationRoom } from "./explanation/ExplanationRoom.ts"
import { guardRoom } from "./guard/GuardRoom.ts"
import { newsletterRoom } from "./newsletter/NewsletterRoom.ts"
import { oauthRoom } from "./oauth/OauthRoom.ts"
import { orderEntryRoom } from "./orderentry/OrderEntryRoom.ts"
import { downloadRoom } from "./download/DownloadRoom.ts"
import { exportRoom } from "./export/ExportRoom.ts"
import { invoiceRoom } from "./invoice/InvoiceRoom.ts"
import { linkRoom } from "./link/LinkRoom.ts"
import { cancellationRoom } from "./cancellation/CancellationRoom.ts"
import { fulfilmentRoom } from "./fulfilment/FulfilmentRoom.ts"
import { orderEditRoom } from "./orderedit/OrderEditRoom.ts"
import { orderLabelRoom } from "./orderlabel/OrderLabelRoom.ts"
import { orderBooksRoom } from "./orderbooks/OrderBooksRoom.ts"
import { orderRoom } from "./order/OrderRoom.ts"
import { settlementRoom } from "./settlement/SettlementRoom.ts"
import { transferRoom } from "./transfer/TransferRoom.ts"
import { offerRoom } from "./offer/OfferRoom.ts"
import { pricingRoom } from "./pricing/PricingRoom.ts"
import { cartRoom } from "./cart/CartRoom.ts"
import { chargeOperations, chargeRoom } from "./charge/ChargeRoom.ts"
import { checkoutRoom } from "./checkout/CheckoutRoom.ts"
import { orderOutcomes, refundRoom } from "./refund/RefundRoom.ts"
import * as ReadReplica from "./replica/ReadReplica.ts"
import { RefundOutcomes } from "./refund/RefundOutcomes.ts"
import { checkoutOutcomes, completionRoom } from "./completion/CompletionRoom.ts"
import { RowVersions } from "./database/RowVersions.ts"
import { quotationRoom } from "./quotation/QuotationRoom.ts"
import { quickOrderRoom } from "./quickorder/QuickOrderRoom.ts"
import { draftOrderRoom } from "./draftorder/DraftOrderRoom.ts"
import { emailRoom, mailWay } from "./email/EmailRoom.ts"
import { emailDomainRoom } from "./emaildomain/EmailDomainRoom.ts"
import { emailLinkRoom } from "./emaillink/EmailLinkRoom.ts"
import { emailSettingRoom } from "./emailsetting/EmailSettingRoom.ts"
import { consentConsumer } from "./emaillink/ConsentConsumer.ts"
import { mailConsumer } from "./email/MailConsumer.ts"
import { orderUploads } from "./order/OrderUploads.ts"
import { NoticeAddress } from "./payment/NoticeAddress.ts"
import { FurtherOutcomeHandlers, OutcomeHandlers } from "./charge/OutcomeHandlers.ts"
import { manualProvider } from "./payment/ManualProvider.ts"
import { paymentRoom } from "./payment/PaymentRoom.ts"
import { noticeRoom } from "./notice/NoticeRoom.ts"
import { testPaymentRoom } from "./testpayment/TestPaymentRoom.ts"
import { TestProvider } from "./testpayment/TestProvider.ts"
import { productStockLayer } from "./inventory/ProductStocks.ts"
import { GuardedFetch } from "./outbound/GuardedFetch.ts"
import { WebhookDeliveries } from "./webhook/WebhookDeliveries.ts"
import { productChangesLayer } from "./product/ChangedProducts.ts"
import { productRoom } from "./product/ProductRoom.ts"
import { metafieldPictureReferences } from "./metafield/MetafieldPictures.ts"
import { modifierPictureReferences } from "./modifier/ModifierPictures.ts"
import { productPictureReferences } from "./product/PictureReferences.ts"
import { taxonomyPictureReferences } from "./taxonomy/TaxonomyPictures.ts"
import { productReadModelLayer } from "./storefront/ProductDocuments.ts"
import { storefrontRoom } from "./storefront/StorefrontRoom.ts"
import { metafieldRoom } from "./metafield/MetafieldRoom.ts"
import { modifierRoom } from "./modifier/ModifierRoom.ts"
import { taxonomyRoom } from "./taxonomy/TaxonomyRoom.ts"
import { customerRoom } from "./customer/CustomerRoom.ts"
import { erasureRoom } from "./erasure/ErasureRoom.ts"
import { identityRoom } from "./identity/IdentityRoom.ts"
import { MediaReferences } from "./media/MediaReferences.ts"
import { UploadedFiles } from "./media/UploadedFiles.ts"
import { UploadUses } from "./media/UploadUses.ts"
import { mediaLibrary, mediaRoom } from "./media/MediaRoom.ts"
import { giftCardRoom } from "./giftcard/GiftCardRoom.ts"
import { inventoryRoom } from "./inventory/InventoryRoom.ts"
import { reviewRoom } from "./review/ReviewRoom.ts"
import { InstalledAddresses, noAddresses } from "./shipping/AddressProvider.ts"
import { shippingRoom } from "./shipping/ShippingRoom.ts"
import { storeRoom } from "./store/StoreRoom.ts"
import { stripeProvider } from "./stripe/StripeProvider.ts"
import { builtInTaxes, InstalledTaxCalculator } from "./tax/TaxCalculator.ts"
import { taxRoom } from "./tax/TaxRoom.ts"
import { claimRoom } from "./claim/ClaimRoom.ts"
import { fxRoom } from "./fx/FxRoom.ts"
import { quotaRoom } from "./quota/QuotaRoom.ts"
import { promotionRoom } from "./promotion/PromotionRoom.ts"
import { checkoutFieldRoom } from "./checkoutfield/CheckoutFieldRoom.ts"
import { redemptionRoom } from "./redemption/RedemptionRoom.ts"
import { couponRoom } from "./coupon/CouponRoom.ts"
import { makeLoyaltyConsumer } from "./loyalty/LoyaltyConsumer.ts"
import { loyaltyRoom } from "./loyalty/LoyaltyRoom.ts"
import { orderEvents } from "./order/OrderEvents.ts"
import { ownedFromTheStart } from "./team/StoreOwners.ts"
import { teamRoom } from "./team/TeamRoom.ts"
import { templateRoom } from "./template/TemplateRoom.ts"
import { versionedRows } from "./CommerceRooms.ts"
import { EventListeners } from "./listener/EventListeners.ts"
import { listenerRoom } from "./listener/ListenerRoom.ts"
import { webhookFeed, webhookRoom } from "./webhook/WebhookRoom.ts"

export type { CoreOptions }

const foundation = (options: CoreOptions) =>
  commerceClock.pipe(Layer.merge(RootSecret.layer(options.secret)), Layer.provideMerge(databaseOf(options)))

const databaseOf = ({ connection, direct, maxConnections, statementLog, replica }: CoreOptions) => {
  if ("pool" in connection) return HostDatabase.layer({ ...connection, direct, statementLog })
  const options = { ...connection, direct, maxConnections, statementLog }
  return replica === undefined ? Database.layer(options) : ReadReplica.layer(options, replica)
}

const eventTypes: ReadonlySet<string> = new Set(commerceEvents.map(({ type }) => type))

const platform = (options: CoreOptions) =>
  Layer.mergeAll(
    outboxRoom.layer(({ type }) => eventTypes.has(type)),
    guardRoom.layer(options.rateLimits),
    RowVersions.layer(versionedRows)
  )

/** A room's port is provided by the room that implements it, which is a later one. */
const catalogue = storefrontRoom.layer.pipe(
  Layer.provideMerge(productRoom.layer),
  Layer.provideMerge(Layer.mergeAll(taxonomyRoom.layer, metafieldRoom.layer, modifierRoom.layer)),
  Layer.provideMerge(productChangesLayer),
  Layer.provideMerge(productReadModelLayer),
  Layer.provide(productStockLayer)
)
const files = ({ media, mail, basePath }: CoreOptions) =>
  mediaRoom
    .layer({ media: media ?? {}, publicUrl: mail?.publicUrl, basePath: basePath ?? "/api" })
    .pipe(Layer.provide(uploadUses))
/** How resources drop a deleted file of the media library. Products come first: they are locked before the others. */
const mediaReferences = Layer.effect(
  MediaReferences,
  Effect.all([
    productPictureReferences,
    taxonomyPictureReferences,
    modifierPictureReferences,
    metafieldPictureReferences
  ])
)
const library = mediaLibrary.pipe(Layer.provide(mediaReferences))
const customers = customerRoom.layer.pipe(
  Layer.provide([customerTraces.pipe(Layer.provide(erasureRoom.layer)), mailboxProofs])
)
const rules = ({ addresses }: CoreOptions) =>
  Layer.mergeAll(taxRoom.layer, shippingRoom.layer, templateRoom.layer).pipe(
    Layer.provide(Layer.succeed(InstalledAddresses, addresses ?? { provider: noAddresses }))
  )
/** Each room that asks payment providers for something says here what an outcome means to it. */
const outcomeHandlers = Layer.effect(
  OutcomeHandlers,
  Effect.gen(function* () {
    return [yield* PaymentOutcomes, yield* RefundOutcomes, ...(yield* Effect.all(yield* FurtherOutcomeHandlers))]
  })
)
const charging = noticeRoom.layer.pipe(
  Layer.provideMerge(chargeOperations),
  Layer.provideMerge(outcomeHandlers),
  Layer.provideMerge(Layer.merge(checkoutOutcomes, orderOutcomes))
)
/** Each room whose rows name what shoppers upload for customizations says here which of it is needed. */
const uploadUses = Layer.effect(UploadUses, Effect.all([cartUploads, checkoutUploads, orderUploads]))
/** What shoppers upload for a customization is kept from when a line names it. */
const customerUploads = Layer.effect(
  CustomerUploads,
  Effect.map(UploadedFiles, (uploads) => ({
    keep: (store: { readonly id: string }, keysOrUrls: ReadonlyArray<string>) =>
      Effect.map(
        uploads.keep(store, keysOrUrls, "customization", "while-needed"),
        (kept) => new Map([...kept].map(([given, { url }]) => [given, url]))
      )
  }))
)
/** The payment providers that come with the installation, and those of the host. */
const providers = ({ payments }: CoreOptions) =>
  Layer.unwrap(
    Effect.map(TestProvider, (test) =>
      paymentRoom.layer([manualProvider, test, stripeProvider(payments?.stripe ?? {}), ...(payments?.providers ?? [])])
    )
  ).pipe(Layer.provideMerge(testPaymentRoom.layer))
/** Links without a credential, to this server. */
const signedLinks = ({ mail, basePath = "/api" }: CoreOptions) =>
  linkRoom.layer({ publicUrl: mail?.publicUrl, basePath })
/** The address of this server, where providers can reach it. */
const noticeAddress = ({ mail, basePath = "/api" }: CoreOptions) =>
  Layer.succeed(NoticeAddress, (providerId) =>
    mail?.publicUrl === undefined
      ? null
      : `${mail.publicUrl.replace(/\/$/, "")}${basePath}/payment-events/${providerId}`
  )
const taxCalculator = ({ tax }: CoreOptions) => Layer.succeed(InstalledTaxCalculator, tax?.calculator ?? builtInTaxes)
/** What merchants do with orders that are placed. */
const orderCare = orderEditRoom.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(cancellationRoom.layer, fulfilmentRoom.layer, orderLabelRoom.layer)),
  Layer.provideMerge(refundRoom.layer)
)
const selling = (options: CoreOptions) =>
  Layer.mergeAll(completionRoom.layer, draftOrderRoom.layer, quotationRoom.layer, orderCare).pipe(
    Layer.provideMerge(charging),
    Layer.provideMerge(checkoutRoom.layer),
    Layer.provideMerge(cartRoom.layer),
    Layer.provide(cartCheckoutsLayer),
    Layer.provideMerge(Layer.mergeAll(settlementRoom.layer, quickOrderRoom.layer, orderEntryRoom.layer)),
    Layer.provideMerge(Layer.merge(orderRoom.layer, orderBooksRoom.layer)),
    Layer.provideMerge(claimRoom.layer.pipe(Layer.provide(claimKinds))),
    Layer.provideMerge(chargeRoom.layer),
    Layer.provideMerge(providers(options)),
    Layer.provide(noticeAddress(options)),
    Layer.provideMerge(pricingRoom.layer.pipe(Layer.provide([adjustmentSources, taxCalculator(options)]))),
    Layer.provideMerge(couponRoom.layer),
    Layer.provideMerge(promotionRoom.layer),
    Layer.provideMerge(checkoutFieldRoom.layer),
    Layer.provideMerge(giftCardRoom.layer),
    Layer.provideMerge(redemptionRoom.layer),
    Layer.provideMerge(fxRoom.layer),
    Layer.provideMerge(offerRoom.layer),
    Layer.provide(customerUploads)
  )

/** The consumers of the outbox: each gets every event, in the transaction that marks it relayed. */
const consumers = Layer.effect(
  OutboxConsumers,
  Effect.all([
    Effect.map(WebhookDeliveries, ({ consumer }) => consumer),
    Effect.map(EventListeners, ({ consumer }) => consumer),
    consentConsumer,
    mailConsumer,
    makeLoyaltyConsumer(orderEvents)
  ])
)
const aftermath = (options: CoreOptions) =>
  webhookFeed.pipe(
    Layer.provideMerge(outboxRelay.pipe(Layer.provide(consumers))),
    Layer.provideMerge(listenerRoom.layer),
    Layer.provideMerge(Layer.merge(webhookRoom.layer, emailLinkRoom.layer)),
    Layer.provideMerge(emailRoom.layer(options.mail ?? {})),
    Layer.provideMerge(emailSettingRoom.layer),
    Layer.provideMerge(emailDomainRoom.layer(options.mail ?? {})),
    Layer.provideMerge(mailWay(options.mail ?? {}, options.basePath)),
    Layer.provideMerge(oauthRoom.layer(options.login ?? {})),
    Layer.provideMerge(Layer.provideMerge(library, catalogue)),
    Layer.provideMerge(GuardedFetch.layer(options.outbound))
  )

/** Every service of core, over an already migrated database. */
export const coreLayer = (options: CoreOptions) =>
  Layer.mergeAll(newsletterRoom.layer, reviewRoom.layer, abandonmentRoom.layer, explanationRoom.layer).pipe(
    Layer.merge(appRoom.layer),
    Layer.merge(Layer.mergeAll(invoiceRoom.layer, downloadRoom.layer, exportRoom.layer)),
    Layer.merge(transferRoom.layer.pipe(Layer.provide(ownedFromTheStart))),
    Layer.provideMerge(Layer.merge(selling(options), aftermath(options))),
    Layer.provideMerge(loyaltyRoom.layer),
    Layer.provideMerge(catalogue),
    Layer.provideMerge(inventoryRoom.layer),
    Layer.provideMerge(Layer.provideMerge(teamRoom.layer, customers)),
    Layer.provideMerge(rules(options)),
    Layer.provideMerge(files(options)),
    Layer.provideMerge(signedLinks(options)),
    Layer.provideMerge(Layer.merge(identityRoom.layer, quotaRoom.layer)),
    Layer.provideMerge(storeRoom.layer.pipe(Layer.provide(ownedFromTheStart))),
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

/** A connection from a `postgres://` URL. */
export const connectionOf = (url: string): ConnectionOptions => ({ url: Redacted.make(url) })

/** What `coreLayer` provides. */
export type CoreServices = Layer.Success<ReturnType<typeof coreLayer>>
