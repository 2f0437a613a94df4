/**
 * Hosts whose middleware has read a body before commerce is given the request: those that speak fetch, and Nest. What
 * is at hand is taken, what is gone is refused in words, and nothing is taken for an empty body.
 */
import "reflect-metadata"
import { createAdaptorServer } from "@hono/node-server"
import { Module } from "@nestjs/common"
import { NestFactory } from "@nestjs/core"
import type { NestExpressApplication } from "@nestjs/platform-express"
import { type Context, Hono, type HonoRequest } from "hono"
import { cloneRawRequest } from "hono/request"
import type { Server } from "node:http"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { type Answered, type Listening, listening } from "./nodeServer.ts"

let shop: TestCommerce
const servers: Array<Listening> = []
beforeAll(async () => {
  shop = await openTestCommerce()
})
afterAll(async () => {
  for (const server of servers) await server.close()
  await shop.close()
})

const path = "/api/v1/tax/rates"
const taxRate = (name: string) => JSON.stringify({ name, country: "FR", rate: 1 })
const headers = (type = "application/json") => ({ "content-type": type, "x-api-key": shop.apiKey })
const client = { clientAddress: "127.0.0.1" }
const refusal = [400, "VALIDATION_FAILED", expect.stringContaining("mount commerce before body parsers")]
const told = ({ status, body }: Answered) => [status, body?.code, body?.message]
/** The names of the tax rates that there are. */
const names = async (): Promise<ReadonlyArray<string>> =>
  [...(await shop.call("GET", "/v1/tax/rates")).text.matchAll(/"name":"([^"]*)"/g)].map(([, name = ""]) => name)

type Reader = (request: HonoRequest) => Promise<unknown>
const readers: ReadonlyArray<readonly [string, Reader]> = [
  ["json", (request) => request.json()],
  ["text", (request) => request.text()],
  ["arrayBuffer", (request) => request.arrayBuffer()],
  ["blob", (request) => request.blob()]
]

describe("under Hono", () => {
  const listen = async (app: Hono): Promise<Listening> => {
    const server = await listening(createAdaptorServer({ fetch: app.fetch }) as Server)
    servers.push(server)
    return server
  }
  /** Its own answers to what it throws are 500. */
  const host = (read: Reader | undefined, give: (context: Context) => Promise<Request> | Request): Hono => {
    const app = new Hono()
    app.use(async ({ req }, next) => {
      if (req.method === "POST") await read?.(req)
      await next()
    })
    app.all("/api/*", async (context) => shop.commerce.fetch(await give(context), client))
    return app
  }

  it("takes a body that nobody has read", async () => {
    const response = await host(undefined, ({ req }) => req.raw).request(path, {
      method: "POST",
      headers: headers(),
      body: taxRate("Hono, unread")
    })
    expect(response.status).toBe(201)
    expect(await names()).toContain("Hono, unread")
  })

  it.each(readers)("refuses c.req.raw after c.req.%s(), over a server and without one", async (name, read) => {
    const app = host(read, ({ req }) => req.raw)
    const body = taxRate(`Hono, gone after ${name}`)
    const direct = await app.request(path, { method: "POST", headers: headers(), body })
    const { code, message } = (await direct.json()) as { readonly code: string; readonly message: string }
    expect([direct.status, code, message]).toEqual(refusal)
    const server = await listen(app)
    expect(told(await server.ask("POST", path, headers(), body))).toEqual(refusal)
    expect(message).toContain("(Hono: cloneRawRequest)")
    expect(await names()).not.toContain(`Hono, gone after ${name}`)
    expect((await server.ask("GET", "/api/v1/store", headers())).status).toBe(200)
  })

  it.each(readers)("takes what c.req.%s() has read, as cloneRawRequest has it", async (name, read) => {
    const server = await listen(host(read, ({ req }) => cloneRawRequest(req)))
    const body = taxRate(`Hono, kept after ${name}`)
    expect((await server.ask("POST", path, headers(), body)).status).toBe(201)
    expect(await names()).toContain(`Hono, kept after ${name}`)
  })

  it("refuses what mount hands on as it is, where it was read", async () => {
    const app = new Hono()
    app.use(async ({ req }, next) => {
      await req.json()
      await next()
    })
    app.mount("/api", (request) => shop.commerce.fetch(request, client), { replaceRequest: false })
    const server = await listen(app)
    expect(told(await server.ask("POST", path, headers(), taxRate("Hono, mounted")))).toEqual(refusal)
  })

  it("refuses a form that was read", async () => {
    const body = new FormData()
    body.append("file", new Blob(["x"], { type: "image/png" }), "x.png")
    const app = host(
      (request) => request.parseBody(),
      ({ req }) => req.raw
    )
    const response = await app.request("/api/v1/media", {
      method: "POST",
      headers: { "x-api-key": shop.apiKey },
      body
    })
    expect([response.status, ((await response.json()) as { readonly message: string }).message]).toEqual([
      400,
      refusal[2]
    ])
  })
})

describe("a Request, as Next, Bun and Deno hand it to a route", () => {
  const post = (name: string) =>
    new Request(`http://shop.test${path}`, { method: "POST", headers: headers(), body: taxRate(name) })

  it("is refused in words once it was read, wholly or in part, and taken where a clone was read", async () => {
    const [whole, part, cloned] = [post("Read"), post("Read in part"), post("Cloned")]
    await whole.json()
    await part.body?.getReader().read()
    await cloned.clone().json()
    for (const request of [whole, part]) {
      const response = await shop.commerce.fetch(request, client)
      const { code, message } = (await response.json()) as { readonly code: string; readonly message: string }
      expect([response.status, code, message]).toEqual(refusal)
    }
    expect((await shop.commerce.fetch(cloned, client)).status).toBe(201)
    expect((await names()).filter((name) => name.startsWith("Read") || name === "Cloned")).toEqual(["Cloned"])
  })
})

describe("under Nest on Express", () => {
  class Root {}
  Module({})(Root)

  const listen = async (options: { readonly rawBody?: boolean }, parse: boolean): Promise<Listening> => {
    const app = await NestFactory.create<NestExpressApplication>(Root, { ...options, logger: false })
    if (parse) app.useBodyParser("json")
    app.use(shop.commerce.node)
    await app.init()
    const server = await listening(app.getHttpServer())
    servers.push(server)
    return server
  }

  it.each([
    ["before its parsers", {}, false],
    ["after its parser of JSON", {}, true],
    ["after its parser, which keeps the bytes", { rawBody: true }, true]
  ])("takes the body %s", async (name, options, parse) => {
    const server = await listen(options, parse)
    const made = await server.ask("POST", path, headers(), taxRate(`Nest ${name}`))
    expect([made.status, made.body.name]).toEqual([201, `Nest ${name}`])
    expect((await server.ask("POST", path, headers(), "")).status).toBe(400)
  })
})
