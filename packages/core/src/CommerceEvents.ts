/**
 * Every event there is, in the order in which the catalogue lists them. A room declares its events in its own file and
 * adds the list here; the catalogue, docs/events.md and the tests read this list.
 */
import { productEvents } from "./product/ProductEvents.ts"
import { checkoutEvents } from "./checkout/CheckoutEvents.ts"
import { customerEvents } from "./customer/CustomerEvents.ts"
import { inventoryEvents } from "./inventory/InventoryEvents.ts"
import { draftOrderEvents } from "./draftorder/DraftOrderEvents.ts"
import type { EventDefinition } from "./kernel/EventDefinition.ts"
import { newsletterEvents } from "./newsletter/NewsletterEvents.ts"
import { exportEvents } from "./export/ExportEvents.ts"
import { orderEvents } from "./order/OrderEvents.ts"
import { orderLinkEvents } from "./orderlink/OrderLinkEvents.ts"
import { paymentEvents } from "./payment/PaymentEvents.ts"
import { settlementEvents } from "./settlement/SettlementEvents.ts"
import { teamEvents } from "./team/TeamEvents.ts"
import { donationEvents } from "./webhook/EventsToCome.ts"
import { webhookEvents } from "./webhook/WebhookEvents.ts"

const all = [
  ...orderEvents,
  ...checkoutEvents,
  ...draftOrderEvents,
  ...customerEvents,
  ...productEvents,
  ...inventoryEvents,
  ...newsletterEvents,
  ...orderLinkEvents,
  ...exportEvents,
  ...paymentEvents,
  ...settlementEvents,
  ...teamEvents,
  ...webhookEvents,
  ...donationEvents
]

export const commerceEvents: ReadonlyArray<EventDefinition> = all

type Defined = (typeof all)[number]

/** The types of events that are sent to others. */
export type PublicEventType = Exclude<Defined["type"], `internal.${string}`>

/** The data of events of a type: plain JSON, amounts as decimal strings. */
export type EventData<Type extends PublicEventType> = Extract<Defined, { readonly type: Type }>["data"]["Encoded"]
