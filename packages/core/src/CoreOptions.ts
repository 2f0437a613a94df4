/** What core needs to know to be put together: where its database is, its secret, and what a host replaces. */
import type { Redacted } from "effect"
import type { ConnectionOptions } from "./database/ConnectionOptions.ts"
import type { DatabaseOptions } from "./database/Database.ts"
import type { RateLimitOptions } from "./guard/GuardRoom.ts"
import type { MailOptions } from "./smtp/MailTransport.ts"
import type { HostedTables } from "./host/HostDatabase.ts"
import type { MediaOptions } from "./media/MediaOptions.ts"
import type { LoginOptions } from "./oauth/LoginServices.ts"
import type { OutboundOptions } from "./outbound/GuardedFetch.ts"
import type { PaymentOptions } from "./payment/InstalledProviders.ts"
import type { AddressOptions } from "./shipping/AddressProvider.ts"
import type { ReplicaOptions } from "./replica/ReadReplica.ts"
import type { StripeOptions } from "./stripe/StripeOptions.ts"
import type { TaxOptions } from "./tax/TaxCalculator.ts"

export interface CoreOptions {
  /**
   * Where PostgreSQL answers: the embedded server's socket, a URL; or a host's node-postgres pool, whose settings are
   * the host's.
   */
  readonly connection: ConnectionOptions | HostedTables
  /** COMMERCE_SECRET, at least 32 bytes, the same for every process of the installation. */
  readonly secret: Redacted.Redacted
  /** A direct connection for LISTEN and migrations behind a transaction pooler. */
  readonly direct?: ConnectionOptions | undefined
  /** A streaming replica that storefronts read the catalogue from; not beside a host's pool. */
  readonly replica?: ReplicaOptions | undefined
  readonly maxConnections?: number | undefined
  readonly statementLog?: DatabaseOptions["statementLog"]
  /** Where rate limits are counted; absent, in PostgreSQL. */
  readonly rateLimits?: RateLimitOptions | undefined
  /** How mail leaves; absent, it is kept. */
  readonly mail?: MailOptions | undefined
  /** Where calls to addresses that others have chosen may go; absent, only to the internet. */
  readonly outbound?: OutboundOptions | undefined
  /** Where files are kept; absent, none can be uploaded. */
  readonly media?: MediaOptions | undefined
  /** Payment providers of the host's own, and how the installation uses Stripe. */
  readonly payments?: (PaymentOptions & { readonly stripe?: StripeOptions | undefined }) | undefined
  /** Where login providers that have no issuer of their own answer; absent, where the companies say. For tests. */
  readonly login?: LoginOptions | undefined
  /** How taxes are worked out; absent, by the rates that stores keep. */
  readonly tax?: TaxOptions | undefined
  /** Where suggestions of addresses come from; absent, there are none. */
  readonly addresses?: AddressOptions | undefined
  /** The base path of the server that serves the files, `/api` by default. */
  readonly basePath?: string | undefined
}
