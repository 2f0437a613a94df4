/** The rooms of the server, and what is made of their declarations. A new room is added here, its routes in Api.ts. */
import { Effect, Layer } from "effect"
import { appRoom } from "./app/AppRoom.ts"
import { abandonmentRoom } from "./abandonment/AbandonmentRoom.ts"
import { cartRoom } from "./cart/CartRoom.ts"
import { checkoutFieldRoom } from "./checkoutfield/CheckoutFieldRoom.ts"
import { checkoutRoom } from "./checkout/CheckoutRoom.ts"
import { couponRoom } from "./coupon/CouponRoom.ts"
import { customerRoom } from "./customer/CustomerRoom.ts"
import { draftOrderRoom } from "./draftorder/DraftOrderRoom.ts"
import { emailRoom } from "./email/EmailRoom.ts"
import { emailDomainRoom } from "./emaildomain/EmailDomainRoom.ts"
import { emailLinkRoom } from "./emaillink/EmailLinkRoom.ts"
import { explanationRoom } from "./explanation/ExplanationRoom.ts"
import { fxRoom } from "./fx/FxRoom.ts"
import { giftCardRoom } from "./giftcard/GiftCardRoom.ts"
import { identityRoom } from "./identity/IdentityRoom.ts"
import { inventoryRoom } from "./inventory/InventoryRoom.ts"
import { mediaRoom } from "./media/MediaRoom.ts"
import type { ErrorTable } from "./middleware/ErrorRow.ts"
import { pipelineErrors } from "./middleware/pipelineErrors.ts"
import type { Room } from "./middleware/Room.ts"
import { metafieldRoom } from "./metafield/MetafieldRoom.ts"
import { modifierRoom } from "./modifier/ModifierRoom.ts"
import { newsletterRoom } from "./newsletter/NewsletterRoom.ts"
import { oauthRoom } from "./oauth/OauthRoom.ts"
import { offerRoom } from "./offer/OfferRoom.ts"
import { downloadRoom } from "./download/DownloadRoom.ts"
import { exportRoom } from "./export/ExportRoom.ts"
import { invoiceRoom } from "./invoice/InvoiceRoom.ts"
import { cancellationRoom } from "./cancellation/CancellationRoom.ts"
import { fulfilmentRoom } from "./fulfilment/FulfilmentRoom.ts"
import { orderEditRoom } from "./orderedit/OrderEditRoom.ts"
import { orderLabelRoom } from "./orderlabel/OrderLabelRoom.ts"
import { orderRoom } from "./order/OrderRoom.ts"
import { paymentRoom } from "./payment/PaymentRoom.ts"
import { listenerRoom } from "./listener/ListenerRoom.ts"
import { loyaltyRoom } from "./loyalty/LoyaltyRoom.ts"
import { claimRoom } from "./claim/ClaimRoom.ts"
import { pricingRoom } from "./pricing/PricingRoom.ts"
import { promotionRoom } from "./promotion/PromotionRoom.ts"
import { productRoom } from "./product/ProductRoom.ts"
import { quotaRoom } from "./quota/QuotaRoom.ts"
import { refundRoom } from "./refund/RefundRoom.ts"
import { reviewRoom } from "./review/ReviewRoom.ts"
import { shippingRoom } from "./shipping/ShippingRoom.ts"
import { storeRoom } from "./store/StoreRoom.ts"
import { storefrontRoom } from "./storefront/StorefrontRoom.ts"
import { systemRoom } from "./system/SystemRoom.ts"
import { taxRoom } from "./tax/TaxRoom.ts"
import { taxonomyRoom } from "./taxonomy/TaxonomyRoom.ts"
import { teamRoom } from "./team/TeamRoom.ts"
import { webhookRoom } from "./webhook/WebhookRoom.ts"

const rooms = [
  systemRoom,
  storeRoom,
  quotaRoom,
  identityRoom,
  mediaRoom,
  taxonomyRoom,
  metafieldRoom,
  modifierRoom,
  productRoom,
  storefrontRoom,
  inventoryRoom,
  pricingRoom,
  claimRoom,
  couponRoom,
  promotionRoom,
  giftCardRoom,
  loyaltyRoom,
  offerRoom,
  cartRoom,
  checkoutRoom,
  checkoutFieldRoom,
  orderRoom,
  invoiceRoom,
  downloadRoom,
  exportRoom,
  orderLabelRoom,
  fulfilmentRoom,
  cancellationRoom,
  orderEditRoom,
  refundRoom,
  draftOrderRoom,
  explanationRoom,
  paymentRoom,
  newsletterRoom,
  customerRoom,
  teamRoom,
  oauthRoom,
  reviewRoom,
  emailRoom,
  emailDomainRoom,
  emailLinkRoom,
  taxRoom,
  shippingRoom,
  abandonmentRoom,
  fxRoom,
  webhookRoom,
  appRoom,
  listenerRoom
] as const

type EndpointsOf<Declared> = Declared extends { readonly endpoints: infer Endpoints extends Layer.Any }
  ? Endpoints
  : never
type WorkerOf<Declared> = Declared extends { readonly workers: ReadonlyArray<infer Work> } ? Work : never
type EverywhereOf<Declared> = Declared extends { readonly inEveryRole: ReadonlyArray<infer Work> } ? Work : never
type Declared = (typeof rooms)[number]

const declared: ReadonlyArray<Room> = rooms

/** The handlers of every route. */
export const endpoints = Layer.mergeAll(
  ...(declared.flatMap((room) => room.endpoints ?? []) as unknown as readonly [EndpointsOf<Declared>])
)

/** How every error is returned. */
export const errorTable: ErrorTable = Object.assign({}, pipelineErrors, ...declared.map(({ errors }) => errors))

/** Starts the background work of every process: what it has gathered itself. */
export const startEverywhere = Effect.all(
  declared.flatMap((room) => room.inEveryRole ?? []) as Array<EverywhereOf<Declared>>,
  { discard: true }
)

/** Starts the background work of an instance: short, frequent, idempotent passes, any number of processes at once. */
export const startWorkers = Effect.all(declared.flatMap((room) => room.workers ?? []) as Array<WorkerOf<Declared>>, {
  discard: true
})
