import { Option } from "effect"
import { describe, expect, it } from "vitest"
import { enoughRequests, makeProxyWatch } from "../../src/middleware/ProxyWatch.ts"

const asked = (forwarded: string | undefined) =>
  ({ headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded }, remoteAddress: Option.none() }) as never
/** What is said at each of these requests, from the first that anything is said at. */
const said = (
  count: number,
  of: (i: number) => { readonly peer?: string; readonly client?: string | undefined },
  trusted: ReadonlyArray<string> = []
) => {
  const watch = makeProxyWatch(trusted)
  return Array.from({ length: count }, (_, i) => {
    const { peer = "10.0.0.7", client = `203.0.113.${i % 2}` } = of(i)
    return watch(asked(client === "" ? undefined : client), peer)
  }).flatMap((line, i) => (line === undefined ? [] : [[i, line]]))
}

describe("a proxy that nobody has named", () => {
  it("is said once, with the remedy, when fifty of its requests were for several clients", () => {
    expect(said(500, () => ({}))).toEqual([
      [
        enoughRequests - 1,
        "50 requests with X-Forwarded-For came from 10.0.0.7, which is not a trusted proxy: all clients behind it share " +
          "the limits of one. If it is your proxy, name it in COMMERCE_TRUSTED_PROXIES (`trustedProxies` of createCommerce)"
      ]
    ])
    expect(said(500, (i) => ({ client: i < 300 ? "203.0.113.1" : "203.0.113.2" })).map(([i]) => i)).toEqual([300])
  })

  it("is not what a developer is, nor one client, nor clients who come directly, nor a trusted one", () => {
    expect([
      said(500, () => ({ client: "" })),
      said(500, () => ({ client: "203.0.113.1" })),
      said(500, (i) => ({ peer: `198.51.100.${i % 2}` })),
      said(500, () => ({}), ["10.0.0.0/8"]),
      said(enoughRequests - 1, () => ({})),
      said(500, (i) => ({ client: `not an address ${i}` }))
    ]).toEqual([[], [], [], [], [], []])
  })

  it("is found among others' requests that carry no such header, as those of a health check", () => {
    const found = said(200, (i) => (i % 2 === 0 ? { peer: "10.0.0.1", client: "" } : { client: `203.0.113.${i}` }))
    expect(found.map(([i]) => i)).toEqual([2 * enoughRequests - 1])
  })
})
