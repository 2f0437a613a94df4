/**
 * The ports of the customer room: what is taken from a customer who is deleted, and given to one whose mailbox is
 * proved.
 */
import { Effect, Layer } from "effect"
import { CustomerTraces } from "./customer/CustomerTraces.ts"
import { MailboxProofs } from "./customer/MailboxProofs.ts"
import { forgottenDraftOrders } from "./draftorder/ForgottenDraftOrders.ts"
import { forgottenMails } from "./email/ForgottenMails.ts"
import { forgottenShopping } from "./erasure/ForgottenShopping.ts"
import { forgottenGiftCards } from "./giftcard/ForgottenGiftCards.ts"
import { forgottenAlerts } from "./inventory/ForgottenAlerts.ts"
import { forgottenLoyalty } from "./loyalty/ForgottenLoyalty.ts"
import { forgottenSignups } from "./newsletter/ForgottenSignups.ts"
import { endedIdentities, forgottenIdentities } from "./oauth/Identities.ts"
import { linkedOrders } from "./orderlink/LinkedOrders.ts"
import { forgottenReviews } from "./review/ForgottenReviews.ts"

/** Needs `ErasureRepository`. */
export const customerTraces = Layer.effect(
  CustomerTraces,
  // In the order of locks: draft orders, carts, checkouts and stock come before gift cards and points.
  Effect.all([
    forgottenMails,
    forgottenDraftOrders,
    forgottenShopping,
    forgottenSignups,
    forgottenIdentities,
    forgottenAlerts,
    forgottenReviews,
    forgottenGiftCards,
    forgottenLoyalty
  ])
)

/** What a proved mailbox brings to its customer. */
export const mailboxProofs = Layer.effect(MailboxProofs, Effect.all([endedIdentities, linkedOrders]))
