/** The mail to the owner about an order whose money needs them: one for a cause. */
import { Effect } from "effect"
import { eventReader } from "../kernel/EventDefinition.ts"
import { orderAttention } from "../settlement/SettlementEvents.ts"
import { attentionView } from "./internal/attentionView.ts"
import { draftTo, type MailPlan } from "./MailPlan.ts"

const readAttention = eventReader(orderAttention, orderAttention.data)

const ofAttention: MailPlan = {
  type: "ORDER_ATTENTION",
  draft: (event, { store, owner }) =>
    Effect.flatMap(readAttention(event), (read) =>
      Effect.map(owner, (address) => draftTo(address, null, (language) => attentionView(store, read, language)))
    )
}

export const attentionMailPlans: Readonly<Record<string, ReadonlyArray<MailPlan>>> = {
  [orderAttention.type]: [ofAttention]
}
