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
import { eachOf } from "./Client.ts"
import type { HostileOptions } from "./hostileCaller.ts"
import { admin } from "./Purchase.ts"
import type { Outcome, Run } from "./Scenario.ts"
import { judge, live, memoryDuring, millisOf, type Neighbour, openFor, p95Of } from "./shopDay.ts"
import type { Shop } from "./Shops.ts"

export interface NeighboursSize {
  /** Products of the hostile store. */
  readonly products: number
  /** Seconds alone, and as many beside the hostile callers. */
  readonly seconds: number
}

const mostMemory = 800

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
  const neighbour: Neighbour = { shop, port, products: goods, random }
  await openFor(neighbour)
  note("the hostile store is filled to its bounds")
  const filled = await fillHostileStore(hostile, port)
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
