/** A provider and the account at it that a payment is for, and where that is decided. */
import type { PaymentProvider, ProviderAccount, ProviderMode } from "./PaymentProvider.ts"

export interface PaymentMethod {
  readonly provider: PaymentProvider
  readonly account: ProviderAccount
}

/** Where something is paid for: whether its channel is in test mode, and the region that the shopper buys from. */
export interface PaymentPlace {
  readonly isTest: boolean
  readonly regionId?: string | null
}

/** Whose account an operation is for; stored when it begins. */
export interface OperationAccount {
  /** The provider's code. */
  readonly provider: string
  readonly providerId: string
  readonly account: string
  readonly mode: ProviderMode
}
