/**
 * A server is stopped in the middle of a purchase, as a paused machine or a debugger stops it, and holds the locks of
 * its transaction. Another one goes on selling the same product: its shoppers wait until the database ends the silent
 * session, and no longer. When the first goes on, its shopper is answered, and nothing has happened twice.
 */
import { join } from "node:path"
import { auditBooks, auditJournal } from "./books.ts"
import { type Answer, NoAnswer, sleep, until } from "./Client.ts"
import { knownOf } from "./clients.ts"
import { checkHistory } from "./aftermath.ts"
import { type Journal, openJournal } from "./Journal.ts"
import { complete, furnish, type Line, prepare, type Ready } from "./Purchase.ts"
import { labelled, type Outcome, quantile, type Run } from "./Scenario.ts"
import type { Shop } from "./Shops.ts"

export interface FrozenSize {
  readonly rounds: number
  /** Who buy beside it at the same time. */
  readonly shoppers: number
}

/** The longest that a completion may take beside a frozen server, p99, in milliseconds: the database's bound is 2 s. */
const bound = 3_500
/** How long the server stays frozen: longer than the bound. */
const frozenMillis = 4_500
/** How long the answer to a request under way may be asked for again. */
const patience = 20_000

const point = "completion.sold"

interface Buyer {
  readonly shop: Shop
  readonly journal: Journal
}

/** Completes under a key, and keeps what was heard. */
const buy = async ({ shop, journal }: Buyer, port: number, ready: Ready, key: string): Promise<Answer | undefined> => {
  const answer = await complete(shop, port, ready.checkoutId, key).catch((error: unknown) => {
    if (error instanceof NoAnswer) return undefined
    throw error
  })
  if (answer !== undefined) journal.hear(key, knownOf(answer))
  return answer
}

/** One who buys again and again on one server until told to stop. */
const shopping = async (
  buyer: Buyer,
  port: number,
  lines: ReadonlyArray<Line>,
  name: string,
  isOver: () => boolean
): Promise<ReadonlyArray<Answer | undefined>> => {
  const answers: Array<Answer | undefined> = []
  for (let i = 0; !isOver(); i++) {
    const ready = await prepare(buyer.shop, () => port, lines)
    const key = `${name}-p${i}`
    buyer.journal.intend({ checkoutId: ready.checkoutId, key, lines })
    answers.push(await buy(buyer, port, ready, key))
  }
  return answers
}

const told = (answer: Answer | undefined): string => `${answer?.status} ${answer?.body?.code ?? ""}`

export const proveFrozenServer = async (
  { installation, note }: Run,
  { rounds, shoppers }: FrozenSize
): Promise<Outcome> => {
  const shop = await installation.openShop()
  const [product] = await installation.stock(shop, 1, 1_000_000)
  if (product === undefined) throw new Error("no product was made")
  const [one, other] = await installation.openSlots(2)
  if (one === undefined || other === undefined) throw new Error("two servers are needed")
  const frozen = await installation.start(one, { faulty: true })
  await installation.start(other, { faulty: true })
  await furnish(shop, other.port)
  const journal = openJournal(join(installation.folder, "frozen.journal"))
  const buyer = { shop, journal }
  const lines = [{ productId: product.id, quantity: 1 }]
  const latencies: Array<number> = []
  const violations: Array<string> = []
  const counts = { rounds, sold: 0, answeredAtOnce: 0, askedAgain: 0 }

  for (let round = 1; round <= rounds; round++) {
    const found: Array<string> = []
    const key = `r${round}-frozen-p0`
    const ready = await prepare(shop, () => one.port, lines)
    journal.intend({ checkoutId: ready.checkoutId, key, lines })
    await frozen.arm({ point, kind: "freeze" })
    const held = buy(buyer, one.port, ready, key)
    if (!(await until(10_000, async () => frozen.isFrozen()))) throw new Error(`nobody passed ${point}`)
    let isOver = false
    const beside = Promise.all(
      Array.from({ length: shoppers }, (_, i) => shopping(buyer, other.port, lines, `r${round}-s${i}`, () => isOver))
    )
    await sleep(frozenMillis)
    frozen.thaw()
    let first = await held
    isOver = true
    const answers = (await beside).flat()
    counts.answeredAtOnce += first?.status === 200 ? 1 : 0
    if (first?.status !== 200 && first?.status !== 503) found.push(`the frozen server answers ${told(first)}`)
    counts.askedAgain += first?.status === 200 ? 0 : 1
    await until(patience, async () => {
      if (first?.status !== 200) first = await buy(buyer, one.port, ready, key)
      return first?.status === 200
    })
    if (first?.status !== 200) found.push(`asked again, it answers ${told(first)}`)
    const sold = answers.filter((answer) => answer?.status === 200)
    counts.sold += sold.length
    if (sold.length < answers.length)
      found.push(
        `beside it ${answers
          .filter((answer) => answer?.status !== 200)
          .map(told)
          .join(", ")}`
      )
    const millis = answers.flatMap((answer) => (answer === undefined ? [] : [answer.millis]))
    latencies.push(...millis)
    const worst = quantile(millis, 0.99)
    if (worst > bound) found.push(`completing takes ${Math.round(worst)} ms beside it, p99`)
    note(`round ${round} of ${rounds}: ${sold.length} sold beside it, p99 ${Math.round(worst)} ms, then ${told(first)}`)
    violations.push(...labelled(`round ${round}`, found))
  }
  violations.push(
    ...checkHistory(journal),
    ...(await auditBooks(installation, shop)),
    ...(await auditJournal(installation, shop, journal.read()))
  )
  journal.close()
  return { counts, latencies, violations }
}
