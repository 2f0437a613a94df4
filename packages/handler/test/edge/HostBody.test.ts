import type { HttpServerRequest } from "effect/http"
import { describe, expect, it } from "vitest"
import { bodyOfHost } from "../../src/middleware/HostBody.ts"

const of = (source: object) => {
  const node = {
    httpVersionMajor: 1,
    headers: { "content-length": "2", "content-type": "application/json" },
    readableDidRead: true,
    ...source
  }
  const found = bodyOfHost({ source: node, method: "POST" } as unknown as HttpServerRequest.HttpServerRequest)
  return found._tag === "Taken" ? Buffer.from(found.bytes).toString("utf8") : found._tag
}

describe("the body of a request that a host has read", () => {
  it("is what its parser left, bytes before values", () => {
    expect(of({ body: { a: 1 } })).toBe('{"a":1}')
    expect(of({ body: { a: 1 }, rawBody: Buffer.from('{ "a": 1 }') })).toBe('{ "a": 1 }')
    expect(of({ body: null })).toBe("null")
    expect(of({ body: "{}" })).toBe("{}")
  })

  it("is gone where nothing was left, also where a host throws when it is asked, and unsound where JSON cannot hold it", () => {
    const throwing = Object.defineProperty({}, "body", {
      enumerable: true,
      get: () => {
        throw new Error("Invalid JSON")
      }
    })
    const source = Object.assign(Object.create(throwing), {
      httpVersionMajor: 1,
      headers: { "content-length": "2" },
      readableDidRead: true
    })
    expect(bodyOfHost({ source, method: "POST" } as unknown as HttpServerRequest.HttpServerRequest)).toEqual({
      _tag: "Gone"
    })
    expect([of({}), of({ body: { n: Number.POSITIVE_INFINITY } }), of({ body: { n: 1n } })]).toEqual([
      "Gone",
      "Unsound",
      "Unsound"
    ])
  })

  it("is read from the request where nobody has, and is none where none was sent, whatever a parser made up", () => {
    expect(of({ readableDidRead: false, body: {} })).toBe("Unread")
    expect(of({ readableDidRead: false, readableEnded: true })).toBe("None")
    expect(of({ headers: {}, body: {} })).toBe("None")
    expect(of({ headers: { "content-length": "0" }, body: {} })).toBe("None")
    expect(of({ httpVersionMajor: 2, headers: {}, readableDidRead: false })).toBe("Unread")
  })
})
