/**
 * Port. Looks up the TXT records of a name. Default: the name servers of the system or those that the host names, asked
 * over sockets of our own (c-ares). Answers are other people's: their number and length are bounded.
 */
import { Resolver } from "node:dns/promises"
import { Context, Effect, Layer, Schema } from "effect"

/** Nothing is known of a name: its servers did not answer, or refused to. */
export class LookupFailed extends Schema.TaggedError<LookupFailed>()("LookupFailed", { reason: Schema.String }) {}

export interface Records {
  /** Every TXT record of a name, its parts joined; none if the name has none. */
  readonly texts: (name: string) => Effect.Effect<ReadonlyArray<string>, LookupFailed>
}

export interface DnsOptions {
  /** Addresses of name servers, with a port if it is not 53; absent, those of the system. */
  readonly dnsServers?: ReadonlyArray<string> | undefined
}

/** Milliseconds of one try, tries for each server, and milliseconds in all. */
const tries = { timeout: 2_000, tries: 2 }
const lookupMillis = 8_000

const mostRecords = 100
const longestRecord = 4_096

/** A server has answered that there is none. */
const nothing: ReadonlySet<unknown> = new Set(["ENODATA", "ENOTFOUND"])

const codeOf = (cause: unknown): unknown =>
  typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined

const bounded = (answer: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> =>
  answer
    .slice(0, mostRecords)
    .map((parts) => parts.join(""))
    .filter(({ length }) => length <= longestRecord)

const nameServers = ({ dnsServers }: DnsOptions): Records => ({
  texts: (name) =>
    Effect.tryPromise({
      try: async (signal) => {
        const dns = new Resolver(tries)
        if (dnsServers !== undefined) dns.setServers(dnsServers)
        signal.addEventListener("abort", () => dns.cancel())
        try {
          return bounded(await dns.resolveTxt(name))
        } catch (cause) {
          if (nothing.has(codeOf(cause))) return []
          throw cause
        }
      },
      catch: (cause) => new LookupFailed({ reason: String(codeOf(cause) ?? "unknown") })
    }).pipe(
      Effect.timeoutOrElse({
        duration: lookupMillis,
        orElse: () => Effect.fail(new LookupFailed({ reason: `no answer within ${lookupMillis} ms` }))
      })
    )
})

export class DomainRecords extends Context.Service<DomainRecords, Records>()(
  "@effect-commerce/core/emaildomain/DomainRecords"
) {
  static readonly layer = (options: DnsOptions) => Layer.sync(this, () => nameServers(options))
}
