/**
 * A shop beside a store for which nothing answers any more: the storage of its files leaves its uploads waiting, and
 * its endpoints take events and say nothing. Both at once, a hundred of each. The shop goes on selling and uploading,
 * and hears of its events, hardly slower than alone.
 */
import sharp from "sharp"
import { auditBooks } from "./books.ts"
import { openBucketServer } from "./BucketServer.ts"
import { sleep, until } from "./Client.ts"
import { subscribe } from "./deliveries.ts"
import { openEventSink } from "./EventSink.ts"
import { admin } from "./Purchase.ts"
import type { Outcome, Run } from "./Scenario.ts"
import { type Heard, judge, live, memoryDuring, millisOf, type Neighbour, openFor, p95Of } from "./shopDay.ts"
import type { Shop } from "./Shops.ts"

export interface SilentSize {
  /** Endpoints that say nothing, and as many uploads that wait. */
  readonly each: number
  /** Seconds alone, and as many beside the other store. */
  readonly seconds: number
}

/** How long the shop waits for a delivery before it counts as lost. */
const patience = 10_000
const mostMemory = 800

/** No two pictures are the same, so that each is stored. */
const picture = (turn: number): Promise<Buffer> =>
  sharp({ create: { width: 64, height: 64, channels: 3, background: { r: turn % 256, g: (turn >> 8) % 256, b: 7 } } })
    .png()
    .toBuffer()

/** The status, 0 where the caller hung up. */
const upload = async (shop: Shop, port: number, turn: number, signal?: AbortSignal): Promise<number> => {
  const body = new FormData()
  body.append("file", new Blob([new Uint8Array(await picture(turn))], { type: "image/png" }), `${turn}.png`)
  const headers = { authorization: `Bearer ${shop.apiKey}` }
  const asked = { method: "POST", headers, body, ...(signal === undefined ? {} : { signal }) }
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/media`, asked)
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}

/** Uploads and events of the store that nobody answers, until it is ended; how often each happened. */
const suffer = (shop: Shop, port: number, productId: string, each: number) => {
  const ending = new AbortController()
  const ended = () => ending.signal.aborted
  const counts = { uploads: 0, changes: 0 }
  const uploading = Array.from({ length: each }, async (_, lane) => {
    for (let turn = lane; !ended(); turn += each) {
      counts.uploads += 1
      await upload(shop, port, turn, ending.signal)
    }
  })
  const changing = async () => {
    while (!ended()) {
      counts.changes += 1
      await admin(shop, port, "PATCH", `/products/${productId}`, { basePrice: `${10 + (counts.changes % 80)}.00` })
      // What waits is to be felt, not what works.
      await sleep(100)
    }
  }
  const all = Promise.all([...uploading, changing()])
  return {
    counts,
    end: async () => {
      ending.abort()
      await all
    }
  }
}

export const proveSilentServices = async (
  { installation, random, note }: Run,
  { each, seconds }: SilentSize
): Promise<Outcome> => {
  const [bucket, sink] = [await openBucketServer(), await openEventSink()]
  const [silent, shop] = [await installation.openShop(), await installation.openShop()]
  const [theirs] = await installation.stock(silent, 1, 1_000)
  const goods = await installation.stock(shop, 50, 1_000_000)
  const [slot] = await installation.openSlots(1)
  const [watched] = goods
  if (slot === undefined || theirs === undefined || watched === undefined) throw new Error("nothing was made")
  const server = await installation.start(slot, { env: { COMMERCE_MEDIA_URL: bucket.mediaUrl } })
  const { port } = slot
  const neighbour: Neighbour = { shop, port, products: goods.slice(1), random }
  await openFor(neighbour)
  await subscribe(shop, port, "/good", sink.url("/good"), ["product.updated"])
  for (let i = 0; i < each; i++) {
    sink.behave(`/silent/${i}`, () => "silence")
    await subscribe(silent, port, `/silent/${i}`, sink.url(`/silent/${i}`), ["product.updated"])
  }

  let turn = 0
  /** An upload, and from a change to its arrival at the shop's endpoint. */
  const more = async (_round: number, heard: Array<Heard>) => {
    const began = performance.now()
    const status = await upload(shop, port, turn++)
    heard.push({ step: "upload", millis: performance.now() - began, status })
    const price = `${random.between(100, 999)}.${10 + (turn % 90)}`
    const arrived = () => sink.hits.some(({ path, body }) => path === "/good" && body.includes(`"${price}"`))
    const { status: changed } = await admin(shop, port, "PATCH", `/products/${watched.id}`, { basePrice: price })
    const since = performance.now()
    const came = await until(patience, () => Promise.resolve(arrived()))
    heard.push({ step: "delivery", millis: performance.now() - since, status: came ? changed : 0 })
  }
  await live(neighbour, 2, more)

  note("the shop alone")
  const alone = await live(neighbour, seconds, more)
  note(`and beside a store with ${each} uploads and ${each} endpoints that wait`)
  bucket.hang(silent.storeId)
  const suffering = suffer(silent, port, theirs.id, each)
  await until(patience, () => Promise.resolve(bucket.hanging() > 0 && sink.hits.some(isSilent)))
  const [beside, memory] = await memoryDuring(server, live(neighbour, seconds, more))
  const waiting = bucket.hanging()
  await suffering.end()
  const asked = sink.hits.filter(isSilent).length
  await Promise.all([bucket.close(), sink.close()])

  return {
    counts: {
      ...suffering.counts,
      waitingAtStorage: waiting,
      silentAttempts: asked,
      alone: alone.length,
      beside: beside.length,
      p95Alone: p95Of(alone),
      p95Beside: p95Of(beside),
      memoryMb: Math.round(memory)
    },
    latencies: millisOf(beside),
    violations: [
      ...judge(alone, beside, note),
      ...(waiting > 0 && asked > 0 ? [] : ["nothing waited: a proof of nothing"]),
      ...(bucket.keys().some((key) => key.startsWith(silent.storeId)) ? ["a file was stored that hung"] : []),
      ...(memory <= mostMemory ? [] : [`${Math.round(memory)} MB of memory: more than ${mostMemory}`]),
      ...(server.isAlive() ? [] : ["the server has ended"]),
      ...(await auditBooks(installation, shop))
    ]
  }
}

const isSilent = ({ path }: { readonly path: string }): boolean => path.startsWith("/silent/")
