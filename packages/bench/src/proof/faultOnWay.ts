/**
 * One fault on one way to buy: the fault is armed, the shopper buys and tries again until the outcome is known, and the
 * books are audited.
 */
import { auditBooks, auditJournal, chargedOf, movedAtProvider, openPayments } from "./books.ts"
import { type Answer, sleep, until } from "./Client.ts"
import { knownOf } from "./clients.ts"
import type { Installation, Slot } from "./Installation.ts"
import type { Journal } from "./Journal.ts"
import { complete, prepare } from "./Purchase.ts"
import type { Fault, FaultKind, FaultMet } from "./Server.ts"
import type { Product, Shop } from "./Shops.ts"
import { type Buying, heard, type Way } from "./waysToBuy.ts"

/**
 * An idempotency claim expires after this time at the latest. The clock passes it in two steps; workers do what is due
 * in between.
 */
const lockMillis = 60_000
const steps = [0, lockMillis / 2 + 1_000, lockMillis / 2]
const workerMillis = 1_500
/** How long a message of a server takes to arrive. */
const messageMillis = 50
export interface Stage {
  readonly installation: Installation
  /** By how they end: one makes orders of late money, the other gives it back. */
  readonly shops: Readonly<Record<Way["ending"], Shop>>
  readonly plenty: Readonly<Record<Way["ending"], Product>>
  readonly slot: Slot
  readonly journal: Journal
}

const alive = async ({ installation, slot }: Stage): Promise<void> => {
  if (slot.server?.isAlive() !== true) await installation.start(slot, { faulty: true })
}

const isSettled = async ({ installation, shops }: Stage, ending: Way["ending"]): Promise<boolean> =>
  (await openPayments(installation, shops[ending])) === 0

/** Moves the clock, so that the leases of killed processes expire. */
const pass = async (stage: Stage, way: Way, millis: number): Promise<void> => {
  await stage.installation.advance([stage.slot], millis)
  await until(workerMillis, () => isSettled(stage, way.ending))
}

/** Asks until `isEnough`, giving the locks of the dead their time; the last answer that came. */
const insist = async (
  stage: Stage,
  way: Way,
  ask: () => Promise<Answer | undefined>,
  isEnough: (answer: Answer) => boolean
): Promise<Answer | undefined> => {
  let last: Answer | undefined
  for (const wait of steps) {
    await alive(stage)
    if (wait > 0) await pass(stage, way, wait)
    last = (await ask()) ?? last
    if (last !== undefined && isEnough(last)) return last
  }
  return last
}

const told = (answer: Answer | undefined): string => `${answer?.status} ${answer?.bytes.toString("utf8").slice(0, 300)}`
/** A response that asks for a retry is not the request's outcome. */
const isPassing = (answer: Answer): boolean => answer.headers["retry-after"] !== undefined

/**
 * The same request until it is settled, then, where that has made no order, another key. A 500 is kept for its key and
 * given again.
 */
const settle = async (stage: Stage, way: Way, buying: Buying): Promise<ReadonlyArray<string>> => {
  const isKept = (answer: Answer | undefined) => way.isKeyed && answer?.status === 500 && !isPassing(answer)
  const last = await insist(
    stage,
    way,
    () => way.again(buying),
    (answer) => answer.status === way.settled || isKept(answer)
  )
  if (last?.status !== way.settled && !isKept(last))
    return [`after a minute the same request is answered with ${told(last)}`]
  if (way.isKeyed && way.settled === 200 && last?.status === 200) return []
  const status = way.ending === "order" ? 200 : 409
  const ended = await insist(
    stage,
    way,
    () => buying.complete(`${buying.key}-again`, way.body),
    (answer) => answer.status === status && !isPassing(answer)
  )
  return ended?.status === status ? [] : [`another key is answered with ${told(ended)}`]
}

interface Met {
  readonly kind: FaultKind
  /** The worker may find out by itself what a request is about to tell. */
  readonly by: FaultMet | undefined
  /** The provider has been asked: from then on nobody may be told that nothing was done. */
  readonly charged: boolean
}

/**
 * What the requests that met the fault may be told: what they are told without it, that another is at work, or the
 * fault.
 */
const judge = (
  { kind, by, charged }: Met,
  way: Way,
  answers: ReadonlyArray<Answer | undefined>
): ReadonlyArray<string> => {
  const alone = answers.length === 1
  const isFault = (answer: Answer | undefined): boolean => {
    if (kind === "kill") return answer === undefined
    if (kind === "throw") return answer?.status === 500
    return (answer?.status === 500 && isPassing(answer)) || (answer?.status === 503 && !(alone && charged))
  }
  const isRight = (answer: Answer | undefined) =>
    answer?.status === way.settled || (answer?.status === 409 && isPassing(answer))
  const isOfAnother = !alone || by === "worker" || kind === "drop"
  const wrong = answers.filter((answer) => !isFault(answer) && !(isRight(answer) && isOfAnother))
  return wrong.map((answer) => `answered with ${told(answer)}${charged ? ", the provider having been asked" : ""}`)
}

const buyingOf = (
  { installation, shops, slot, journal }: Stage,
  way: Way,
  checkoutId: string,
  productId: string,
  name: string
): Buying => {
  const shop = shops[way.ending]
  return {
    installation,
    shop,
    slot,
    checkoutId,
    productId,
    key: `${name}-${way.name}`,
    complete: async (key, body) => {
      journal.intend({ checkoutId, key, lines: [{ productId, quantity: 1 }] })
      const answer = await heard(complete(shop, slot.port, checkoutId, key, body))
      if (answer !== undefined) journal.hear(key, knownOf(answer))
      return answer
    }
  }
}

interface Tried {
  /**
   * Milliseconds from the fault to the end of the purchase, the moved clock not counted; undefined: the point was not
   * passed.
   */
  readonly millis: number | undefined
  readonly violations: ReadonlyArray<string>
}

const begin = async (stage: Stage, way: Way, name: string): Promise<Buying> => {
  const { installation, shops, plenty, slot } = stage
  const shop = shops[way.ending]
  const [scarce] = way.scarce === true ? await installation.stock(shop, 1, 1) : []
  const productId = (scarce ?? plenty[way.ending]).id
  const { checkoutId } = await prepare(shop, () => slot.port, [{ productId, quantity: 1 }])
  const buying = buyingOf(stage, way, checkoutId, productId, name)
  await way.begin?.(buying)
  return buying
}

const auditAfter = async (stage: Stage, way: Way, { checkoutId }: Buying): Promise<ReadonlyArray<string>> => {
  const { installation, shops, journal } = stage
  const shop = shops[way.ending]
  const violations: Array<string> = []
  for (let minute = 0; minute < 5 && !(await isSettled(stage, way.ending)); minute++) await pass(stage, way, lockMillis)
  if (!(await until(5_000, () => isSettled(stage, way.ending)))) violations.push("a payment is still open")
  const entries = journal.read().filter((entry) => entry.checkoutId === checkoutId)
  const orders = await installation.query("SELECT id FROM orders WHERE store_id = $1 AND checkout_id = $2", [
    shop.storeId,
    checkoutId
  ])
  if (orders.length !== (way.ending === "order" ? 1 : 0)) violations.push(`the checkout has ${orders.length} orders`)
  return [
    ...violations,
    ...(await auditBooks(installation, shop)),
    ...(await auditJournal(installation, shop, entries))
  ]
}

/** Buys in this way with the fault at this point, and audits what it leaves behind. */
export const tryAt = async (stage: Stage, { point, kind }: Fault, way: Way): Promise<Tried> => {
  await alive(stage)
  const buying = await begin(stage, way, `${point}-${kind}`)
  const server = stage.slot.server
  if (server === undefined) throw new Error("no server")
  const shop = stage.shops[way.ending]
  const before = await movedAtProvider(stage.installation, shop, buying.checkoutId)
  await server.arm({ point, kind })
  const answers = await way.act(buying)
  if (server.metBy() === undefined)
    return {
      millis: undefined,
      violations: [...(await settle(stage, way, buying)), ...(await auditAfter(stage, way, buying))]
    }
  const began = performance.now()
  if (kind === "kill") await server.ended
  const by = server.metBy()
  const charged =
    // A request whose connections were lost because the worker met the fault says what it did itself, and not what was
    // charged before it.
    by === "worker"
      ? (await movedAtProvider(stage.installation, shop, buying.checkoutId)) !== before
      : // A notice that was read and not kept has changed nothing, whatever was charged before it.
        point !== "payment.notice-read" && (await chargedOf(stage.installation, shop, [buying.checkoutId])).length > 0
  const violations = [...judge({ kind, by, charged }, way, answers), ...(await settle(stage, way, buying))]
  const millis = performance.now() - began
  return { millis, violations: [...violations, ...(await auditAfter(stage, way, buying))] }
}

/** The points that a way passes when nothing fails. A payment that it leaves open is brought to its end in any case. */
export const pointsOf = async (
  stage: Stage,
  way: Way,
  toTheEnd: boolean
): Promise<{ readonly points: ReadonlySet<string>; readonly violations: ReadonlyArray<string> }> => {
  await alive(stage)
  const buying = await begin(stage, way, "unharmed")
  const passed = (): ReadonlyMap<string, number> => new Map(stage.slot.server?.passed())
  const before = passed()
  await way.act(buying)
  await sleep(messageMillis)
  const after = passed()
  const isEnding = toTheEnd || !(await isSettled(stage, way.ending))
  const violations = isEnding ? [...(await settle(stage, way, buying)), ...(await auditAfter(stage, way, buying))] : []
  return {
    points: new Set([...after].filter(([name, times]) => times > (before.get(name) ?? 0)).map(([name]) => name)),
    violations
  }
}
