/**
 * The faults that `npm run faults` plants. One row is one line of the product made wrong, and the tests that must fail
 * for it.
 */
import { appFaults } from "./faults/apps.ts"
import { bookFaults } from "./faults/books.ts"
import { refundFaults } from "./faults/refunds.ts"
import { calculatorFaults } from "./faults/calculators.ts"
import { cartFaults } from "./faults/carts.ts"
import { catalogPointFaults } from "./faults/catalogPoints.ts"
import { chargeFaults } from "./faults/charges.ts"
import { composedWriteFaults } from "./faults/composedWrites.ts"
import { contractFaults } from "./faults/contract.ts"
import { checkoutFieldFaults } from "./faults/checkoutFields.ts"
import { customerFaults } from "./faults/customers.ts"
import { emailDomainFaults } from "./faults/emailDomains.ts"
import { draftOrderFaults } from "./faults/draftOrders.ts"
import { mailFaults } from "./faults/emails.ts"
import { edgeFaults } from "./faults/edge.ts"
import { fxFaults } from "./faults/fx.ts"
import { hostileFaults } from "./faults/hostile.ts"
import { limitFaults } from "./faults/limits.ts"
import { replicaFaults } from "./faults/replica.ts"
import { mediaFaults } from "./faults/media.ts"
import { metafieldFaults } from "./faults/metafields.ts"
import { explanationFaults } from "./faults/explanations.ts"
import { foundationFaults } from "./faults/foundation.ts"
import { paperFaults } from "./faults/papers.ts"
import { giftCardFaults } from "./faults/giftcard.ts"
import { heavyReadFaults } from "./faults/heavyReads.ts"
import { neighbourFaults } from "./faults/neighbours.ts"
import { transferFaults } from "./faults/transfers.ts"
import { stockFaults } from "./faults/stock.ts"
import { oauthFaults } from "./faults/oauth.ts"
import { offerFaults } from "./faults/offers.ts"
import { operatingFaults } from "./faults/operating.ts"
import { paymentProviderFaults } from "./faults/paymentProviders.ts"
import { paymentFaults } from "./faults/payments.ts"
import { readingFaults } from "./faults/reading.ts"
import { redirectFaults } from "./faults/redirect.ts"
import { roomFaults } from "./faults/rooms.ts"
import { sellingFaults } from "./faults/selling.ts"
import { sessionFaults } from "./faults/sessions.ts"
import { stripeFaults } from "./faults/stripe.ts"
import { storefrontFaults } from "./faults/storefront.ts"
import { promotionFaults } from "./faults/promotions.ts"
import { couponFaults } from "./faults/coupon.ts"
import { loyaltyFaults } from "./faults/loyalty.ts"
import { teamFaults } from "./faults/team.ts"
import { orderCareFaults } from "./faults/orderCare.ts"
import { telemetryFaults } from "./faults/telemetry.ts"
import { tenderFaults } from "./faults/tenders.ts"
import { variantFaults } from "./faults/variants.ts"
import { testProviderFaults } from "./faults/testProvider.ts"
import { listenerFaults } from "./faults/listeners.ts"
import { quotaFaults } from "./faults/quotas.ts"
import { retentionFaults } from "./faults/retention.ts"
import { webhookFaults } from "./faults/webhooks.ts"

export interface Fault {
  /** Room and subject: `tax.precedence`. */
  readonly id: string
  /** What the fault would do to a merchant, in one sentence. */
  readonly breaks: string
  readonly file: string
  /** Part of a statement, in any layout; must occur exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** Test files, from the root. */
  readonly tests: ReadonlyArray<string>
  /** Part of the name of a test that must be among the failing ones. */
  readonly noticedBy?: string
}

export const faults: ReadonlyArray<Fault> = [
  ...fxFaults,
  ...draftOrderFaults,
  ...limitFaults,
  ...replicaFaults,
  ...calculatorFaults,
  ...composedWriteFaults,
  ...foundationFaults,
  ...oauthFaults,
  ...offerFaults,
  ...readingFaults,
  ...sellingFaults,
  ...sessionFaults,
  ...storefrontFaults,
  ...variantFaults,
  ...testProviderFaults,
  ...redirectFaults,
  ...roomFaults,
  ...metafieldFaults,
  ...catalogPointFaults,
  ...cartFaults,
  ...paymentFaults,
  ...chargeFaults,
  ...paymentProviderFaults,
  ...promotionFaults,
  ...orderCareFaults,
  ...tenderFaults,
  ...explanationFaults,
  ...giftCardFaults,
  ...paperFaults,
  ...couponFaults,
  ...loyaltyFaults,
  ...bookFaults,
  ...refundFaults,
  ...stripeFaults,
  ...contractFaults,
  ...checkoutFieldFaults,
  ...customerFaults,
  ...teamFaults,
  ...edgeFaults,
  ...mediaFaults,
  ...mailFaults,
  ...emailDomainFaults,
  ...neighbourFaults,
  ...stockFaults,
  ...heavyReadFaults,
  ...operatingFaults,
  ...telemetryFaults,
  ...webhookFaults,
  ...appFaults,
  ...listenerFaults,
  ...quotaFaults,
  ...retentionFaults,
  ...transferFaults,
  ...hostileFaults
]

/** Finds the text however the formatter has broken its lines. */
const inAnyLayout = (text: string): RegExp =>
  new RegExp([...text.replace(/\s/g, "")].map((char) => char.replace(/[$()*+./?[\\\]^{|}]/, "\\$&")).join("\\s*"))

/** The text before and after the fault's line: two pieces if the file has it exactly once. */
export const around = ({ find }: Fault, text: string): ReadonlyArray<string> => text.split(inAnyLayout(find))
