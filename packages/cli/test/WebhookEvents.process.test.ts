import { type ChildProcess, spawn } from "node:child_process"
import { resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isGenuine, openSink, type Sink } from "../../core/test/webhook/sink.ts"
import { commerce, folder, serving } from "./runCli.ts"

/** One server, with endpoints on loopback, and the two commands beside it. */
const data = folder()
let sink: Sink
let server: Awaited<ReturnType<typeof serving>>
let storeId: string
let apiKey: string

const at = ["--data-dir", data.path]
const call = async (method: string, path: string, body?: object) => {
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" }
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return (await answer.json()) as { readonly id: string; readonly data: ReadonlyArray<{ readonly id: string }> }
}

beforeAll(async () => {
  sink = await openSink()
  server = await serving(at, { COMMERCE_WEBHOOK_ALLOW_PRIVATE: "1", COMMERCE_RATE_LIMIT_PER_MINUTE: "off" })
  storeId = /store_\w+/.exec(server.out())?.[0] ?? ""
  apiKey = /svc_[\w-]+/.exec(server.out())?.[0] ?? ""
})
afterAll(async () => {
  await server.end("SIGTERM")
  await sink.close()
  data.remove()
})

describe("commerce webhook", () => {
  it("replay sends an event once more to whoever hears it, and says what came of it", async () => {
    const subscription = await call("POST", "/v1/webhook-subscriptions", {
      url: sink.url("/hook"),
      events: ["product.*"]
    })
    await call("POST", "/v1/webhook-subscriptions", { url: sink.url("/deaf"), events: ["order.*"] })
    await call("POST", "/v1/products", { name: "Lamp" })
    const [first] = await sink.until("/hook", 1)
    const id = first?.id ?? ""
    const { code, out, err } = await commerce(["webhook", "replay", id, "--json", ...at])
    expect([code, err]).toEqual([0, ""])
    expect(JSON.parse(out)).toEqual({
      eventId: id,
      type: "product.created",
      deliveries: [
        { subscriptionId: subscription.id, url: sink.url("/hook"), status: "delivered", statusCode: 200, error: null }
      ]
    })
    expect((await sink.until("/hook", 2)).map((hit) => hit.id)).toEqual([id, id])
    expect(sink.of("/deaf")).toEqual([])
    const none = await commerce(["webhook", "replay", "evt_none", ...at])
    expect([none.code, none.out, none.err]).toEqual([1, "", "commerce: there is no event evt_none\n"])
  })

  it("listen forwards what happens from now on, of the types asked for, raw and signed with the secret it shows", async () => {
    const main = resolve(import.meta.dirname, "../src/main.ts")
    const flags = ["--store", storeId, "--events", "product.created", "--forward", sink.url("/local"), "--json", ...at]
    const child: ChildProcess = spawn(process.execPath, ["--conditions=source", main, "webhook", "listen", ...flags], {
      stdio: ["ignore", "pipe", "pipe"]
    })
    let [out, err] = ["", ""]
    let printed: (() => void) | undefined
    const bothPrinted = new Promise<void>((done) => (printed = done))
    child.stdout?.on("data", (chunk) => ((out += chunk).split("\n").length > 2 ? printed?.() : undefined))
    const ready = new Promise<void>((done) =>
      child.stderr?.on("data", (chunk) => ((err += chunk).includes("forwarding") ? done() : undefined))
    )
    const closed = new Promise<number | null>((done) => child.on("close", done))
    await ready
    const { id } = await call("POST", "/v1/products", { name: "Heard" })
    await call("PATCH", `/v1/products/${id}`, { name: "Not heard" })
    await call("POST", "/v1/products", { name: "Heard too" })
    const hits = await sink.until("/local", 2)
    const secret = /whsec_[0-9a-f]{64}/.exec(err)?.[0] ?? ""
    expect(
      hits.map((hit) => [
        hit.type,
        hit.headers["x-svc-event"],
        isGenuine(secret, hit, performance.timeOrigin + performance.now())
      ])
    ).toEqual([
      ["product.created", "product.created", true],
      ["product.created", "product.created", true]
    ])
    await bothPrinted
    // Ctrl-C in a checkout comes from the terminal, and once more from npm.
    for (const signal of ["SIGINT", "SIGTERM", "SIGINT"] as const) child.kill(signal)
    expect(await closed).toBe(0)
    expect(
      out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as object)
    ).toEqual(hits.map((hit) => ({ id: hit.id, type: hit.type, statusCode: 200, error: null })))
  })

  it("listen signs with the same secret in every run, and with another one for another store", async () => {
    const main = resolve(import.meta.dirname, "../src/main.ts")
    const secretOf = (store: string): Promise<string> =>
      new Promise((done) => {
        const flags = ["--store", store, "--forward", sink.url("/again"), ...at]
        const child = spawn(process.execPath, ["--conditions=source", main, "webhook", "listen", ...flags], {
          stdio: ["ignore", "ignore", "pipe"]
        })
        let err = ""
        child.stderr.on("data", (chunk) => {
          const found = /whsec_[0-9a-f]{64}/.exec((err += chunk))
          if (found !== null) child.kill("SIGTERM")
        })
        child.on("close", () => done(/whsec_[0-9a-f]{64}/.exec(err)?.[0] ?? err))
      })
    const other = JSON.parse((await commerce(["store", "create", "--name", "Other", "--json", ...at])).out) as {
      readonly id: string
    }
    const [first, second, third] = [await secretOf(storeId), await secretOf(storeId), await secretOf(other.id)]
    expect(first).toMatch(/^whsec_[0-9a-f]{64}$/)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })

  it("refuses what it cannot do in one line", async () => {
    const wrong = await commerce(["webhook", "listen", "--store", storeId, "--forward", "localhost", ...at])
    expect([wrong.code, wrong.err]).toEqual([2, "commerce: --forward: must be an http:// or https:// URL\n"])
    const unheard = await commerce([
      "webhook",
      "listen",
      "--store",
      storeId,
      "--forward",
      "http://user:pw@localhost:3000/hooks",
      ...at
    ])
    expect([unheard.code, unheard.err]).toEqual([2, "commerce: --forward: must not carry a user name or a password\n"])
    const missing = await commerce(["webhook", "listen", "--store", "store_none", "--forward", sink.url("/x"), ...at])
    expect([missing.code, missing.err]).toEqual([1, "commerce: no such store: store_none\n"])
  })
})
