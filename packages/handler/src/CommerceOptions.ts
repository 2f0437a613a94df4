/** The options of `createCommerce`. */
import type { CoreOptions } from "@effect-commerce/core/CommerceCore"
import type { ConnectionOptions } from "@effect-commerce/core/database/ConnectionOptions"
import type { HostedTables } from "@effect-commerce/core/host/HostDatabase"
import type { ReplicaOptions } from "@effect-commerce/core/replica/ReadReplica"
import type { Redacted } from "effect"
import type { LogChoice } from "./system/LogLines.ts"
import type { TelemetryOptions } from "./system/telemetry/Telemetry.ts"
import type { ReferenceValues } from "./system/reference/ReferenceValues.ts"

export type DatabaseChoice =
  /**
   * A PostgreSQL of yours, 15 or newer; `directUrl` for LISTEN and migrations where `url` goes through a transaction
   * pooler. `readUrl` is a streaming replica that storefronts read the catalogue from while it is at most `readMaxLag`
   * milliseconds behind, 1,000 by default. docs/guides/beyond-one-machine.md
   */
  | {
      readonly url: string
      readonly directUrl?: string | undefined
      readonly readUrl?: string | undefined
      readonly readMaxLag?: number | undefined
    }
  /** The embedded PostgreSQL in this folder. */
  | { readonly dataDir: string }
  /**
   * A node-postgres pool of yours. Its settings stay as they are, and it is not closed. docs/guides/host-database.md
   */
  | HostPoolChoice
  /**
   * A connection in parts, with `direct` past a transaction pooler, and a replica; the schema must be current.
   */
  | {
      readonly connection: ConnectionOptions
      readonly direct?: ConnectionOptions | undefined
      readonly replica?: ReplicaOptions | undefined
    }

export interface HostPoolChoice extends HostedTables {
  /**
   * For LISTEN and migrations, where the pool goes through a transaction pooler. Without it a client of the pool is
   * kept for LISTEN.
   */
  readonly directUrl?: string | undefined
  /** False leaves the schema as it is, and you run the migrations yourself. True by default. */
  readonly migrate?: boolean | undefined
}

export interface CommerceOptions {
  readonly database: DatabaseChoice
  /**
   * The root secret, at least 32 bytes, from which encryption and token keys are derived: the same for every process of
   * an installation. With `dataDir` it may be left out: the one kept beside the data is used.
   */
  readonly secret?: string | Redacted.Redacted | undefined
  /**
   * Requests allowed to one IP; `"off"` removes the limits per IP and per route. Defaults: 60 a minute, 1,000 an hour.
   * With `redisUrl` (`redis(s)://user:password@host:port/database`) they are counted in Redis; without it `store` is
   * `"postgres"`. `"memory"` is for a single process.
   */
  readonly rateLimit?:
    | {
        readonly perMinute?: number | "off" | undefined
        readonly perHour?: number | undefined
        readonly store?: "postgres" | "redis" | "memory" | undefined
        readonly redisUrl?: string | Redacted.Redacted | undefined
      }
    | undefined
  /** Addresses and CIDR ranges whose X-Forwarded-For is believed. */
  readonly trustedProxies?: ReadonlyArray<string> | undefined
  /**
   * The path under which the shop answers, in place of `/api`: with `"/shop/api"` a product is at
   * `/shop/api/v1/products/{id}`, and every other path is the host's. Write it whole, as a browser asks for it, also
   * where a framework mounts `commerce.node` there.
   */
  readonly basePath?: string | undefined
  /**
   * False sends JSON as it is, for hosts behind a proxy that compresses. By default JSON above 1 KB is sent as br or
   * gzip to clients that accept it.
   */
  readonly compress?: boolean | undefined
  /**
   * False works on all requests of a store at once. By default, while other stores of the process are busy too, a store
   * has 1 to 8 requests at once, as many as take 40 ms together (decision 0035).
   */
  readonly storeTurns?: boolean | undefined
  /** Adds the route that moves the instance's clock; for tests. */
  readonly testClock?: boolean | undefined
  /** `api` serves requests, `worker` does the background work, `all` (the default) both. */
  readonly role?: "all" | "api" | "worker" | undefined
  /**
   * How mail leaves: `{ smtpUrl: "smtp(s)://user:pass@host:port" }` or `{ transport }`, a way of your own; absent,
   * mails are kept and read at `GET /v1/email/messages`. `publicUrl` is the base of links where no channel's domain is
   * known. docs/guides/email.md
   */
  readonly mail?: CoreOptions["mail"]
  /** Which addresses webhooks and other outgoing calls may reach; by default only public addresses, over https. */
  readonly outbound?: CoreOptions["outbound"]
  /**
   * Where files are kept: `{ url: "file:///var/lib/shop/media" }`, `{ url: "s3://KEY:SECRET@bucket?endpoint=…&region=…"
   * }` or `{ store }`, a storage of your own. With `dataDir` the default is a folder beside the data; otherwise there
   * is no default, and nothing can be uploaded. `publicUrl` is a CDN that files are read from. docs/guides/media.md
   */
  readonly media?: CoreOptions["media"]
  /**
   * Payment providers of yours, beside `manual`, `test` and `stripe`: `{ providers: [yours] }`. Each passes
   * core's `testing/PaymentProviderConformance`. `{ stripe: { secretKey: "sk_…", webhookSecret: "whsec_…" } }` is the
   * account that Stripe pays for every store without one of its own; stores bring theirs without it.
   */
  readonly payments?: CoreOptions["payments"]
  /**
   * Where Google, Facebook and GitHub answer when customers sign in by them, and how long a sign-in may wait. For
   * tests, which put local servers in their place.
   */
  readonly login?: CoreOptions["login"]
  /**
   * A provider of addresses of yours, for the suggestions of a checkout: `{ provider: yours }`; `timeout` is how many
   * milliseconds a call may take, 3,000 by default. Without one there are no suggestions.
   * docs/guides/taxes-and-addresses.md
   */
  readonly addresses?: CoreOptions["addresses"]
  /**
   * A tax calculator of yours in place of the rates that stores keep: `{ calculator: yours }`. It is a pure function;
   * if it fails, checkouts answer 503 and nothing is sold. docs/guides/taxes-and-addresses.md
   */
  readonly tax?: CoreOptions["tax"]
  /**
   * Where the log goes: `"pretty"` (the default) and `"json"` print it; a function receives each line, for a logger of
   * your own.
   */
  readonly logger?: LogChoice | undefined
  /**
   * Where traces, metrics and logs go besides: `{ otlpEndpoint: "http://127.0.0.1:4318" }` sends them to a collector by
   * OTLP over HTTP, and with `tracer`, an Effect tracer of yours, the spans go there in place of it. Without it nothing
   * is sent, and it costs nothing. docs/guides/looking-after.md
   */
  readonly telemetry?: TelemetryOptions | undefined
  /**
   * While it returns false, `GET /api/health/ready` is 503: for a host that has work to do before it can take requests.
   */
  readonly ready?: (() => boolean) | undefined
  /**
   * What the samples of the reference page (`/api/docs`) are filled with: ids of a store to try requests on, and a key
   * for them, which is shown to readers on a loopback address alone. Called at each visit.
   */
  readonly referenceValues?: (() => ReferenceValues | undefined) | undefined
  readonly maxConnections?: number | undefined
  readonly statementLog?: CoreOptions["statementLog"]
}
