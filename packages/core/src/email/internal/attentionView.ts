/** The variables of the mail about an order whose money needs the owner. Templates ask for the cause by its name. */
import { cutText } from "../../kernel/CutText.ts"
import type { AttentionCause, OrderAttention } from "../../settlement/SettlementEvents.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import type { View } from "../../template/TemplateRenderer.ts"
import { dayOf } from "./mailViews.ts"

/** Characters of what a provider gives as the reason. */
const longestReason = 200

/** `language` is that of the mail's template. */
export const attentionView = (store: StoreContext, event: OrderAttention, language: string): View => {
  const { orderId, orderNumber, currency, amount, provider, reason, dueAt } = event
  const is = (cause: AttentionCause) => (event.cause === cause ? true : null)
  return {
    orderId,
    orderNumber,
    currency,
    concernedAmount: amount,
    provider,
    reason: reason === null ? null : cutText(reason, longestReason),
    dueAt: dueAt === null ? null : dayOf(dueAt, store, language),
    refundFailed: is("refund_failed"),
    paymentFailed: is("payment_failed"),
    disputeOpened: is("dispute_opened"),
    disputeWon: is("dispute_won"),
    disputeLost: is("dispute_lost")
  }
}
