/**
 * The whole HTTP surface as one declaration: what the router, the OpenAPI document, the typed client and the matrix
 * tests are made from.
 */
import { HttpApi, type HttpApiGroup } from "effect/http-api"
import { appGroups } from "./app/AppApi.ts"
import { cartGroups } from "./cart/AdminCartApi.ts"
import { checkoutFieldGroups } from "./checkoutfield/CheckoutFieldApi.ts"
import { checkoutGroups } from "./checkout/AdminCheckoutApi.ts"
import { couponGroups } from "./coupon/CouponApi.ts"
import { customerGroups } from "./customer/AdminCustomerApi.ts"
import { draftOrderGroups } from "./draftorder/DraftOrderApi.ts"
import { emailGroups } from "./email/EmailApi.ts"
import { emailDomainGroups } from "./emaildomain/EmailDomainApi.ts"
import { emailLinkGroups } from "./emaillink/EmailLinkApi.ts"
import { explanationGroups } from "./explanation/ExplanationApi.ts"
import { fxGroups } from "./fx/FxApi.ts"
import { giftCardGroups } from "./giftcard/GiftCardApi.ts"
import { identityGroups } from "./identity/IdentityApi.ts"
import { inventoryGroups } from "./inventory/InventoryApi.ts"
import { loyaltyGroups } from "./loyalty/LoyaltyApi.ts"
import { mediaGroups } from "./media/MediaApi.ts"
import { metafieldGroups } from "./metafield/MetafieldApi.ts"
import { modifierGroups } from "./modifier/ModifierGroupApi.ts"
import { newsletterGroups } from "./newsletter/NewsletterApi.ts"
import { oauthGroups } from "./oauth/OauthApi.ts"
import { offerGroups } from "./offer/OfferApi.ts"
import { downloadGroups } from "./download/DownloadApi.ts"
import { exportGroups } from "./export/ExportApi.ts"
import { invoiceGroups } from "./invoice/InvoiceApi.ts"
import { cancellationGroups } from "./cancellation/CancellationApi.ts"
import { fulfilmentGroups } from "./fulfilment/FulfilmentApi.ts"
import { orderEditGroups } from "./orderedit/OrderEditApi.ts"
import { orderLabelGroups } from "./orderlabel/OrderLabelApi.ts"
import { orderGroups } from "./order/OrderApi.ts"
import { paymentGroups } from "./payment/PaymentApi.ts"
import { promotionGroups } from "./promotion/PromotionApi.ts"
import { productGroups } from "./product/ProductApi.ts"
import { refundGroups } from "./refund/RefundApi.ts"
import { reviewGroups } from "./review/ReviewApi.ts"
import { shippingGroups } from "./shipping/ShippingApi.ts"
import { storeGroups } from "./store/RegionApi.ts"
import { storefrontGroups } from "./storefront/StorefrontApi.ts"
import { systemGroups } from "./system/SystemApi.ts"
import { taxGroups } from "./tax/TaxApi.ts"
import { taxonomyGroups } from "./taxonomy/CategoryApi.ts"
import { teamGroups } from "./team/TeamApi.ts"
import { webhookGroups } from "./webhook/WebhookApi.ts"

type Groups =
  | (typeof systemGroups)[number]
  | (typeof storeGroups)[number]
  | (typeof identityGroups)[number]
  | (typeof mediaGroups)[number]
  | (typeof taxonomyGroups)[number]
  | (typeof metafieldGroups)[number]
  | (typeof modifierGroups)[number]
  | (typeof productGroups)[number]
  | (typeof storefrontGroups)[number]
  | (typeof inventoryGroups)[number]
  | (typeof couponGroups)[number]
  | (typeof offerGroups)[number]
  | (typeof cartGroups)[number]
  | (typeof checkoutGroups)[number]
  | (typeof checkoutFieldGroups)[number]
  | (typeof orderGroups)[number]
  | (typeof invoiceGroups)[number]
  | (typeof downloadGroups)[number]
  | (typeof exportGroups)[number]
  | (typeof orderEditGroups)[number]
  | (typeof fulfilmentGroups)[number]
  | (typeof cancellationGroups)[number]
  | (typeof orderLabelGroups)[number]
  | (typeof refundGroups)[number]
  | (typeof draftOrderGroups)[number]
  | (typeof explanationGroups)[number]
  | (typeof giftCardGroups)[number]
  | (typeof paymentGroups)[number]
  | (typeof customerGroups)[number]
  | (typeof oauthGroups)[number]
  | (typeof newsletterGroups)[number]
  | (typeof loyaltyGroups)[number]
  | (typeof reviewGroups)[number]
  | (typeof promotionGroups)[number]
  | (typeof taxGroups)[number]
  | (typeof shippingGroups)[number]
  | (typeof fxGroups)[number]
  | (typeof teamGroups)[number]
  | (typeof webhookGroups)[number]
  | (typeof emailGroups)[number]
  | (typeof emailDomainGroups)[number]
  | (typeof emailLinkGroups)[number]
  | (typeof appGroups)[number]

/** Its type is written with the names of the groups, because the inferred type is too long for a declaration file. */
const declared: HttpApi.HttpApi<"commerce", HttpApiGroup.AddPrefix<Groups, "/api">> = HttpApi.make("commerce")
  // The reference shows the groups of each part in this order.
  .add(...storefrontGroups, ...productGroups, ...taxonomyGroups, ...metafieldGroups, ...modifierGroups)
  .add(...cartGroups, ...checkoutGroups, ...orderGroups, ...orderEditGroups, ...refundGroups, ...draftOrderGroups)
  .add(...fulfilmentGroups, ...cancellationGroups, ...orderLabelGroups, ...explanationGroups)
  .add(...invoiceGroups, ...downloadGroups, ...exportGroups)
  .add(...customerGroups, ...oauthGroups, ...newsletterGroups)
  .add(...giftCardGroups, ...loyaltyGroups)
  .add(...inventoryGroups, ...reviewGroups, ...mediaGroups)
  .add(...couponGroups, ...promotionGroups, ...offerGroups)
  .add(...taxGroups, ...shippingGroups, ...fxGroups, ...checkoutFieldGroups)
  .add(...storeGroups, ...paymentGroups, ...identityGroups)
  .add(...teamGroups)
  .add(...webhookGroups, ...emailGroups, ...emailDomainGroups, ...emailLinkGroups, ...appGroups, ...systemGroups)
  .prefix("/api")
  .annotate(HttpApi.ParseOptions, { errors: "all" })
  // Responses are encoded by compiled encoders, which stop at the first error; only decoding needs the interpreter that
  // lists all errors.
  .annotate(HttpApi.SuccessParseOptions, {})

export class Api extends declared {}
