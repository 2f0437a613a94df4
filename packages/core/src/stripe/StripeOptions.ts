/** How the installation itself uses Stripe; a store may bring an account of its own beside it. */
import type { Redacted } from "effect"

export interface StripeOptions {
  /** COMMERCE_STRIPE_SECRET_KEY: `sk_test_…` or `sk_live_…`. Absent: only stores with their own account use Stripe. */
  readonly secretKey?: string | Redacted.Redacted | undefined
  /** COMMERCE_STRIPE_WEBHOOK_SECRET: `whsec_…`, of the endpoint that sends us notices. */
  readonly webhookSecret?: string | Redacted.Redacted | undefined
  /** COMMERCE_STRIPE_API_BASE: another server that speaks Stripe's API, for tests. Its path is not used. */
  readonly apiBase?: string | undefined
  /** `manual`: the money is reserved, and captured by the merchant within days. `automatic` by default. */
  readonly captureMethod?: "automatic" | "manual" | undefined
  /** Sends the SDK's requests; absent, Node's own client does. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Milliseconds after which a call has no answer; 18,000 by default. */
  readonly timeout?: number | undefined
}
