/** commerce.node inside the frameworks that people have, each with its real body parsers before it. */
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express"
import Fastify from "fastify"
import Koa from "koa"
import { createRequire } from "node:module"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { type Listening, listening } from "./nodeServer.ts"

const express4 = createRequire(import.meta.url)("express-4") as typeof express

let shop: TestCommerce
let mounted: TestCommerce
let product: string
const servers: Array<Listening> = []
beforeAll(async () => {
  shop = await openTestCommerce()
  mounted = await openTestCommerce({ basePath: "/shop/api" })
  const made = await shop.call("POST", "/v1/products", {
    body: { name: "Mug", basePrice: "9.00", status: "active", inventory: { total: 1_000 } }
  })
  product = made.body.id
})
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})
afterAll(async () => {
  await mounted.close()
  await shop.close()
})

const open = async (listener: Parameters<typeof listening>[0]): Promise<Listening> => {
  const server = await listening(listener)
  servers.push(server)
  return server
}

const hosts = { "Express 5": express, "Express 4": express4 }
const json = { "content-type": "application/json" }
const keyed = () => ({ ...json, "x-api-key": shop.apiKey })
const taxRate = (name: string) => JSON.stringify({ name, country: "FR", rate: 1 })

const readyCheckout = async (): Promise<string> => {
  const vc = `/vc/${shop.channelId}`
  const cart = (await shop.call("POST", `${vc}/cart`, { body: {} })).body.id
  await shop.call("POST", `${vc}/cart/${cart}/items`, { body: { productId: product, quantity: 1 } })
  const id = (await shop.call("POST", `${vc}/checkout`, { body: { cartId: cart } })).body.id
  await shop.call("PATCH", `${vc}/checkout/${id}/customer`, { body: { email: "ada@example.com" } })
  const shippingAddress = {
    line1: "1 Main St",
    city: "San Francisco",
    region: "CA",
    postalCode: "94105",
    country: "US"
  }
  await shop.call("PATCH", `${vc}/checkout/${id}/shipping`, { body: { shippingAddress } })
  return id
}

describe.each(Object.entries(hosts))("under %s", (_name, make) => {
  it("answers below its base path, shows the whole path, and leaves everything else to later routes and error handlers", async () => {
    for (const mount of ["/shop/api", undefined, "/shop"]) {
      const app = make()
      if (mount === undefined) app.use(mounted.commerce.node)
      else app.use(mount, mounted.commerce.node)
      app.get("/hello", (_request, response) => void response.send("hello"))
      app.get("/shop/apis", (_request, response) => void response.send("not the shop"))
      app.get("/broken", () => {
        throw new Error("the host's own")
      })
      const handle: ErrorRequestHandler = (error: Error, _request, response, _next) =>
        void response.status(500).send(error.message)
      app.use(handle)
      const server = await open(app as never)
      const asked = async (path: string) => {
        const { status, text } = await server.ask("GET", path)
        return [status, text]
      }
      expect([mount, ...(await asked("/shop/api/health/live"))]).toEqual([mount, 200, '{"status":"ok"}'])
      expect(await asked("/hello")).toEqual([200, "hello"])
      expect(await asked("/shop/apis")).toEqual([200, "not the shop"])
      expect(await asked("/broken")).toEqual([500, "the host's own"])
      const unknown = await server.ask("GET", "/shop/api/nowhere?x=1")
      expect([unknown.status, unknown.body.path]).toEqual([404, "/shop/api/nowhere"])
      const wrong = await server.ask("PUT", "/shop/api/v1/orders")
      expect([wrong.status, wrong.body.details]).toEqual([405, { allow: ["GET", "POST"] }])
      expect((await server.ask("GET", "/api/health/live")).status).toBe(404)
    }
  })

  it("without a base path is found at /api, also below a mount that the host strips", async () => {
    const app = make()
    app.use("/shop", shop.commerce.node)
    app.use(shop.commerce.node)
    app.get("/later", (_request, response) => void response.send("later"))
    const server = await open(app as never)
    expect([
      (await server.ask("GET", "/api/health/live")).status,
      (await server.ask("GET", "/shop/api/health/live")).status
    ]).toEqual([200, 200])
    expect((await server.ask("GET", "/later")).text).toBe("later")
    expect((await server.ask("GET", "/shop/api/nowhere")).body.path).toBe("/shop/api/nowhere")
  })

  const parsers: ReadonlyArray<readonly [string, (host: typeof express) => RequestHandler]> = [
    ["express.json()", (host) => host.json()],
    ["express.raw()", (host) => host.raw({ type: "*/*" })],
    ["express.text()", (host) => host.text({ type: "*/*" })],
    [
      "a parser that keeps the bytes",
      (host) =>
        host.json({
          verify: (request, _response, bytes) => {
            Object.assign(request, { rawBody: bytes })
          }
        })
    ]
  ]
  const behind = (parser: (host: typeof express) => RequestHandler): Promise<Listening> => {
    const app: Express = make()
    app.use(parser(make))
    app.use(shop.commerce.node)
    return open(app as never)
  }

  it.each(parsers)("behind %s reads the body that was sent, and never an empty one", async (name, parser) => {
    const server = await behind(parser)
    const id = await readyCheckout()
    const complete = (body: string, key: string) =>
      server.ask(
        "POST",
        `/api/vc/${shop.channelId}/checkout/${id}/complete`,
        { ...json, "idempotency-key": `${name}-${key}` },
        body
      )
    const refused = await complete(
      '{"expectedTotal":"1.00","paymentMethod":"test","paymentReference":"approve"}',
      "wrong"
    )
    expect([refused.status, refused.body.details]).toMatchObject([409, { expectedTotal: "1.00", actualTotal: "9.00" }])
    const charged = await complete(
      '{"expectedTotal":"9.00","paymentMethod":"test","paymentReference":"decline"}',
      "declined"
    )
    expect([charged.status, charged.body.code]).toEqual([422, "CARD_DECLINED"])
    const cart = (await server.ask("POST", `/api/vc/${shop.channelId}/cart`, json, "{}")).body.id
    const euros = await server.ask("PATCH", `/api/vc/${shop.channelId}/cart/${cart}`, json, '{"currency":"EUR"}')
    expect([euros.status, Object.keys(euros.body.details.errors)]).toEqual([400, ["currency"]])
  })

  it.each(parsers)(
    "behind %s knows a request under an Idempotency-Key for the one that came past no parser",
    async (name, parser) => {
      const server = await behind(parser)
      const headers = { "idempotency-key": `same-${name}`, ...json }
      const direct = await shop.call("POST", "/v1/tax/rates", { raw: taxRate("Once"), headers })
      const again = await server.ask("POST", "/api/v1/tax/rates", { ...keyed(), ...headers }, taxRate("Once"))
      expect([direct.status, again.status, again.body.id, /idempotency-replayed: true/i.test(again.head)]).toEqual([
        201,
        201,
        direct.body.id,
        true
      ])
      const other = await server.ask("POST", "/api/v1/tax/rates", { ...keyed(), ...headers }, taxRate("Another"))
      expect([other.status, other.body.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"])
    }
  )

  it("refuses what a parser lets through and JSON cannot hold, and what is too large or no JSON", async () => {
    const server = await behind((host) => host.json({ limit: "3mb" }))
    const post = (body: string, headers: Readonly<Record<string, string>> = {}) =>
      server.ask("POST", "/api/v1/tax/rates", { ...keyed(), ...headers }, body)
    const codeOf = async (body: string, headers?: Readonly<Record<string, string>>) => {
      const { status, body: told } = await post(body, headers)
      return [status, told?.code, Object.keys(told?.details?.errors ?? {})]
    }
    expect(await codeOf('{"name":"x","country":"US","rate":1e999}')).toEqual([400, "VALIDATION_FAILED", ["body"]])
    expect(await codeOf('{"name":"a\\u0000","country":"US","rate":1}')).toEqual([400, "VALIDATION_FAILED", ["body"]])
    expect(await codeOf('{"name":"a\\ud800","country":"US","rate":1}')).toEqual([400, "VALIDATION_FAILED", ["body"]])
    expect(await codeOf(`{"name":${"[".repeat(30_000)}${"]".repeat(30_000)}}`)).toEqual([
      400,
      "VALIDATION_FAILED",
      ["body"]
    ])
    const frame = taxRate("").length
    expect((await codeOf(taxRate("x".repeat(1_048_576 - frame))))[0]).not.toBe(413)
    expect(await codeOf(taxRate("x".repeat(1_048_577 - frame)))).toEqual([413, "PAYLOAD_TOO_LARGE", []])
    expect(await codeOf("")).toEqual([400, "VALIDATION_FAILED", ["body"]])
    expect(await codeOf("{}")).toEqual([400, "VALIDATION_FAILED", ["name", "country", "rate"]])
    expect(await codeOf("name=x", { "content-type": "text/plain" })).toEqual([415, "UNSUPPORTED_MEDIA_TYPE", []])
  })

  it("behind a parser of forms answers 415, also where no body is wanted", async () => {
    const server = await behind((host) => host.urlencoded({ extended: true }))
    const form = { ...keyed(), "content-type": "application/x-www-form-urlencoded" }
    const wanted = await server.ask("POST", "/api/v1/tax/rates", form, "name=x&country=US&rate=1")
    expect([wanted.status, wanted.body.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"])
    expect((await server.ask("DELETE", "/api/v1/tax/rates/none", form, "a=b")).status).toBe(415)
    expect((await server.ask("POST", "/api/v1/tax/rates", keyed(), taxRate("Behind a form"))).status).toBe(201)
  })

  it.each([
    [
      "whole, and left nothing",
      (): RequestHandler => (request, _response, next) =>
        void request.on("data", () => undefined).on("end", () => next())
    ],
    [
      "in part",
      (): RequestHandler => (request, _response, next) =>
        void request.once("data", () => {
          request.pause()
          next()
        })
    ]
  ])("refuses a body that was read %s, and says what helps; what has no body goes on", async (_what, reader) => {
    const server = await behind(reader)
    const gone = await server.ask("POST", "/api/v1/tax/rates", keyed(), taxRate("Gone"))
    expect([gone.status, gone.body.code, gone.body.details]).toEqual([
      400,
      "VALIDATION_FAILED",
      { errors: { body: "could not be read" } }
    ])
    expect(gone.body.message).toContain("mount commerce before body parsers")
    expect((await shop.call("GET", "/v1/tax/rates")).text).not.toContain('"Gone"')
    if (_what === "in part") return
    expect((await server.ask("GET", "/api/v1/store", keyed())).status).toBe(200)
    expect((await server.ask("DELETE", "/api/v1/tax/rates/none", keyed())).status).toBe(404)
  })
})

describe("under Fastify", () => {
  it("is a hook before its parsers; a parser before it has eaten the body, which is refused", async () => {
    const app = Fastify()
    app.addHook("onRequest", (request, reply, next) =>
      mounted.commerce.node(request.raw, reply.raw, next as () => void)
    )
    app.post("/hello", (request, reply) => reply.send({ got: request.body }))
    await app.listen({ port: 0, host: "127.0.0.1" })
    const url = app.listeningOrigin
    const key = { ...json, "x-api-key": mounted.apiKey }
    try {
      const made = await fetch(`${url}/shop/api/v1/tax/rates`, {
        method: "POST",
        headers: key,
        body: taxRate("Fastify")
      })
      expect([made.status, ((await made.json()) as { readonly name: string }).name]).toEqual([201, "Fastify"])
      expect((await fetch(`${url}/shop/api/nowhere`)).status).toBe(404)
      const hello = await fetch(`${url}/hello`, { method: "POST", headers: json, body: '{"a":1}' })
      expect(await hello.json()).toEqual({ got: { a: 1 } })
    } finally {
      await app.close()
    }
    const late = Fastify()
    late.all("/api/*", (request, reply) => {
      reply.hijack()
      shop.commerce.node(request.raw, reply.raw)
    })
    await late.listen({ port: 0, host: "127.0.0.1" })
    try {
      const answer = await fetch(`${late.listeningOrigin}/api/v1/tax/rates`, {
        method: "POST",
        headers: keyed(),
        body: taxRate("Late")
      })
      expect([answer.status, ((await answer.json()) as { readonly message: string }).message]).toEqual([
        400,
        expect.stringContaining("mount commerce before")
      ])
    } finally {
      await late.close()
    }
  })
})

describe("under Koa", () => {
  const step =
    (commerce: Commerce): Koa.Middleware =>
    (ctx, next) => {
      ctx.respond = false
      commerce.node(ctx.req, ctx.res, () => {
        ctx.respond = true
      })
      return ctx.respond ? next() : undefined
    }

  it("is one step; what a parser made before it is taken where it is put on the request of Node", async () => {
    const app = new Koa()
    app.use(async (ctx, next) => {
      if (ctx.get("x-parse") === "") return next()
      const chunks: Array<Buffer> = []
      for await (const chunk of ctx.req) chunks.push(chunk as Buffer)
      if (ctx.get("x-parse") === "kept")
        Object.assign(ctx.req, { body: JSON.parse(Buffer.concat(chunks).toString("utf8")) })
      return next()
    })
    app.use(step(shop.commerce))
    app.use((ctx) => {
      ctx.body = "the host's"
    })
    const server = await open(app.callback())
    const post = (parse?: string) =>
      server.ask(
        "POST",
        "/api/v1/tax/rates",
        { ...keyed(), ...(parse === undefined ? {} : { "x-parse": parse }) },
        taxRate(`Koa ${parse}`)
      )
    expect([(await post()).status, (await post("kept")).status, (await post("lost")).status]).toEqual([201, 201, 400])
    expect((await server.ask("GET", "/hello")).text).toBe("the host's")
  })
})

describe("a base path", () => {
  it("holds for fetch too, and the typed client needs none", async () => {
    const { commerce, apiKey } = mounted
    const at = (path: string) =>
      commerce.fetch(new Request(`http://host.test${path}`, { headers: { "x-api-key": apiKey } }), {
        clientAddress: "127.0.0.1"
      })
    expect([
      (await at("/shop/api/v1/store")).status,
      (await at("/api/v1/store")).status,
      (await at("/shop/apis/v1/store")).status
    ]).toEqual([200, 404, 404])
    const { Effect } = await import("effect")
    expect((await Effect.runPromise(commerce.api({ apiKey }).store.get())).id).toBe(mounted.storeId)
  })

  it("is the server of the document, and of the one that the reference page shows", async () => {
    for (const path of ["openapi.json", "docs/reference.json"]) {
      const answer = await mounted.commerce.fetch(new Request(`http://host.test/shop/api/${path}`))
      const { servers } = (await answer.json()) as { readonly servers: ReadonlyArray<{ readonly url: string }> }
      expect([path, servers.map(({ url }) => url)]).toEqual([path, ["/shop/api"]])
    }
  })

  it("may be nothing: then every path is ours", async () => {
    const root = await openTestCommerce({ basePath: "/" })
    try {
      const at = (path: string) => root.commerce.fetch(new Request(`http://host.test${path}`))
      expect([
        (await at("/health/live")).status,
        (await at("/api/health/live")).status,
        (await at("/")).status
      ]).toEqual([200, 404, 200])
    } finally {
      await root.close()
    }
  })

  it.each(["shop", "/shop/", "/shop//api", "/shop;x", "/shop?x", "/a/../b", "", 5])("is not %j", async (basePath) => {
    await expect(openTestCommerce({ basePath: basePath as string })).rejects.toThrow(
      "createCommerce: basePath must be a path such as /shop/api"
    )
  })
})
