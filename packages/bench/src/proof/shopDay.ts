/** What happens in a shop all day, each request timed; beside another store it may not take much longer than alone. */
import { type Answer, NoAnswer, send, sleep } from "./Client.ts"
import { complete, Cut, drawLines, furnish, prepare } from "./Purchase.ts"
import type { Random } from "./Random.ts"
import { quantile, type Run } from "./Scenario.ts"
import type { Server } from "./Server.ts"
import type { Product, Shop } from "./Shops.ts"

/** How much slower than alone a request may be, and how many milliseconds are fast enough in any case. */
const slower = 3
const quick = 50

export interface Heard {
  readonly step: string
  readonly millis: number
  /** 0: no answer. */
  readonly status: number
}

const login = { email: "neighbour@example.com", password: "Corr3ct-Horse" }

export interface Neighbour {
  readonly shop: Shop
  readonly port: number
  readonly products: ReadonlyArray<Product>
  readonly random: Random
}

/** The shop is ready for its days: it can ship, and the customer who logs in is registered. */
export const openFor = async ({ shop, port }: Neighbour): Promise<void> => {
  await furnish(shop, port)
  const { status } = await send(port, "POST", `/vc/${shop.channelId}/customers/register`, { body: login })
  if (status !== 200) throw new Error(`the customer was not registered: ${status}`)
}

/** One round of what happens in a shop all day, request by request, each timed. */
const liveARound = async (
  { shop, port, products, random }: Neighbour,
  round: number,
  heard: Array<Heard>
): Promise<void> => {
  const timed = async (step: string, method: string, path: string, body?: object, isAdmin = false) => {
    const headers = isAdmin ? { authorization: `Bearer ${shop.apiKey}` } : {}
    const answer = await send(port, method, path, { headers, ...(body === undefined ? {} : { body }) })
    heard.push({ step, millis: answer.millis, status: answer.status })
    return answer
  }
  const at = `/vc/${shop.channelId}`
  const product = random.pick(products)
  try {
    await timed("list", "GET", `${at}/products?page=${1 + (round % 5)}`)
    await timed("product", "GET", `${at}/products/${product.id}`)
    await timed("search", "GET", `${at}/products?search=product%20${random.between(1, 200)}`)
    await timed("price", "PATCH", `/v1/products/${product.id}`, { basePrice: `${random.between(10, 99)}.00` }, true)
    if (round % 2 === 0) await timed("login", "POST", `${at}/customers/login`, login)
    const hear = (step: string, { millis, status }: Answer) => heard.push({ step, millis, status })
    const { checkoutId } = await prepare(shop, () => port, drawLines(random, products), hear)
    const answer: Answer = await complete(shop, port, checkoutId, `neighbour-${round}-${checkoutId}`)
    heard.push({ step: "complete", millis: answer.millis, status: answer.status })
  } catch (error) {
    if (error instanceof Cut) heard.push({ step: error.step, millis: error.answer.millis, status: error.answer.status })
    else if (error instanceof NoAnswer) heard.push({ step: error.code, millis: Number.POSITIVE_INFINITY, status: 0 })
    else throw error
  }
}

/** `more`: what is done besides in each round. */
export const live = async (
  neighbour: Neighbour,
  seconds: number,
  more: (round: number, heard: Array<Heard>) => Promise<void> = () => Promise.resolve()
): Promise<ReadonlyArray<Heard>> => {
  const heard: Array<Heard> = []
  const end = performance.now() + seconds * 1_000
  for (let round = 0; performance.now() < end; round++) {
    await liveARound(neighbour, round, heard)
    await more(round, heard)
    await sleep(20)
  }
  return heard
}

/** The largest of what a server held while `work` went on, in MB. */
export const memoryDuring = async <A>(server: Server, work: Promise<A>): Promise<readonly [A, number]> => {
  let most = 0
  const look = () => {
    most = Math.max(most, server.residentMemory())
  }
  const timer = setInterval(look, 100)
  const result = await work.finally(() => clearInterval(timer))
  look()
  return [result, most]
}

const stepsOf = (heard: ReadonlyArray<Heard>): ReadonlyMap<string, ReadonlyArray<number>> => {
  const steps = new Map<string, Array<number>>()
  for (const { step, millis } of heard) steps.set(step, [...(steps.get(step) ?? []), millis])
  return steps
}

export const millisOf = (heard: ReadonlyArray<Heard>): ReadonlyArray<number> => heard.map(({ millis }) => millis)
export const p95Of = (heard: ReadonlyArray<Heard>): number => Math.round(quantile(millisOf(heard), 0.95))

export const judge = (
  alone: ReadonlyArray<Heard>,
  beside: ReadonlyArray<Heard>,
  note: Run["note"]
): ReadonlyArray<string> => {
  const before = stepsOf(alone)
  const slow = [...stepsOf(beside)].flatMap(([step, sample]) => {
    const p95 = quantile(sample, 0.95)
    const was = quantile(before.get(step) ?? [], 0.95)
    note(`${step}: p95 ${was.toFixed(1)} ms alone, ${p95.toFixed(1)} ms beside (${sample.length})`)
    return p95 <= Math.max(slower * was, quick)
      ? []
      : [`${step}: p95 ${p95.toFixed(0)} ms, alone ${was.toFixed(0)} ms: more than ${slower} times`]
  })
  const failed = [...alone, ...beside].filter(({ status }) => status === 0 || status >= 400)
  return [...slow, ...failed.slice(0, 5).map(({ step, status }) => `${step}: answered with ${status}`)]
}
