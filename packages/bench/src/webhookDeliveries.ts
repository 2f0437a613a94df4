/**
 * Webhook deliveries: how many a second leave for a local endpoint once their events are committed, beside a bare loop
 * that posts the same rows; and how long the first byte of one takes from its commit when nothing else happens.
 */
import type { ChildProcess } from "node:child_process"
import { coreLayer } from "@effect-commerce/core/CommerceCore"
import { type ConnectionOptions, nodePostgresConfig } from "@effect-commerce/core/database/ConnectionOptions"
import * as EmbeddedPostgres from "@effect-commerce/core/embedded/EmbeddedPostgres"
import { ApiKeys } from "@effect-commerce/core/identity/ApiKeys"
import { Stores } from "@effect-commerce/core/store/Stores"
import { WebhookSubscriptions } from "@effect-commerce/core/webhook/WebhookSubscriptions"
import { Effect, Layer } from "effect"
import type { Client } from "pg"
import { median, type Ratio } from "./measure.ts"
import { ask, pause, startFile, stop } from "./processes.ts"
import { productIdOf, type Shop } from "./seed.ts"
import { serveProduct } from "./serving.ts"
import type { LoopJob } from "./webhookLoop.ts"
import type { Arrived } from "./webhookSink.ts"

export interface WebhookResult {
  readonly subscriptions: number
  readonly events: number
  /** Deliveries a second, medians of the rounds. */
  readonly product: number
  readonly loop: number
  /** Product beside the loop: 0.25 at least. */
  readonly ratio: Ratio
  /** Milliseconds from the request that commits to the first byte at the endpoint; p99 150 at most. */
  readonly idle: { readonly p50: number; readonly p99: number; readonly samples: number }
}

export interface WebhookPlace {
  readonly dataDir: string
  readonly connection: ConnectionOptions
  readonly shop: Shop
  readonly seeder: Client
}

export interface WebhookPlan {
  readonly rounds: number
  readonly events: number
  readonly samples: number
}

const paths = ["/one", "/two", "/three"]
/** As many as the product sends to one subscription at a time. */
const connections = 32

const eventsSql = `INSERT INTO event (store_id, id, type, data, created_at)
  SELECT $1, 'evt_' || md5($2 || i), 'order.updated', jsonb_build_object('orderId', 'ord_' || i, 'order',
    jsonb_build_object('padding', repeat('x', 2800))), now()
  FROM generate_series(1, $3) AS i`

const prepare = ({ dataDir, connection, shop }: WebhookPlace, origin: string) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const secret = yield* EmbeddedPostgres.rootSecret(dataDir)
        const services = yield* Layer.build(
          coreLayer({ connection, secret, maxConnections: 3, outbound: { allowPrivate: true } })
        )
        return yield* Effect.provideContext(subscribe(shop.storeId, origin), services)
      })
    )
  )

const subscribe = Effect.fnUntraced(function* (storeId: string, origin: string) {
  const store = yield* (yield* Stores).context(storeId)
  const webhooks = yield* WebhookSubscriptions
  yield* Effect.forEach(paths, (path) => webhooks.create(store, { url: `${origin}${path}`, events: ["order.updated"] }))
  yield* webhooks.create(store, { url: `${origin}/idle`, events: ["product.updated"] })
  return yield* (yield* ApiKeys).mint({
    accountId: store.accountId,
    storeId,
    name: "bench",
    scopes: ["products:write"],
    tier: "ENTERPRISE"
  })
})

/** Per second, from `start` to the last arrival. */
const rateOf = ({ at }: Arrived, start: number): number => (at.length / ((at.at(-1) ?? Number.NaN) - start)) * 1_000
const epoch = (): number => performance.timeOrigin + performance.now()

const originOf = (child: ChildProcess): Promise<string> =>
  new Promise((done) =>
    child.stdout?.once("data", (said: Buffer) => done(`http://127.0.0.1:${/\d+/.exec(said.toString())?.[0]}`))
  )

export const measureWebhooks = async (place: WebhookPlace, plan: WebhookPlan): Promise<WebhookResult> => {
  const { dataDir, connection, shop, seeder } = place
  const sink = startFile("./webhookSink.ts")
  const origin = await originOf(sink)
  const loop = startFile("./webhookLoop.ts")
  const key = await prepare(place, origin)
  const product = await serveProduct(dataDir, { env: { COMMERCE_WEBHOOK_ALLOW_PRIVATE: "1" } })
  const count = plan.events * paths.length

  const round = async (name: string) => {
    const from = String((await seeder.query("SELECT coalesce(max(seq), 0) + 1 AS seq FROM event")).rows[0]?.["seq"])
    const arrived = ask<Arrived>(sink, { count })
    await seeder.query("BEGIN")
    await seeder.query(eventsSql, [shop.storeId, name, plan.events])
    await seeder.query("SELECT pg_notify('commerce_event', $1)", [shop.storeId])
    await seeder.query("COMMIT")
    const start = epoch()
    const ours = rateOf(await arrived, start)
    await settled(seeder)
    const again = ask<Arrived>(sink, { count })
    const begun = epoch()
    const job: LoopJob = {
      database: nodePostgresConfig(connection),
      storeId: shop.storeId,
      from,
      origin,
      paths,
      connections
    }
    await ask(loop, job)
    return { product: ours, loop: rateOf(await again, begun) }
  }
  const rounds: Array<{ readonly product: number; readonly loop: number }> = []
  // Two rounds warm both up: the product has more code to become quick.
  for (let i = -2; i < plan.rounds; i++) {
    const measured = await round(`round${i}`)
    if (i >= 0) rounds.push(measured)
  }

  const latencies: Array<number> = []
  for (let i = 0; i < plan.samples; i++) {
    const arrived = ask<Arrived>(sink, { count: 1 })
    const start = epoch()
    const answer = await fetch(`http://127.0.0.1:${product.port}/api/v1/products/${productIdOf(1 + i)}`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${key.key}`, "content-type": "application/json" },
      body: `{"description":"changed ${i}"}`
    })
    if (answer.status !== 200)
      throw new Error(`a product could not be changed: ${answer.status} ${await answer.text()}`)
    latencies.push(((await arrived).at[0] ?? Number.NaN) - start)
    await pause(20 + (i % 7) * 13)
  }
  await Promise.all([sink, loop, product.child].map(stop))
  latencies.sort((a, b) => a - b)
  const ratios = rounds.map((one) => one.product / one.loop)
  return {
    subscriptions: paths.length,
    events: plan.events,
    product: median(rounds.map((one) => one.product)),
    loop: median(rounds.map((one) => one.loop)),
    ratio: { median: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios) },
    idle: {
      p50: median(latencies),
      p99: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
      samples: latencies.length
    }
  }
}

/** Resolves when nothing is pending any more. */
const settled = async (seeder: Client): Promise<void> => {
  for (;;) {
    const { rows } = await seeder.query(
      "SELECT count(*)::int AS pending FROM webhook_delivery WHERE due_at IS NOT NULL"
    )
    if (rows[0]?.["pending"] === 0) return
    await pause(50)
  }
}
