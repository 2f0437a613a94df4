/**
 * After a crash: every completion whose outcome is unknown is sent again under its Idempotency-Key until the outcome is
 * known; then the books are audited and compared with the journal. Locks of killed processes expire by the servers'
 * clock, which is moved forward instead of waiting.
 */
import { auditBooks, auditJournal, chargedDespite503, heldUnits, openPayments } from "./books.ts"
import { type Answer, eachOf, NoAnswer, sleep, until } from "./Client.ts"
import { knownOf, paymentOf } from "./clients.ts"
import { checkRealTime, checkUnique } from "./History.ts"
import type { Installation, Slot } from "./Installation.ts"
import type { Shop } from "./Shops.ts"
import { type Entry, historyOf, type Journal } from "./Journal.ts"
import { admin, complete } from "./Purchase.ts"
import type { Random } from "./Random.ts"

export interface Scene {
  readonly installation: Installation
  readonly shop: Shop
  readonly slots: ReadonlyArray<Slot>
  readonly journal: Journal
  readonly payments: ReadonlyArray<object>
  readonly random: Random
}

export interface Aftermath {
  readonly entries: ReadonlyArray<Entry>
  /** Unknown ends found, and how many of them had happened. */
  readonly unknown: number
  /** Unknown completions that got "in progress" until the claim of the killed process expired. */
  readonly locked: number
  /** Answered 503 after the provider was asked. */
  readonly charged503: number
  readonly violations: ReadonlyArray<string>
}

/**
 * An idempotency claim expires after this time at the latest. The clock is moved by a second more than half, then by
 * the rest.
 */
const lockMillis = 60_000
const retriedAtOnce = 8
/** Of reservations, with a minute for the worker. */
const holdMillis = 16 * 60_000

const portOf = (slots: ReadonlyArray<Slot>, turn: number): number => slots[turn % slots.length]?.port ?? 0

/** Tries each once; returns those whose outcome is still unknown. */
const retryAll = async (scene: Scene, entries: ReadonlyArray<Entry>): Promise<ReadonlyArray<Entry>> => {
  const { shop, slots, journal, payments } = scene
  const left = await eachOf(entries, retriedAtOnce, async (entry, turn) => {
    const answer = await complete(
      shop,
      portOf(slots, turn),
      entry.checkoutId,
      entry.key,
      paymentOf(payments, entry.key)
    ).catch((error: unknown) => {
      if (error instanceof NoAnswer) return undefined
      throw error
    })
    if (answer === undefined) return [entry]
    const known = knownOf(answer)
    journal.hear(entry.key, known)
    return known.what === "unknown" ? [entry] : []
  })
  return left.flat()
}

const unknownOf = (journal: Journal, prefix: string) =>
  journal.read().filter((entry) => entry.key.startsWith(prefix) && entry.known.what === "unknown")

/** Acknowledged answers are given again byte for byte, and the orders can be read, from any server. */
const spotCheck = async (scene: Scene, entries: ReadonlyArray<Entry>): Promise<ReadonlyArray<string>> => {
  const { shop, slots, payments, random } = scene
  const acked = entries.filter(({ known }) => known.what === "ok")
  const chosen = acked.length <= 5 ? acked : Array.from({ length: 5 }, () => random.pick(acked))
  const found = await eachOf(chosen, retriedAtOnce, async ({ key, checkoutId, known }, turn) => {
    const again: Answer = await complete(shop, portOf(slots, turn), checkoutId, key, paymentOf(payments, key))
    const read = await admin(shop, portOf(slots, turn + 1), "GET", `/orders/${known.orderId}`)
    return [
      ...(again.status === 200 && again.bytes.toString("base64") === known.bytes
        ? []
        : [`${key} was answered otherwise the second time (${again.status})`]),
      ...(read.status === 200 ? [] : [`the acknowledged order ${known.orderId} is answered with ${read.status}`])
    ]
  })
  return found.flat()
}

/** `prefix` begins the keys of the round. */
export const settle = async (scene: Scene, prefix: string): Promise<Aftermath> => {
  const { installation, shop, slots, journal } = scene
  const unknown = unknownOf(journal, prefix)
  // Before anything is asked for again: until here each was asked for once.
  const charged503 = await chargedDespite503(installation, shop, unknown)
  const violations: Array<string> = [...charged503]
  let left = await retryAll(scene, unknown)
  const locked = left.length
  if (left.length > 0) {
    await installation.advance(slots, lockMillis / 2 + 1_000)
    left = await retryAll(scene, left)
  }
  if (left.length > 0) {
    await installation.advance(slots, lockMillis / 2)
    await sleep(1_500)
    left = await retryAll(scene, left)
  }
  const still = new Map(journal.read().map((entry) => [entry.key, entry]))
  violations.push(
    ...left.map(
      ({ key }) =>
        `nothing can be learned of ` +
        `${key} after ${lockMillis / 1_000} s: ${still.get(key)?.known.status} ${still.get(key)?.known.code}`
    )
  )

  await installation.advance(slots, holdMillis)
  if (!(await until(3_000, async () => (await heldUnits(installation, shop)) === 0))) {
    violations.push(`${await heldUnits(installation, shop)} units are still held 16 minutes after the last cart`)
  }
  if (!(await until(5_000, async () => (await openPayments(installation, shop)) === 0))) {
    violations.push(`${await openPayments(installation, shop)} payments are still open`)
  }
  const entries = journal.read().filter((entry) => entry.key.startsWith(prefix))
  violations.push(
    ...(await auditBooks(installation, shop)),
    ...(await auditJournal(installation, shop, entries)),
    ...(await spotCheck(scene, entries))
  )
  return { entries, unknown: unknown.length, locked, charged503: charged503.length, violations }
}

/**
 * Checks the whole run, when the clients of all rounds have finished. Retries end long after their first request, and
 * the history has both times.
 */
export const checkHistory = (journal: Journal): ReadonlyArray<string> => {
  const history = historyOf(journal.read())
  return [...checkUnique(history), ...checkRealTime(history)]
}
