/**
 * The address limits count by: the peer's, or behind trusted proxies the right-most X-Forwarded-For address that is not
 * one of them.
 */
import { Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import ipaddr from "ipaddr.js"

/** Why a text names no proxies, or undefined where it is an address or a CIDR range. */
export const rangeProblem = (range: string): string | undefined =>
  (range.includes("/") ? ipaddr.isValidCIDR(range) : ipaddr.isValid(range))
    ? undefined
    : `${range} is neither an address nor a CIDR range`

const isTrusted = (address: string, trusted: ReadonlyArray<string>): boolean => {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return trusted.some((range) => {
    const [network, bits] = range.includes("/")
      ? ipaddr.parseCIDR(range)
      : [ipaddr.process(range), ipaddr.process(range).kind() === "ipv4" ? 32 : 128]
    return parsed.kind() === network.kind() && parsed.match(network as never, bits as never)
  })
}

/**
 * What limits count a client by: its IPv4 address, or the /64 that its IPv6 address is of. "unknown" where there is no
 * address.
 */
export const clientAddress = (
  request: HttpServerRequest.HttpServerRequest,
  peer: string | undefined,
  trusted: ReadonlyArray<string>
): string => {
  const remote = peer ?? Option.getOrElse(request.remoteAddress, () => "unknown")
  if (trusted.length === 0 || !isTrusted(remote, trusted)) return bucketOf(remote) ?? remote
  const forwarded = (request.headers["x-forwarded-for"] ?? "").split(",").map((part) => withoutPort(part.trim()))
  const client = forwarded.reverse().find((address) => address !== "" && !isTrusted(address, trusted))
  // Text that is not an address did not come from a trusted proxy: it is not counted as a client.
  return bucketOf(client ?? remote) ?? bucketOf(remote) ?? remote
}

/** Whether the request was handed on by a trusted proxy, so that what it says of the client's request is believed. */
export const isForwarded = (
  request: HttpServerRequest.HttpServerRequest,
  peer: string | undefined,
  trusted: ReadonlyArray<string>
): boolean => trusted.length > 0 && isTrusted(peer ?? Option.getOrElse(request.remoteAddress, () => "unknown"), trusted)

const dottedQuad = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/

/** Some proxies name the port as well, a new one for each connection: `203.0.113.7:49152`, `[2001:db8::7]:49152`. */
const withoutPort = (forwarded: string): string =>
  /^(?:(\d+\.\d+\.\d+\.\d+):\d+|\[([^\]]+)\](?::\d+)?)$/.exec(forwarded)?.slice(1).find(Boolean) ?? forwarded

/**
 * Ranges of IPv6 that stand for IPv4 clients behind a translator (RFC 6052, RFC 6145); the last 32 bits are the
 * address.
 */
const translated: ReadonlySet<string> = new Set(["rfc6052", "rfc6145"])

/**
 * One name for a client, however its address is written: a client with one IPv6 address of a /64 has the whole /64.
 * IPv4 that came as IPv6, mapped or translated, is IPv4; the loopback is itself. Undefined for what is no address.
 */
const bucketOf = (address: string): string | undefined => {
  if (dottedQuad.test(address)) return address
  if (!ipaddr.isValid(address)) return undefined
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const range = parsed.range()
  if (range === "loopback") return "::1"
  const bytes = parsed.toByteArray()
  if (translated.has(range)) return bytes.slice(12).join(".")
  return `${new ipaddr.IPv6([...bytes.slice(0, 8), 0, 0, 0, 0, 0, 0, 0, 0]).toString()}/64`
}

/** Whether a request was made on this machine. A forwarded one comes from elsewhere, also through a proxy here. */
export const isLocal = (ip: string | undefined, headers: Readonly<Record<string, string | undefined>>): boolean =>
  headers["x-forwarded-for"] === undefined &&
  headers["forwarded"] === undefined &&
  ip !== undefined &&
  ipaddr.isValid(ip) &&
  ipaddr.process(ip).range() === "loopback"
