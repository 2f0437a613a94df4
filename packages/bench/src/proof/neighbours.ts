/**
 * A shop beside a hostile one in the same process: how long its shoppers and its merchant wait, alone and while ten
 * callers of the other store send the most expensive requests. Those may slow each other down, but not the shop.
 */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import type { Client } from "pg"
import { seedStore } from "../catalogueSeed.ts"
import { auditBooks } from "./books.ts"
import { type Answer, eachOf, NoAnswer, send, sleep } from "./Client.ts"
import type { HostileOptions } from "./hostileCaller.ts"
import { admin, complete, Cut, drawLines, furnish, prepare } from "./Purchase.ts"
import type { Random } from "./Random.ts"
import { type Outcome, quantile, type Run } from "./Scenario.ts"
import type { Server } from "./Server.ts"
import type { Product, Shop } from "./Shops.ts"

export interface NeighboursSize {
  /** Products of the hostile store. */
  readonly products: number
  /** Seconds alone, and as many beside the hostile callers. */
  readonly seconds: number
}

/** How much slower than alone a request may be, and how many milliseconds are fast enough in any case. */
const slower = 3
const quick = 50
const mostMemory = 800

interface Heard {
  readonly step: string
  readonly millis: number
  /** 0: no answer. */
  readonly status: number
}

const login = { email: "neighbour@example.com", password: "Corr3ct-Horse" }

interface Neighbour {
  readonly shop: Shop
  readonly port: number
  readonly products: ReadonlyArray<Product>
  readonly random: Random
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

const live = async (neighbour: Neighbour, seconds: number): Promise<ReadonlyArray<Heard>> => {
  const heard: Array<Heard> = []
  const end = performance.now() + seconds * 1_000
  for (let round = 0; performance.now() < end; round++) {
    await liveARound(neighbour, round, heard)
    await sleep(20)
  }
  return heard
}

/** The hostile store as large as its bounds allow; what is refused is refused. */
const fillHostileStore = async (shop: Shop, port: number): Promise<Pick<HostileOptions, "draftId" | "groupId">> => {
  const long = (length: number) => "Lorem ipsum dolor sit amet ".repeat(Math.ceil(length / 27)).slice(0, length)
  const group = await admin(shop, port, "POST", "/modifier-groups", {
    name: "Extras",
    selectionType: "MULTIPLE",
    modifiers: Array.from({ length: 50 }, (_, i) => ({ name: `Extra ${i}`, priceDelta: "1.00" }))
  })
  const draft = await admin(shop, port, "POST", "/products", { name: "Draft", basePrice: "1.00" })
  await eachOf(Array.from({ length: 60 }), 2, (_, i) =>
    admin(shop, port, "POST", "/products", {
      name: `AAA large ${i}`,
      status: "active",
      basePrice: "1.00",
      description: long(90_000),
      translations: { de: { description: long(90_000) } },
      modifierGroups: [{ groupId: group.body.id, position: 0 }]
    })
  )
  await eachOf(Array.from({ length: 300 }), 2, (_, i) =>
    admin(shop, port, "POST", "/brands", {
      name: `Brand of many words ${i}`,
      translations: { de: { description: long(60_000) } }
    })
  )
  return { draftId: String(draft.body.id), groupId: String(group.body.id) }
}

const startHostile = async (options: HostileOptions): Promise<ChildProcess> => {
  const child = fork(fileURLToPath(new URL("./hostileCaller.ts", import.meta.url)), [JSON.stringify(options)], {
    execArgv: ["--conditions=source"],
    stdio: ["ignore", "ignore", "inherit", "ipc"]
  })
  process.once("exit", () => child.kill("SIGKILL"))
  await once(child, "message")
  return child
}

type Met = Readonly<Record<string, Readonly<Record<string, number>>>>

const stopHostile = async (child: ChildProcess): Promise<Met> => {
  const last = setTimeout(() => child.kill("SIGKILL"), 60_000)
  const said = Promise.race([once(child, "message"), once(child, "exit").then(() => [{ met: {} }])])
  child.send("end")
  const [message] = (await said) as [{ readonly met: Met }]
  clearTimeout(last)
  return message.met
}

/** The largest of what a server held while `work` went on, in MB. */
const memoryDuring = async <A>(server: Server, work: Promise<A>): Promise<readonly [A, number]> => {
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

const millisOf = (heard: ReadonlyArray<Heard>): ReadonlyArray<number> => heard.map(({ millis }) => millis)
const p95Of = (heard: ReadonlyArray<Heard>): number => Math.round(quantile(millisOf(heard), 0.95))

const judge = (alone: ReadonlyArray<Heard>, beside: ReadonlyArray<Heard>, note: Run["note"]): ReadonlyArray<string> => {
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

export const proveNeighbours = async (
  { installation, random, note }: Run,
  { products, seconds }: NeighboursSize
): Promise<Outcome> => {
  const hostile = await installation.openShop()
  note(`a store of ${products} products`)
  await seedStore({ query: installation.query } as unknown as Client, hostile.storeId, "hostile", products)
  const shop = await installation.openShop()
  const goods = await installation.stock(shop, 200, 1_000_000)
  const [slot] = await installation.openSlots(1)
  if (slot === undefined) throw new Error("no slot")
  const server = await installation.start(slot)
  const { port } = slot
  await furnish(shop, port)
  const registered = await send(port, "POST", `/vc/${shop.channelId}/customers/register`, { body: login })
  if (registered.status !== 200) throw new Error(`the customer was not registered: ${registered.status}`)
  note("the hostile store is filled to its bounds")
  const filled = await fillHostileStore(hostile, port)
  const neighbour: Neighbour = { shop, port, products: goods, random }
  await live(neighbour, 2)

  note("the shop alone")
  const alone = await live(neighbour, seconds)
  note("and beside ten hostile callers")
  const { storeId: _, ...caller } = hostile
  const child = await startHostile({ port, ...caller, ...filled, seed: random.between(1, 1_000_000) })
  const [beside, memory] = await memoryDuring(server, live(neighbour, seconds))
  const met = await stopHostile(child)
  note(JSON.stringify(met))
  const ofHostile = Object.values(met).flatMap((counts) => Object.values(counts))

  return {
    counts: {
      hostileCallers: Object.keys(met).length,
      ofHostile: ofHostile.reduce((sum, count) => sum + count, 0),
      alone: alone.length,
      beside: beside.length,
      p95Alone: p95Of(alone),
      p95Beside: p95Of(beside),
      memoryMb: Math.round(memory)
    },
    latencies: millisOf(beside),
    violations: [
      ...judge(alone, beside, note),
      ...(memory <= mostMemory ? [] : [`${Math.round(memory)} MB of memory: more than ${mostMemory}`]),
      ...(server.isAlive() ? [] : ["the server has ended"]),
      ...(await auditBooks(installation, shop))
    ]
  }
}
