/**
 * Resolves names to addresses. The default asks the configured name servers over its own sockets (c-ares): with a slow
 * name server the system's resolver would block the few threads that files and hashes need. Answers are cached for a
 * moment.
 */
import { lookup, Resolver as DnsResolver } from "node:dns/promises"

/** Every address of a name; an empty list or a rejection if it has none. */
export type Resolver = (host: string) => Promise<ReadonlyArray<string>>

const keptMillis = 5_000
const mostKept = 10_000

const tries = { timeout: 2_000, tries: 2 }

const askNameServers: Resolver = async (host) => {
  const dns = new DnsResolver(tries)
  const answers = await Promise.allSettled([dns.resolve4(host), dns.resolve6(host)])
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))
  if (addresses.length === 0) throw new Error(`${host} has no address`)
  return addresses
}

/** The system's resolver, hosts file included: `localhost` and the names of a container's neighbours. */
const askSystem: Resolver = async (host) => (await lookup(host, { all: true })).map(({ address }) => address)

/** Caches answers for five seconds, by the process's own timer. */
const remembering = (ask: Resolver): Resolver => {
  const kept = new Map<string, { readonly until: number; readonly addresses: ReadonlyArray<string> }>()
  return async (host) => {
    const now = performance.now()
    const known = kept.get(host)
    if (known !== undefined && known.until > now) return known.addresses
    const addresses = await ask(host)
    if (kept.size >= mostKept) kept.clear()
    kept.set(host, { until: now + keptMillis, addresses })
    return addresses
  }
}

/** In development the hosts file is used too; otherwise only name servers are asked. */
export const makeResolver = (options: { readonly hostsFile: boolean }): Resolver =>
  remembering(options.hostsFile ? askSystem : askNameServers)
