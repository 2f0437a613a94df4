/**
 * The port to the rooms that give a customer what was kept under their e-mail address before, such as the orders they
 * placed as a guest.
 *
 * What it decides: what else changes when somebody has proved that a mailbox is theirs. When it is called: each time
 * that is proved (the link of a mail was followed, a login provider vouches for the address), in the transaction that
 * records it, under the customer's lock. How it differs from its neighbour: CustomerTraces takes away, this gives. What
 * the default does: there is none; the root collects the rooms' parts.
 */
import { Context, type Effect } from "effect"
import type { StoreContext } from "../store/StoreContext.ts"
import type { CustomerState } from "./Customer.ts"

export interface ProofPlace {
  /** Where it was proved: links in mails lead there. Null: to the store's first channel. */
  readonly salesChannelId: string | null
  readonly now: Date
}

/** One room's part. Repeating it changes nothing more. Inside `Database.write(storeId)`. */
export type MailboxProof = (store: StoreContext, customer: CustomerState, place: ProofPlace) => Effect.Effect<void>

export class MailboxProofs extends Context.Service<MailboxProofs, ReadonlyArray<MailboxProof>>()(
  "@effect-commerce/core/customer/MailboxProofs"
) {}
