import { describe, expect, it } from "vitest"
import { hmacSha256Hex } from "../../src/crypto/Hashing.ts"
import { signStandardWebhook, signWebhook, verifyWebhook } from "../../src/crypto/WebhookSigner.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const secret = "whsec_00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
const timestamp = 1_767_323_045_678
const body = bytes(
  '{"id":"evt_00000000000000000000000000000001","type":"order.created","createdAt":"2026-01-02T03:04:05.678Z","data":{"orderId":"ord_1"}}'
)
const signature = "277a69621e21d7acffe2cbfe1f171e8165559b64a9b5793adff2969b29536b72"

const genuine = { secret, timestamp, signature, body, now: timestamp }

describe("the signature of a webhook delivery", () => {
  it("stands on HMAC-SHA256 as RFC 4231 gives it", () => {
    expect(hmacSha256Hex("Jefe", "what do ya want for nothing?")).toBe(
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    )
  })

  it("takes the whole secret, whsec_ included, as UTF-8", () => {
    expect(signWebhook(secret, timestamp, body)).toBe(signature)
  })

  it("is over the raw bytes: white space changes it, and bytes that are no text are signed as they are", () => {
    expect(signWebhook(secret, timestamp, bytes('{"a":1}'))).not.toBe(signWebhook(secret, timestamp, bytes('{ "a":1}')))
    const binary = Uint8Array.of(0xff, 0xfe, 0x00, 0x80)
    const signed = signWebhook(secret, timestamp, binary)
    expect(signed).not.toBe(signWebhook(secret, timestamp, bytes("\ufffd\ufffd\u0000\ufffd")))
    expect(verifyWebhook({ ...genuine, body: binary, signature: signed })).toBeUndefined()
  })

  it("covers an empty body and the timestamp", () => {
    expect(signWebhook(secret, 1, bytes(""))).toBe(hmacSha256Hex(secret, "1."))
    expect(signWebhook(secret, 2, bytes(""))).not.toBe(signWebhook(secret, 1, bytes("")))
  })
})

describe("the signature of Standard Webhooks", () => {
  it("is that of its libraries", () => {
    expect(
      signStandardWebhook(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        1_614_265_330,
        bytes('{"test": 2432232314}')
      )
    ).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
  })
})

describe("a delivery is verified", () => {
  it("as genuine, whatever the case of its hex digits", () => {
    expect(verifyWebhook(genuine)).toBeUndefined()
    expect(verifyWebhook({ ...genuine, signature: signature.toUpperCase() })).toBeUndefined()
  })

  it.each([
    [300_000, undefined],
    [300_001, "stale"],
    [-300_000, undefined],
    [-300_001, "future"]
  ])("with a clock %i ms ahead of its timestamp: %s", (ahead, expected) => {
    expect(verifyWebhook({ ...genuine, now: timestamp + ahead })).toBe(expected)
  })

  it.each([
    ["a changed body", { body: bytes("{}") }],
    ["another secret", { secret: "whsec_1" }],
    ["the secret without its prefix", { secret: secret.slice("whsec_".length) }],
    ["an empty secret", { secret: "" }],
    ["another timestamp", { timestamp: timestamp + 1 }],
    ["one digit changed at the start", { signature: `3${signature.slice(1)}` }],
    ["one digit changed at the end", { signature: `${signature.slice(0, -1)}3` }]
  ])("as a mismatch: %s", (_, change) => {
    expect(verifyWebhook({ ...genuine, ...change })).toBe("mismatch")
  })

  it("as a mismatch before it is stale: a forged signature is never called genuine but late", () => {
    expect(verifyWebhook({ ...genuine, body: bytes("{}"), now: timestamp + 300_001 })).toBe("mismatch")
  })

  it.each([
    "",
    "v1,abc",
    signature.slice(1),
    `${signature}0`,
    `${signature.slice(0, -1)}g`,
    ` ${signature}`,
    `${signature}\n`
  ])("as malformed where the signature is not 64 hex digits: %j", (wrong) => {
    expect(verifyWebhook({ ...genuine, signature: wrong })).toBe("malformed")
  })

  it.each([Number.NaN, 1.5, Number.POSITIVE_INFINITY])(
    "as malformed where the timestamp is no whole number: %d",
    (wrong) => {
      expect(verifyWebhook({ ...genuine, timestamp: wrong })).toBe("malformed")
    }
  )
})
