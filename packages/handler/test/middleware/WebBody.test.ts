import { Effect, Result } from "effect"
import { HttpServerRequest } from "effect/http"
import { setImmediate } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { readBytes } from "../../src/middleware/Body.ts"

const formOf = (size: number): Request => {
  const body = new FormData()
  body.append("file", new Blob([new Uint8Array(size)]), "file.bin")
  return new Request("http://shop.test/api/v1/media", { method: "POST", body })
}
const read = (request: Request, maxBytes: number) =>
  Effect.runPromise(Effect.result(readBytes(HttpServerRequest.fromWeb(request), maxBytes)))

describe("the body of a Request", () => {
  const rejected: Array<unknown> = []
  const note = (error: unknown) => rejected.push(error)
  beforeAll(() => process.on("unhandledRejection", note))
  afterAll(() => process.off("unhandledRejection", note))

  it("is read whole, up to the last byte that is allowed", async () => {
    const bytes = new Uint8Array(300_000).fill(7)
    const request = () => new Request("http://shop.test/", { method: "POST", body: bytes })
    expect(Result.getOrThrow(await read(request(), 300_000))).toEqual(Buffer.from(bytes))
    expect(Result.isFailure(await read(request(), 299_999))).toBe(true)
  })

  it("is refused where it is too large, and rejects nothing that the host's process would end of", async () => {
    for (let i = 0; i < 20; i++) {
      const result = await read(formOf(3_000_000), 1_000_000)
      expect(Result.isFailure(result) && result.failure._tag).toBe("PayloadTooLarge")
      await setImmediate()
    }
    await setImmediate()
    expect(rejected).toEqual([])
  })
})
