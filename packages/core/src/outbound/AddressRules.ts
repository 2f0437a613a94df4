/**
 * Which addresses a call may reach. Addresses are compared as parsed bytes, never as text, and only what IANA's
 * registries leave as ordinary unicast is public: loopback, private, link-local, shared, multicast, documentation,
 * benchmarking, reserved, and every form of IPv6 that carries an IPv4 address (mapped, compatible, 6to4, Teredo, NAT64)
 * are not. The addresses of this machine's own interfaces are not either.
 */
import { networkInterfaces } from "node:os"
import ipaddr from "ipaddr.js"

export interface AddressPolicy {
  /** Allows loopback, private and shared addresses, for development. Never link-local: cloud metadata is there. */
  readonly allowPrivate: boolean
  /** Ranges that are always allowed. */
  readonly allowCidrs: ReadonlyArray<string>
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

const forDevelopment: ReadonlySet<string> = new Set(["loopback", "private", "uniqueLocal", "carrierGradeNat"])

/** The range that IANA has assigned for use on the internet so far. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")

/** A well-formed address as bytes; an IPv4-mapped IPv6 address is its IPv4 address. undefined: not an address. */
export const parseAddress = (text: string): Address | undefined =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text) ? ipaddr.process(text) : undefined

const isWithin = (address: Address, cidr: string): boolean => {
  const [network, bits] = ipaddr.parseCIDR(cidr)
  return address.kind() === network.kind() && address.match(network, bits)
}

const ownAddresses = (): ReadonlyArray<string> =>
  Object.values(networkInterfaces()).flatMap((entries = []) =>
    entries.flatMap((entry) => parseAddress(entry.address.split("%")[0] ?? "")?.toNormalizedString() ?? [])
  )

const isPublic = (address: Address): boolean => {
  if (address.range() !== "unicast") return false
  if (address instanceof ipaddr.IPv6 && !address.match(globalUnicast)) return false
  return !ownAddresses().includes(address.toNormalizedString())
}

/** Whether a call may connect to this address. False for text that is not an address. */
export const mayReach = (text: string, policy: AddressPolicy): boolean => {
  const address = parseAddress(text)
  if (address === undefined) return false
  if (policy.allowCidrs.some((cidr) => isWithin(address, cidr))) return true
  return (
    isPublic(address) ||
    (policy.allowPrivate &&
      (forDevelopment.has(address.range()) || ownAddresses().includes(address.toNormalizedString())))
  )
}
