/** What the recovery has at hand for an operation that is due. */
import type { PaymentMethod } from "../../payment/PaymentMethod.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import type { AnyOutcomeHandler } from "../OutcomeHandlers.ts"
import type { ProviderOperation } from "../ProviderOperation.ts"

/** An operation to check, with what is needed for it. */
export interface Checked {
  readonly store: StoreContext
  readonly operation: ProviderOperation
  readonly handler: AnyOutcomeHandler
  readonly method: PaymentMethod
}

/** One whose provider cannot be asked, because it is not set up any more. */
export type Unasked = Omit<Checked, "method">
