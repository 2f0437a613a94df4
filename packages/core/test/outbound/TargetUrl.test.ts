import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { mayReach } from "../../src/outbound/AddressRules.ts"
import { readTarget } from "../../src/outbound/TargetUrl.ts"
import { forbiddenUrls } from "./forbiddenUrls.ts"

const strict = { allowPrivate: false, allowCidrs: [] }
const development = { allowPrivate: true, allowCidrs: [] }
const at = (url: string) => url.replaceAll(":1/", ":8443/")

describe("a URL that a merchant gives", () => {
  it(`is refused in every spelling of a forbidden place (${forbiddenUrls.length})`, () => {
    expect(forbiddenUrls.length).toBeGreaterThanOrEqual(150)
    expect(forbiddenUrls.map(at).filter((url) => Result.isSuccess(readTarget(url, strict)))).toEqual([])
  })

  it.each([
    "https://example.com/hook",
    "https://hooks.example.co.uk:8443/a/b?c=d#e",
    "https://xn--bcher-kva.example/hook",
    "https://bücher.example/hook",
    "https://93.184.216.34/",
    "https://1.1.1.1:8080/",
    "https://[2606:4700:4700::1111]/",
    "https://localhost.example.com/",
    "https://127.0.0.1.nip.example/",
    "https://example.com./"
  ])("may name a place on the internet: %s", (url) => {
    expect(Result.isSuccess(readTarget(url, strict))).toBe(true)
  })

  it.each([
    "http://127.0.0.1:3000/hook",
    "http://localhost:3000/",
    "https://10.1.2.3/",
    "http://web:8080/x",
    "http://[::1]:3000/",
    "http://[fd00::1]/",
    "http://100.64.0.9/"
  ])("may name a private place where the operator allows it: %s", (url) => {
    expect(Result.isSuccess(readTarget(url, development))).toBe(true)
  })

  it.each([
    "http://169.254.169.254/latest/meta-data/",
    "http://[fe80::1]/",
    "http://0.0.0.0/",
    "http://224.0.0.1/",
    "http://255.255.255.255/",
    "file:///etc/passwd",
    "http://127.0.0.1:22/"
  ])("never names cloud metadata, a broadcast, a file or a mail server, allowed or not: %s", (url) => {
    expect(Result.isFailure(readTarget(url, development))).toBe(true)
  })
})

describe("an address", () => {
  it("of an admitted range is admitted, also where it is private, and its neighbours are not", () => {
    const policy = { allowPrivate: false, allowCidrs: ["127.0.0.2/32", "fd00:1::/32"] }
    expect(
      ["127.0.0.2", "::ffff:127.0.0.2", "127.0.0.3", "127.0.0.1", "fd00:1::9", "fd00:2::9"].map((address) =>
        mayReach(address, policy)
      )
    ).toEqual([true, true, false, false, true, false])
  })

  it("that is no address is not admitted", () => {
    expect(
      ["", "localhost", "1.2.3", "999.1.1.1", "::g", "8.8.8.8/0"].map((text) => mayReach(text, development))
    ).toEqual([false, false, false, false, false, false])
  })
})
