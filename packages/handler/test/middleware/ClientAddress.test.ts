import { describe, expect, it } from "vitest"
import { clientAddress } from "../../src/middleware/ClientAddress.ts"

const asked = (forwarded?: string) =>
  ({ headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded } }) as never
const direct = (peer: string) => clientAddress(asked(), peer, [])
const forwarded = (text: string) => clientAddress(asked(text), "10.0.0.1", ["10.0.0.0/8", "2001:db8:ffff::/48"])

describe("a client that comes by IPv6", () => {
  it.each([
    "2001:db8:1:2::1",
    "2001:db8:1:2:ffff:ffff:ffff:ffff",
    "2001:0db8:0001:0002:0000:0000:0000:0001",
    "2001:DB8:1:2::abcd",
    "2001:db8:1:2:0:0:192.0.2.1",
    "2001:db8:1:2::1%eth0"
  ])("is its /64, however the address is written: %s", (address) => {
    expect(direct(address)).toBe("2001:db8:1:2::/64")
    expect(forwarded(address)).toBe("2001:db8:1:2::/64")
    expect(forwarded(`[${address}]:4711`)).toBe("2001:db8:1:2::/64")
    expect(forwarded(`${address}, 10.1.1.1, 2001:db8:ffff::9`)).toBe("2001:db8:1:2::/64")
  })

  it("is another one in the network next to it", () => {
    expect(direct("2001:db8:1:3::1")).toBe("2001:db8:1:3::/64")
    expect(direct("2001:db8:1:2::1")).not.toBe(direct("2001:db8:1:3::1"))
  })

  it.each([
    "::ffff:203.0.113.7",
    "::FFFF:cb00:7107",
    "0:0:0:0:0:ffff:203.0.113.7",
    "64:ff9b::203.0.113.7",
    "64:ff9b::cb00:7107",
    "::ffff:0:203.0.113.7"
  ])("is the IPv4 client that it stands for: %s", (address) => {
    expect(direct(address)).toBe("203.0.113.7")
    expect(forwarded(address)).toBe("203.0.113.7")
  })

  it("is this machine where it is", () => {
    expect([direct("::1"), direct("0:0:0:0:0:0:0:1"), direct("127.0.0.1"), direct("::ffff:127.0.0.1")]).toEqual([
      "::1",
      "::1",
      "127.0.0.1",
      "127.0.0.1"
    ])
  })

  it("on a local link shares what the link shares", () => {
    expect([direct("fe80::1%eth0"), direct("fe80::2%eth1")]).toEqual(["fe80::/64", "fe80::/64"])
  })
})

describe("a client behind a proxy", () => {
  it("is the right-most address that is no trusted proxy", () => {
    expect(forwarded("198.51.100.9, 203.0.113.7, 10.9.9.9")).toBe("203.0.113.7")
    expect(forwarded("203.0.113.7:49152")).toBe("203.0.113.7")
    expect(clientAddress(asked("203.0.113.7"), "192.0.2.1", ["10.0.0.0/8"])).toBe("192.0.2.1")
    expect(clientAddress(asked("203.0.113.7"), "::ffff:10.0.0.1", ["10.0.0.0/8"])).toBe("203.0.113.7")
  })

  it("is the proxy itself where that names no address: what a caller has written is no bucket of its own", () => {
    expect([
      forwarded("unknown"),
      forwarded("_hidden"),
      forwarded("203.0.113.7, x".repeat(5)),
      forwarded("x".repeat(9_000))
    ]).toEqual(Array.from({ length: 4 }, () => "10.0.0.1"))
    expect(["256.0.113.7", "203.0.113.999", "999.999.999.999:80"].map(forwarded)).toEqual(
      Array.from({ length: 3 }, () => "10.0.0.1")
    )
    expect(["255.255.255.255", "249.199.99.9"].map(forwarded)).toEqual(["255.255.255.255", "249.199.99.9"])
  })

  it("is trusted by its whole address, not by its network's first half", () => {
    expect(clientAddress(asked("203.0.113.7"), "2001:db8:ffff:1::1", ["2001:db8:ffff:1::2"])).toBe(
      "2001:db8:ffff:1::/64"
    )
    expect(clientAddress(asked("203.0.113.7"), "2001:db8:ffff:1::2", ["2001:db8:ffff:1::2"])).toBe("203.0.113.7")
  })
})
