import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import { Effect, Tracer } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { openSink } from "../../../core/test/webhook/sink.ts"
import type { LogLine } from "../../src/system/LogLines.ts"
import { openTestCommerce, type TestCommerce, type TestCommerceOptions } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"
import { factsOf, openOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from "./otlpReceiver.ts"

const cleanups: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

const open = async (options: TestCommerceOptions = {}) => {
  const receiver = await openOtlpReceiver()
  cleanups.push(receiver.close)
  const lines: Array<LogLine> = []
  const shop = await openTestCommerce({
    telemetry: { otlpEndpoint: receiver.endpoint },
    logger: (line) => lines.push(line),
    ...options
  })
  let isOpen = true
  const close = async () => {
    if (isOpen) await shop.close()
    isOpen = false
  }
  cleanups.push(close)
  return { shop: { ...shop, close }, receiver, lines }
}

const bought = async (shop: TestCommerce) => {
  const shopper = shopperOf(shop)
  const product = await shopper.product({ stock: 5 })
  const checkoutId = await shopper.checkout(await shopper.cart([product, 1]))
  const done = await shopper.complete(checkoutId, `key-${checkoutId}`, {
    paymentMethod: "test",
    paymentReference: "approve"
  })
  expect(done.status).toBe(200)
  return { checkoutId, orderId: String(done.body.orderId), requestId: String(done.headers.get("x-request-id")) }
}

const factOf = (span: ReceivedSpan, name: string): unknown => factsOf(span.attributes)[name]
const ofRequest = ({ spans }: OtlpReceiver, requestId: string) =>
  spans.filter((span) => factOf(span, "commerce.request.id") === requestId)

/** Names from the root down to the span. */
const wayTo = (spans: ReadonlyArray<ReceivedSpan>, span: ReceivedSpan): ReadonlyArray<string> => {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
  return [...(parent === undefined ? [] : wayTo(spans, parent)), span.name]
}

describe("an instance that sends to a collector", () => {
  it("traces a purchase: the route as it is declared, use cases, transactions and statements below it, under the caller's trace", async () => {
    const { shop, receiver } = await open({ role: "api" })
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
    const { checkoutId, requestId } = await bought(shop)
    const { headers } = await shop.call("GET", `/vc/${shop.channelId}/checkout/${checkoutId}?note=private`, {
      headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
    })
    await shop.close()

    expect(receiver.problems).toEqual([])
    const [server, ...others] = ofRequest(receiver, requestId)
    expect(others).toEqual([])
    if (server === undefined) throw new Error("no span of the request")
    const route = "/api/vc/:salesChannelId/checkout/:checkoutId/complete"
    expect([server.name, server.kind, server.parentSpanId, server.status.code]).toEqual([
      `POST ${route}`,
      2,
      undefined,
      1
    ])
    expect(factsOf(server.attributes)).toEqual({
      "http.request.method": "POST",
      "http.route": route,
      "http.response.status_code": 200,
      "commerce.request.id": requestId,
      "commerce.store.id": shop.storeId
    })
    const trace = receiver.spans.filter((span) => span.traceId === server.traceId)
    const ways = trace.map((span) => wayTo(trace, span).join(" > "))
    const use = `POST ${route} > Completion.complete`
    const settled = `${use} > ChargedCompletion.charge > OperationOutcomes.settle > sql.transaction`
    for (const way of [
      `POST ${route} > INSERT idempotency`,
      use,
      `${use} > sql.transaction`,
      `${use} > sql.transaction > StockLedger.holdOutOf`,
      `${use} > ChargedCompletion.charge > PaymentProvider.call`,
      settled,
      `${settled} > UPDATE provider_operation`,
      `${settled} > INSERT order_counter, orders, order_item, payment`,
      `POST ${route} > UPDATE idempotency`
    ])
      expect(ways).toContain(way)
    const call = trace.find(({ name }) => name === "PaymentProvider.call")
    expect([call?.kind, call && factOf(call, "commerce.payment.provider")]).toEqual([3, "test"])

    const [continued] = ofRequest(receiver, String(headers.get("x-request-id")))
    expect([continued?.traceId, continued?.parentSpanId, continued?.name]).toEqual([
      traceId,
      "00f067aa0ba902b7",
      "GET /api/vc/:salesChannelId/checkout/:checkoutId"
    ])
    expect(receiver.spans.filter(({ parentSpanId, kind }) => parentSpanId === undefined && kind === 3)).toEqual([])
    const { version } = await import("../../package.json", { with: { type: "json" } }).then(({ default: own }) => own)
    for (const resource of receiver.resources)
      expect(resource).toMatchObject({
        "service.name": "commerce",
        "service.version": version,
        "service.instance.id": expect.stringMatching(/^[0-9a-f]{24}$/),
        "commerce.role": "api"
      })
  })

  it("says in a span what kind of error there was and nothing that somebody wrote: no path, query, header, body, address or statement", async () => {
    const { shop, receiver } = await open({ role: "api" })
    const secret = "Ophelia-Swordfish-1599"
    const { checkoutId } = await bought(shop)
    await shop.call("POST", "/v1/products", { body: { name: secret, slug: secret.toLowerCase() } })
    await shop.call("GET", `/v1/products/${secret}?search=${secret}`, { headers: { "user-agent": secret } })
    await shop.call("PATCH", `/v1/products/${secret}`, { body: { name: secret } })
    await shop.call("PATCH", `/vc/${shop.channelId}/checkout/${checkoutId}/customer`, { body: { email: secret } })
    await shop.call("GET", `/unknown/${secret}`, { clientAddress: "203.0.113.77" })
    await shop.close()
    expect(receiver.problems).toEqual([])
    const traces = receiver.bodies.filter((body) => body.startsWith('{"resourceSpans"'))
    expect(traces.length).toBeGreaterThan(0)
    const text = traces.join("\n")
    for (const told of [
      secret,
      secret.toLowerCase(),
      "203.0.113.77",
      shop.apiKey,
      "ada@example.com",
      "SELECT id",
      "$1"
    ])
      expect(text).not.toContain(told)
    const kinds = receiver.spans.flatMap((span) => factOf(span, "error.type") ?? [])
    expect(kinds).toContain("ProductNotFound")
    // An address that no route has is named by its method alone.
    expect(receiver.spans.map(({ name }) => name)).toContain("GET")
  })

  it("traces what workers do: the relay, a delivery, a mail", async () => {
    const sink = await openSink()
    cleanups.push(sink.close)
    const { shop, receiver } = await open({ outbound: { allowPrivate: true } })
    const subscription = await shop.call("POST", "/v1/webhook-subscriptions", {
      body: { url: sink.url("/hook"), events: ["order.created"] }
    })
    const { orderId } = await bought(shop)
    await sink.until("/hook", 1)
    const statesAt = async (path: string, which: object = {}) =>
      (await shop.call("GET", path)).body.data
        .filter((one: object) => Object.entries(which).every(([name, value]) => one[name as never] === value))
        .map(({ status }: { readonly status: string }) => status)
    const deliveries = `/v1/webhook-subscriptions/${subscription.body.id}/deliveries`
    await expect.poll(() => statesAt(deliveries), { timeout: 20_000 }).toEqual(["delivered"])
    await expect
      .poll(() => statesAt("/v1/email/messages", { eventType: "ORDER_CONFIRMATION" }), { timeout: 20_000 })
      .toEqual(["KEPT"])
    expect(orderId).toMatch(/^ord_/)
    await shop.close()
    expect(receiver.problems).toEqual([])
    const facts = (name: string) =>
      receiver.spans.filter((span) => span.name === name).map(({ attributes }) => factsOf(attributes))
    expect(facts("WebhookSender.send")).toEqual([
      {
        "commerce.store.id": shop.storeId,
        "commerce.event.id": expect.stringMatching(/^evt_/),
        "commerce.event.type": "order.created",
        "commerce.result": "delivered"
      }
    ])
    expect(facts("MailDelivery.attempt")).toContainEqual({
      "commerce.store.id": shop.storeId,
      "commerce.mail.type": "ORDER_CONFIRMATION",
      "commerce.result": "kept"
    })
    expect(facts("OutboxRelay.relay")[0]).toMatchObject({ "commerce.store.id": shop.storeId })
  })

  it("sends the metrics that a scraper reads, under the same names, and the lines of the log under their trace", async () => {
    const { shop, receiver, lines } = await open({ role: "api" })
    await bought(shop)
    await shop.run(Effect.logWarning("apart from any request"))
    const faulty = await shop.call("GET", `/vc/${shop.channelId}/cart/unknown`)
    expect(faulty.status).toBe(404)
    const { text } = await shop.call("GET", "/metrics")
    await shop.close()
    expect(receiver.problems).toEqual([])
    const named = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => `${name} ${type}`)
    const sent = receiver.metrics.map((metric) =>
      "gauge" in metric
        ? `${metric.name} gauge`
        : "sum" in metric
          ? `${metric.name} counter`
          : `${metric.name} histogram`
    )
    expect(sent.toSorted()).toEqual(named.toSorted())
    const duration = receiver.metrics.find(({ name }) => name === "commerce_http_request_duration_seconds")
    if (duration === undefined || !("histogram" in duration)) throw new Error("no histogram")
    const [point] = duration.histogram.dataPoints
    expect(point?.bucketCounts).toHaveLength((point?.explicitBounds.length ?? 0) + 1)
    expect(point?.bucketCounts.reduce((a, b) => a + b, 0)).toBe(point?.count)
    expect(duration.unit).toBe("s")
    const requests = receiver.metrics.find(({ name }) => name === "commerce_http_requests_total")
    if (requests === undefined || !("sum" in requests)) throw new Error("no counter")
    expect(
      requests.sum.dataPoints
        .filter(({ attributes }) => factsOf(attributes)["status"] === "404")
        .map(({ attributes, asDouble }) => [factsOf(attributes), asDouble])
    ).toEqual([[{ method: "GET", route: "/api/vc/:salesChannelId/cart/:cartId", status: "404" }, 1]])

    const [log] = receiver.logs.filter(
      ({ body }) => "stringValue" in body && body.stringValue === "apart from any request"
    )
    expect([log?.severityNumber, log?.severityText]).toEqual([13, "WARN"])
    expect(lines.map(({ message }) => message)).toContain("apart from any request")
  })

  it("leaves out a request whose caller says that its trace is not sampled", async () => {
    const { shop, receiver } = await open({ role: "api" })
    await shop.call("GET", "/v1/store", {
      headers: { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00" }
    })
    await shop.call("GET", "/v1/store", { headers: { "x-request-id": "told" } })
    await shop.close()
    expect(receiver.problems).toEqual([])
    expect(receiver.spans.filter(({ kind }) => kind === 2).map((span) => factOf(span, "commerce.request.id"))).toEqual([
      "told"
    ])
  })
})

describe("a collector that fails", () => {
  it.each([
    ["answers nothing", "silent", "it does not answer in time"],
    ["answers 503", 503, "it answers 503"],
    ["refuses what it gets", 400, "it refuses them"]
  ] as const)(
    "which %s slows no request down, is told of once, and does not hold up the end",
    async (_, answers, reason) => {
      const { shop, receiver, lines } = await open({ role: "api" })
      receiver.answers = answers
      for (let i = 0; i < 40; i++) expect((await shop.call("GET", "/v1/store")).status).toBe(200)
      const said = () => lines.filter(({ message }) => message.startsWith("The collector at"))
      await expect.poll(() => said().length, { timeout: 9_000 }).toBeGreaterThan(0)
      expect(new Set(said().map(({ message }) => message))).toEqual(
        new Set(
          said().map(({ message }) => {
            const signal = /no (traces|logs|metrics)/.exec(message)?.[1]
            return `The collector at ${receiver.endpoint} takes no ${signal}: ${reason}. Everything else goes on; what it misses is dropped`
          })
        )
      )
      expect(said().length).toBe(new Set(said().map(({ message }) => message)).size)
      const began = performance.now()
      await shop.close()
      expect(performance.now() - began).toBeLessThan(4_000)
    }
  )

  it("which is not there leaves what happens meanwhile in a bounded queue, and gets it when it comes", async () => {
    const { shop, receiver, lines } = await open({ role: "api" })
    receiver.answers = 503
    await shop.call("GET", "/v1/store", { headers: { "x-request-id": "while-away" } })
    await expect.poll(() => lines.filter(({ message }) => message.includes("takes no traces")).length).toBe(1)
    receiver.answers = 200
    await expect.poll(() => ofRequest(receiver, "while-away").length, { timeout: 10_000 }).toBe(1)
    await expect.poll(() => lines.filter(({ message }) => message.includes("takes traces again")).length).toBe(1)
    const { text } = await shop.call("GET", "/metrics")
    expect(text).toContain('commerce_telemetry_dropped_total{signal="traces"} 0')
  })
})

describe("an instance without a collector", () => {
  it("asks for the same statements, and makes no span that anybody sees", async () => {
    const statements = makeStatementCounter()
    const plain = await openTestCommerce({ role: "api", statementLog: statements })
    cleanups.push(plain.close)
    const receiver = await openOtlpReceiver()
    cleanups.push(receiver.close)
    const watched = makeStatementCounter()
    const traced = await openTestCommerce({
      role: "api",
      statementLog: watched,
      telemetry: { otlpEndpoint: receiver.endpoint }
    })
    cleanups.push(traced.close)
    const counts = async (shop: TestCommerce, counter: typeof statements) => {
      await shop.call("GET", "/v1/store")
      counter.reset()
      await shop.call("GET", "/v1/products?limit=1")
      return counter.statements().length
    }
    expect(await counts(plain, statements)).toBe(await counts(traced, watched))
    expect((await plain.call("GET", "/metrics")).text).not.toContain("commerce_telemetry")
  })

  it("refuses an endpoint that cannot be one, naming the option", async () => {
    const refused = (otlpEndpoint: string) =>
      openTestCommerce({ telemetry: { otlpEndpoint } }).then(
        () => "opened",
        ({ message }: Error) => message
      )
    expect(await refused("collector:4318")).toBe(
      "createCommerce: telemetry.otlpEndpoint must be a URL that begins with http:// or https://"
    )
    expect(await refused("http://user:hunter2@collector:4318")).toBe(
      "createCommerce: telemetry.otlpEndpoint must have no user and no password"
    )
    expect(await refused("http://collector:4318/?key=1")).toBe(
      "createCommerce: telemetry.otlpEndpoint must have no query and no fragment"
    )
  })
})

describe("a host with a tracer of its own", () => {
  it("gets the spans, which say no more than those of OTLP do", async () => {
    const begun: Array<{ readonly name: string; readonly facts: Map<string, unknown> }> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = Object.assign(Tracer.nativeTracer.span(options))
        const facts = new Map<string, unknown>()
        begun.push({ name: options.name, facts })
        const attribute = span.attribute.bind(span)
        span.attribute = (key: string, value: unknown) => {
          facts.set(key, value)
          attribute(key, value)
        }
        return span
      }
    })
    const shop = await openTestCommerce({ role: "api", telemetry: { tracer } })
    cleanups.push(shop.close)
    await shop.call("GET", "/v1/products?search=private-words", { headers: { "x-request-id": "hosted" } })
    const found = begun.find(({ facts }) => facts.get("commerce.request.id") === "hosted")
    expect(found?.name).toBe("GET /api/v1/products")
    expect([...new Set(begun.flatMap(({ facts }) => [...facts.keys()]))].toSorted()).toEqual([
      "commerce.request.id",
      "commerce.store.id",
      "db.query.summary",
      "db.system.name",
      "http.request.method",
      "http.response.status_code",
      "http.route"
    ])
  })
})
