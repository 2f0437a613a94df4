/**
 * The rooms, lowest first, and what is made of their declarations: the rows whose versions are judged before a use case
 * runs (RowVersions), the numbers of docs/bounds.md, and the laws of the audit. A new room is added here, its layer in
 * CommerceCore.ts and its events in CommerceEvents.ts.
 */
import { appRoom } from "./app/AppRoom.ts"
import { abandonmentRoom } from "./abandonment/AbandonmentRoom.ts"
import { offerRoom } from "./offer/OfferRoom.ts"
import { cartRoom } from "./cart/CartRoom.ts"
import { chargeRoom } from "./charge/ChargeRoom.ts"
import { checkoutFieldRoom } from "./checkoutfield/CheckoutFieldRoom.ts"
import { checkoutRoom } from "./checkout/CheckoutRoom.ts"
import { completionRoom } from "./completion/CompletionRoom.ts"
import { customerRoom } from "./customer/CustomerRoom.ts"
import { draftOrderRoom } from "./draftorder/DraftOrderRoom.ts"
import type { Law } from "./database/Law.ts"
import type { Room } from "./database/Room.ts"
import type { StoreBound } from "./kernel/StoreBound.ts"
import type { VersionedRow } from "./database/RowVersions.ts"
import { quotationRoom } from "./quotation/QuotationRoom.ts"
import { quickOrderRoom } from "./quickorder/QuickOrderRoom.ts"
import { erasureRoom } from "./erasure/ErasureRoom.ts"
import { emailRoom } from "./email/EmailRoom.ts"
import { emailDomainRoom } from "./emaildomain/EmailDomainRoom.ts"
import { emailLinkRoom } from "./emaillink/EmailLinkRoom.ts"
import { emailSettingRoom } from "./emailsetting/EmailSettingRoom.ts"
import { explanationRoom } from "./explanation/ExplanationRoom.ts"
import { giftCardRoom } from "./giftcard/GiftCardRoom.ts"
import { guardRoom } from "./guard/GuardRoom.ts"
import { identityRoom } from "./identity/IdentityRoom.ts"
import { inventoryRoom } from "./inventory/InventoryRoom.ts"
import { mediaRoom } from "./media/MediaRoom.ts"
import { metafieldRoom } from "./metafield/MetafieldRoom.ts"
import { modifierRoom } from "./modifier/ModifierRoom.ts"
import { newsletterRoom } from "./newsletter/NewsletterRoom.ts"
import { oauthRoom } from "./oauth/OauthRoom.ts"
import { orderEntryRoom } from "./orderentry/OrderEntryRoom.ts"
import { downloadRoom } from "./download/DownloadRoom.ts"
import { exportRoom } from "./export/ExportRoom.ts"
import { invoiceRoom } from "./invoice/InvoiceRoom.ts"
import { linkRoom } from "./link/LinkRoom.ts"
import { orderRoom } from "./order/OrderRoom.ts"
import { outboxRoom } from "./outbox/OutboxRoom.ts"
import { noticeRoom } from "./notice/NoticeRoom.ts"
import { testPaymentRoom } from "./testpayment/TestPaymentRoom.ts"
import { paymentRoom } from "./payment/PaymentRoom.ts"
import { pricingRoom } from "./pricing/PricingRoom.ts"
import { productRoom } from "./product/ProductRoom.ts"
import { refundRoom } from "./refund/RefundRoom.ts"
import { reviewRoom } from "./review/ReviewRoom.ts"
import { settlementRoom } from "./settlement/SettlementRoom.ts"
import { shippingRoom } from "./shipping/ShippingRoom.ts"
import { storeRoom } from "./store/StoreRoom.ts"
import { storefrontRoom } from "./storefront/StorefrontRoom.ts"
import { taxRoom } from "./tax/TaxRoom.ts"
import { claimRoom } from "./claim/ClaimRoom.ts"
import { quotaRoom } from "./quota/QuotaRoom.ts"
import { promotionRoom } from "./promotion/PromotionRoom.ts"
import { fxRoom } from "./fx/FxRoom.ts"
import { redemptionRoom } from "./redemption/RedemptionRoom.ts"
import { couponRoom } from "./coupon/CouponRoom.ts"
import { listenerRoom } from "./listener/ListenerRoom.ts"
import { loyaltyRoom } from "./loyalty/LoyaltyRoom.ts"
import { teamRoom } from "./team/TeamRoom.ts"
import { templateRoom } from "./template/TemplateRoom.ts"
import { cancellationRoom } from "./cancellation/CancellationRoom.ts"
import { fulfilmentRoom } from "./fulfilment/FulfilmentRoom.ts"
import { orderEditRoom } from "./orderedit/OrderEditRoom.ts"
import { orderBooksRoom } from "./orderbooks/OrderBooksRoom.ts"
import { orderLabelRoom } from "./orderlabel/OrderLabelRoom.ts"
import { taxonomyRoom } from "./taxonomy/TaxonomyRoom.ts"
import { transferRoom } from "./transfer/TransferRoom.ts"
import { webhookRoom } from "./webhook/WebhookRoom.ts"

const rooms = [
  outboxRoom,
  guardRoom,
  storeRoom,
  quotaRoom,
  identityRoom,
  mediaRoom,
  templateRoom,
  emailDomainRoom,
  emailSettingRoom,
  emailLinkRoom,
  linkRoom,
  taxonomyRoom,
  customerRoom,
  teamRoom,
  taxRoom,
  shippingRoom,
  paymentRoom,
  oauthRoom,
  testPaymentRoom,
  chargeRoom,
  noticeRoom,
  metafieldRoom,
  modifierRoom,
  productRoom,
  inventoryRoom,
  storefrontRoom,
  pricingRoom,
  claimRoom,
  redemptionRoom,
  couponRoom,
  promotionRoom,
  newsletterRoom,
  explanationRoom,
  fxRoom,
  checkoutFieldRoom,
  giftCardRoom,
  loyaltyRoom,
  offerRoom,
  cartRoom,
  downloadRoom,
  orderRoom,
  invoiceRoom,
  exportRoom,
  settlementRoom,
  orderBooksRoom,
  orderLabelRoom,
  fulfilmentRoom,
  cancellationRoom,
  orderEditRoom,
  orderEntryRoom,
  quickOrderRoom,
  checkoutRoom,
  erasureRoom,
  refundRoom,
  completionRoom,
  draftOrderRoom,
  quotationRoom,
  reviewRoom,
  emailRoom,
  abandonmentRoom,
  webhookRoom,
  appRoom,
  listenerRoom,
  transferRoom
] as const

type NamesOf<Declared> = Declared extends { readonly rows: infer Rows } ? keyof Rows : never

/** What a route may name with `row`. A cart and a checkout are judged by their use cases instead (Precondition). */
export type VersionedResource = NamesOf<(typeof rooms)[number]>

const declared: ReadonlyArray<Room> = rooms

export const versionedRows: Readonly<Record<VersionedResource, VersionedRow>> = Object.assign(
  {},
  ...declared.map(({ rows }) => rows)
)

export const storeBounds: ReadonlyArray<StoreBound> = declared.flatMap((room) => room.bounds ?? [])

export const laws: ReadonlyArray<Law> = declared.flatMap((room) => room.laws ?? [])
