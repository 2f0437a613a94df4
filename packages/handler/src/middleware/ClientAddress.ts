/** The address limits count by: the peer's, or behind trusted proxies the right-most X-Forwarded-For address that is not one of them. */
import { Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import ipaddr from "ipaddr.js"

/** Why a text names no proxies, or undefined where it is an address or a CIDR range. */
export const rangeProblem = (range: string): string | undefined =>
  (range.includes("/") ? ipaddr.isValidCIDR(range) : ipaddr.isValid(range)) ? undefined : `${range} is neither an address nor a CIDR range`

const isTrusted = (address: string, trusted: ReadonlyArray<string>): boolean => {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return trusted.some((range) => {
    const [network, bits] = range.includes("/") ? ipaddr.parseCIDR(range) : [ipaddr.process(range), ipaddr.process(range).kind() === "ipv4" ? 32 : 128]
    return parsed.kind() === network.kind() && parsed.match(network as never, bits as never)
  })
}

export const clientAddress = (request: HttpServerRequest.HttpServerRequest, peer: string | undefined, trusted: ReadonlyArray<string>): string => {
  const remote = plain(peer ?? Option.getOrElse(request.remoteAddress, () => "unknown"))
  if (trusted.length === 0 || !isTrusted(remote, trusted)) return remote
  const forwarded = (request.headers["x-forwarded-for"] ?? "").split(",").map((part) => plain(withoutPort(part.trim())))
  for (const address of forwarded.reverse()) if (address !== "" && !isTrusted(address, trusted)) return address
  return remote
}

const dottedQuad = /^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/

/** Some proxies name the port as well, a new one for each connection: `203.0.113.7:49152`, `[2001:db8::7]:49152`. */
const withoutPort = (forwarded: string): string => /^(?:(\d+\.\d+\.\d+\.\d+):\d+|\[([^\]]+)\](?::\d+)?)$/.exec(forwarded)?.slice(1).find(Boolean) ?? forwarded

/** IPv4 written as itself, also where it came mapped into IPv6. */
const plain = (address: string): string => (dottedQuad.test(address) || !ipaddr.isValid(address) ? address : ipaddr.process(address).toString())
