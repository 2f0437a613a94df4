/**
 * What the scenarios of webhooks share: subscriptions, events that are easily made, and time that goes by until nothing
 * is on its way any more.
 */
import { type EventSink, isSigned } from "./EventSink.ts"
import { eachOf, NoAnswer, sleep } from "./Client.ts"
import type { Installation, Slot } from "./Installation.ts"
import { admin } from "./Purchase.ts"
import type { Product, Shop } from "./Shops.ts"

export interface Subscription {
  readonly id: string
  readonly path: string
  readonly secret: string
}

/** The part of the contract that tests may shorten. Milliseconds. */
export interface DeliveryTimes {
  readonly retryDelays: ReadonlyArray<number>
  readonly circuitPause: number
}

export const contractTimes: DeliveryTimes = { retryDelays: [5_000, 10_000, 20_000, 40_000], circuitPause: 3_600_000 }

export const subscribe = async (
  shop: Shop,
  port: number,
  path: string,
  url: string,
  events: ReadonlyArray<string>
): Promise<Subscription> => {
  const { status, body, bytes } = await admin(shop, port, "POST", "/webhook-subscriptions", { url, events })
  if (status !== 201) throw new Error(`a subscription could not be made: ${status} ${bytes.toString("utf8")}`)
  return { id: String(body.id), path, secret: String(body.secret) }
}

/**
 * Makes product.updated events, a fixed number at a time; answers when each was acknowledged, `performance.now()`; those
 * without an answer are left out.
 */
export const changePrices = async (
  shop: Shop,
  port: (turn: number) => number,
  product: Product,
  count: number,
  atOnce: number
): Promise<ReadonlyArray<number>> => {
  const acked = await eachOf(Array.from({ length: count }), atOnce, async (_, turn) => {
    const basePrice = ((performance.now() * 1_000 + turn) % 1_000_000) / 100
    const answer = await admin(shop, port(turn), "PATCH", `/products/${product.id}`, {
      basePrice: basePrice.toFixed(2)
    }).catch((error: unknown) => {
      if (error instanceof NoAnswer) return undefined
      throw error
    })
    return answer?.status === 200 ? [performance.now()] : []
  })
  return acked.flat()
}

export interface Delivery {
  readonly eventId: string
  readonly status: string
  readonly isProbe: boolean
  /** Milliseconds of the instances' clock: when an attempt began and ended, and what it came to. */
  readonly attempts: ReadonlyArray<{ readonly began: number; readonly ended: number; readonly status: number | null }>
}

export const deliveriesOf = async (
  { query }: Installation,
  shop: Shop,
  subscription: Subscription
): Promise<ReadonlyArray<Delivery>> => {
  const rows = await query(
    "SELECT event_id, status, is_probe, attempts FROM webhook_delivery WHERE store_id = $1 AND subscription_id = $2 ORDER BY created_at, id",
    [shop.storeId, subscription.id]
  )
  return rows.map((row) => ({
    eventId: String(row["event_id"]),
    status: String(row["status"]),
    isProbe: row["is_probe"] === true,
    attempts: (
      row["attempts"] as ReadonlyArray<{
        readonly at: string
        readonly durationMs: number
        readonly statusCode: number | null
      }>
    ).map(({ at, durationMs, statusCode }) => ({
      began: Date.parse(at) - durationMs,
      ended: Date.parse(at),
      status: statusCode
    }))
  }))
}

/** An attempt that is under way, and longer than any may take. */
const patience = 14_000
const soon = 1_000

/**
 * Lets time go by, in leaps to the next attempt that is due, until every event is relayed and every delivery finished.
 * False where that is not so after `millis` of real time. What dead workers hold is freed when nothing else moves.
 */
export const drain = async (
  installation: Installation,
  shop: Shop,
  slots: ReadonlyArray<Slot>,
  millis: number
): Promise<boolean> => {
  const end = performance.now() + millis
  let moved = performance.now()
  let before = ""
  while (performance.now() < end) {
    const [row] = await installation.query(
      `SELECT (SELECT count(*) FROM event WHERE store_id = $1 AND relayed_at IS NULL)::int AS waiting, count(*)::int AS open,
        count(*) FILTER (WHERE lease IS NOT NULL)::int AS held, coalesce(sum(attempt_count), 0)::int AS attempts,
        (extract(epoch FROM min(due_at) FILTER (WHERE lease IS NULL)) * 1000)::float8 AS next, (extract(epoch FROM min(due_at)) * 1000)::float8 AS freed
      FROM webhook_delivery WHERE store_id = $1 AND due_at IS NOT NULL`,
      [shop.storeId]
    )
    const { waiting, open, held, next, freed } = row as Readonly<
      Record<"waiting" | "open" | "held" | "next" | "freed", number | null>
    >
    if (waiting === 0 && open === 0) return true
    const state = JSON.stringify(row)
    if (state !== before) moved = performance.now()
    before = state
    const now = installation.now()
    const stuck = performance.now() - moved > patience
    if (waiting === 0 && held === 0 && next !== null && next > now + soon)
      await installation.advance(slots, Math.ceil(next - now))
    else if (stuck && freed !== null && freed > now) {
      await installation.advance(slots, Math.ceil(freed - now) + soon)
      moved = performance.now()
    }
    await sleep(20)
  }
  return false
}

/**
 * What must hold of everything that has arrived: signed over its bytes for who was to get it, and the same event in the
 * same bytes each time.
 */
export const checkHits = (
  sink: EventSink,
  subscriptions: ReadonlyArray<Subscription>,
  now: number
): ReadonlyArray<string> => {
  const secrets = new Map(subscriptions.map(({ path, secret }) => [path, secret]))
  const bodies = new Map<string, Buffer>()
  const findings = new Set<string>()
  for (const hit of sink.hits) {
    const secret = secrets.get(hit.path)
    if (secret === undefined) findings.add(`a request came to ${hit.path}, which nobody subscribed`)
    else if (!isSigned(hit, secret)) findings.add(`a signature for ${hit.path} does not hold`)
    if (hit.timestamp > now + 300_000) findings.add(`a delivery to ${hit.path} is signed in the future`)
    const before = bodies.get(hit.eventId)
    if (before !== undefined && !before.equals(hit.body))
      findings.add(`the event ${hit.eventId} came in different bytes`)
    bodies.set(hit.eventId, hit.body)
  }
  return [...findings]
}
