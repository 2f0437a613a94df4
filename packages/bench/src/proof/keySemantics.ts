/**
 * What an Idempotency-Key guarantees: replays, also a day later by the test clock; after errors; and after the process
 * that held the claim was killed.
 */
import { type Answer, NoAnswer, send, sleep } from "./Client.ts"
import { auditBooks } from "./books.ts"
import type { Installation, Slot } from "./Installation.ts"
import type { Shop } from "./Shops.ts"
import { complete, furnish, prepare } from "./Purchase.ts"
import type { Outcome, Run } from "./Scenario.ts"

export interface KeySemanticsSize {
  /** Servers killed at their work. */
  readonly kills: number
}

interface Stage {
  readonly installation: Installation
  readonly shop: Shop
  readonly slot: Slot
  /** Writes down what did not hold. */
  readonly expect: (what: string, holds: boolean) => void
}

const rate = (name: string) => ({ name, country: "US", rate: 5 })

const post = (
  shop: Shop,
  port: number,
  key: string | undefined,
  body: object,
  path = "/v1/tax/rates"
): Promise<Answer> =>
  send(port, "POST", path, {
    headers: { authorization: `Bearer ${shop.apiKey}`, ...(key === undefined ? {} : { "idempotency-key": key }) },
    body
  })

const ratesOf = async ({ installation }: Stage, shop: Shop, name: string): Promise<number> =>
  (await installation.query("SELECT 1 FROM tax_rate WHERE store_id = $1 AND name = $2", [shop.storeId, name])).length

const same = (a: Answer, b: Answer): boolean => a.status === b.status && a.bytes.equals(b.bytes)
const isReplay = (answer: Answer): boolean => answer.headers["idempotency-replayed"] === "true"

const provePlain = async (stage: Stage): Promise<void> => {
  const { installation, shop, slot, expect } = stage
  const { port } = slot
  const first = await post(shop, port, "plain", rate("plain"))
  const second = await post(shop, port, "plain", rate("plain"))
  expect(
    "the first answer is given again byte for byte",
    first.status === 201 && same(first, second) && isReplay(second)
  )
  expect("and the work is done once", (await ratesOf(stage, shop, "plain")) === 1)
  const other = await post(shop, port, "plain", rate("other"))
  expect(
    "another body under the key is 409 IDEMPOTENCY_KEY_REUSED",
    other.status === 409 && other.body.code === "IDEMPOTENCY_KEY_REUSED"
  )
  expect("and is not carried out", (await ratesOf(stage, shop, "other")) === 0)
  const foreign = await installation.openShop()
  const theirs = await post(foreign, port, "plain", rate("plain"))
  expect(
    "another store's key is its own",
    theirs.status === 201 && !isReplay(theirs) && (await ratesOf(stage, foreign, "plain")) === 1
  )
  const read = await send(port, "GET", "/v1/tax/rates", {
    headers: { authorization: `Bearer ${shop.apiKey}`, "idempotency-key": "plain" }
  })
  expect(
    "on a GET it is 400 IDEMPOTENCY_KEY_NOT_SUPPORTED",
    read.status === 400 && read.body.code === "IDEMPOTENCY_KEY_NOT_SUPPORTED"
  )
  const long = await post(shop, port, "k".repeat(256), rate("long"))
  const fits = await post(shop, port, "k".repeat(255), rate("fits"))
  expect(
    "256 characters are refused and 255 are taken",
    long.status === 400 && fits.status === 201 && (await ratesOf(stage, shop, "long")) === 0
  )
}

const proveDay = async (stage: Stage): Promise<void> => {
  const { installation, shop, slot, expect } = stage
  const { port } = slot
  const first = await post(shop, port, "day", rate("day"))
  await installation.advance([slot], 24 * 3_600_000 - 60_000)
  const within = await post(shop, port, "day", rate("day"))
  expect("a minute before a day is over the answer is given again", same(first, within) && isReplay(within))
  await installation.advance([slot], 120_000)
  const after = await post(shop, port, "day", rate("day"))
  expect(
    "a minute after it the request is a new one",
    after.status === 201 && !isReplay(after) && after.body.id !== first.body.id
  )
  expect("and is carried out", (await ratesOf(stage, shop, "day")) === 2)
}

const proveRefusal = async (stage: Stage): Promise<void> => {
  const { installation, shop, slot, expect } = stage
  const [scarce] = await installation.stock(shop, 1, 1)
  const lines = [{ productId: scarce?.id ?? "", quantity: 1 }]
  const [one, two] = [await prepare(shop, () => slot.port, lines), await prepare(shop, () => slot.port, lines)]
  await complete(shop, slot.port, one.checkoutId, "takes-the-last")
  const refused = await complete(shop, slot.port, two.checkoutId, "finds-none")
  expect("without stock it is refused", refused.status === 400 && refused.body.code === "INSUFFICIENT_STOCK")
  await send(slot.port, "PUT", `/v1/products/${scarce?.id}/inventory`, {
    headers: { authorization: `Bearer ${shop.apiKey}` },
    body: { total: 5 }
  })
  const again = await complete(shop, slot.port, two.checkoutId, "finds-none")
  expect("the refusal is given again, though there is stock by now", same(refused, again))
  const fresh = await complete(shop, slot.port, two.checkoutId, "asks-anew")
  expect("another key is a new request", fresh.status === 200)
}

/**
 * Asked every five seconds of the servers' clock: answered with "under way" until the lock ends, then carried out or
 * given again.
 */
const untilUnlocked = async ({ installation, shop, slot }: Stage, checkoutId: string, key: string) => {
  for (let waited = 0; waited <= 90_000; waited += 5_000) {
    const answer = await complete(shop, slot.port, checkoutId, key)
    if (answer.status !== 409 || answer.body?.code !== "CONFLICT") return { answer, waited }
    await installation.advance([slot], 5_000)
  }
  return undefined
}

const proveKill = async (stage: Stage, round: number, point: string): Promise<void> => {
  const { installation, shop, slot, expect } = stage
  const [product] = await installation.stock(shop, 1, 10)
  const { checkoutId } = await prepare(shop, () => slot.port, [{ productId: product?.id ?? "", quantity: 1 }])
  const key = `killed-${round}`
  await slot.server?.arm({ point, kind: "kill" })
  const none = await complete(shop, slot.port, checkoutId, key).catch((error: unknown) => {
    if (error instanceof NoAnswer) return undefined
    throw error
  })
  expect(`killed at ${point} it gives no answer`, none === undefined)
  await slot.server?.ended
  await installation.start(slot, { faulty: true })
  const settled = await untilUnlocked(stage, checkoutId, key)
  expect(
    `after a kill at ${point} the key is free within 60 s (${settled?.waited ?? "never"})`,
    settled !== undefined && settled.waited <= 60_000
  )
  expect(
    `after a kill at ${point} the retry is carried out (${settled?.answer.status})`,
    settled?.answer.status === 200
  )
  const replay = await complete(shop, slot.port, checkoutId, key)
  expect(
    "and from then on given again byte for byte",
    settled !== undefined && same(settled.answer, replay) && isReplay(replay)
  )
  const orders = await installation.query("SELECT id FROM orders WHERE store_id = $1 AND checkout_id = $2", [
    shop.storeId,
    checkoutId
  ])
  expect(
    `after a kill at ${point} there is one order (${orders.length})`,
    orders.length === 1 && orders[0]?.["id"] === settled?.answer.body?.orderId
  )
}

/** A twin that comes while the first is at work is told so, and neither waits nor runs. */
const proveTwin = async (stage: Stage): Promise<void> => {
  const { installation, shop, slot, expect } = stage
  const [product] = await installation.stock(shop, 1, 10)
  const { checkoutId } = await prepare(shop, () => slot.port, [{ productId: product?.id ?? "", quantity: 1 }])
  const asked = Array.from({ length: 12 }, () => complete(shop, slot.port, checkoutId, "twin"))
  const answers = await Promise.all(asked)
  const underWay = answers.filter((answer) => answer.status === 409)
  expect(
    "a twin is 200 or 409 CONFLICT",
    answers.every(({ status, body }) => status === 200 || (status === 409 && body.code === "CONFLICT"))
  )
  expect(
    "with Retry-After: 1",
    underWay.every((answer) => answer.headers["retry-after"] === "1")
  )
  await sleep(50)
  const later = await complete(shop, slot.port, checkoutId, "twin")
  expect(
    "and later it is given the same answer",
    answers.some((answer) => answer.status === 200 && same(answer, later))
  )
}

const points = ["completion.locked", "completion.sold", "completion.placed", "completion.committed"]

export const proveKeySemantics = async ({ installation, note }: Run, { kills }: KeySemanticsSize): Promise<Outcome> => {
  const shop = await installation.openShop()
  const [slot] = await installation.openSlots(1)
  if (slot === undefined) throw new Error("no slot")
  await installation.start(slot, { faulty: true })
  await furnish(shop, slot.port)
  const violations: Array<string> = []
  let checks = 0
  const expect = (what: string, holds: boolean): void => {
    checks += 1
    if (!holds) violations.push(`does not hold: ${what}`)
  }
  const stage: Stage = { installation, shop, slot, expect }
  await provePlain(stage)
  await proveRefusal(stage)
  await proveTwin(stage)
  note("plain, refused, twins")
  for (let round = 0; round < kills; round++) await proveKill(stage, round, points[round % points.length] ?? "")
  note(`${kills} kills`)
  await proveDay(stage)
  violations.push(...(await auditBooks(installation, shop)))
  return { counts: { checks, kills, failed: violations.length }, latencies: [], violations }
}
