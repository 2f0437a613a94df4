/**
 * A kit of three components and the components by themselves, bought at once through two processes. Meanwhile one
 * request after another reads how many of the kit and of its components are available, and compares them.
 */
import { auditBooks, auditJournal } from "./books.ts"
import { type Answer, eachOf, NoAnswer, send } from "./Client.ts"
import { knownOf } from "./clients.ts"
import { checkCounter, checkUnique } from "./History.ts"
import { historyOf, openJournal } from "./Journal.ts"
import { admin, complete, furnish, type Line, prepare } from "./Purchase.ts"
import type { Random } from "./Random.ts"
import type { Outcome, Run } from "./Scenario.ts"
import type { Shop } from "./Shops.ts"
import { join } from "node:path"

export interface KitSize {
  readonly buyers: number
  /** Units of each component in stock. */
  readonly units: readonly [number, number, number]
}

/** Units of each component in one kit. */
const parts = [3, 2, 1] as const
const preparedAtOnce = 24

interface Kit {
  readonly id: string
  readonly components: ReadonlyArray<string>
}

const makeKit = async (shop: Shop, port: number, components: ReadonlyArray<string>): Promise<Kit> => {
  const made = await admin(shop, port, "POST", "/products", {
    name: "Kit",
    type: "KIT",
    status: "active",
    basePrice: "30.00",
    kitComponents: components.map((productId, i) => ({ productId, quantity: parts[i] ?? 1 }))
  })
  if (made.status !== 201) throw new Error(`the kit was answered with ${made.status}: ${made.bytes.toString("utf8")}`)
  return { id: String(made.body.id), components }
}

/** Units of each component that the lines take. */
const unitsOf = ({ id, components }: Kit, lines: ReadonlyArray<Line>): ReadonlyMap<string, number> =>
  new Map(
    components.map((component, i) => [
      component,
      lines.reduce((sum, { productId, quantity }) => {
        if (productId === id) return sum + quantity * (parts[i] ?? 1)
        return productId === component ? sum + quantity : sum
      }, 0)
    ])
  )

/** A component, a kit, or both. */
const drawLines = (random: Random, { id, components }: Kit): ReadonlyArray<Line> => {
  const single = { productId: random.pick(components), quantity: random.between(1, 3) }
  const kits = { productId: id, quantity: random.between(1, 2) }
  return random.pick([[kits], [single], [single, kits]])
}

/** What one answer says of the kit beside its components: undefined where it agrees with itself. */
const disagreement = ({ id, components }: Kit, { body }: Answer): string | undefined => {
  const entries: ReadonlyArray<{ productId: string; inventory: { available: number } }> = body?.inventory ?? []
  const free = (of: string) => entries.find(({ productId }) => productId === of)?.inventory.available ?? Number.NaN
  const made = Math.min(...components.map((component, i) => Math.floor(free(component) / (parts[i] ?? 1))))
  return free(id) === made ? undefined : `${free(id)} kits are told of as free where the components make ${made}`
}

export const proveKits = async ({ installation, note, random }: Run, { buyers, units }: KitSize): Promise<Outcome> => {
  const shop = await installation.openShop()
  const stocked: Array<string> = []
  for (const total of units) stocked.push(...(await installation.stock(shop, 1, total)).map((product) => product.id))
  const slots = await installation.openSlots(2)
  await Promise.all(slots.map((slot) => installation.start(slot)))
  const portOf = (buyer: number): number => slots[buyer % slots.length]?.port ?? 0
  await furnish(shop, portOf(0))
  const kit = await makeKit(shop, portOf(0), stocked)
  note(`${buyers} buyers fill their carts with kits and components`)
  const ready = await eachOf(
    Array.from({ length: buyers }, () => drawLines(random, kit)),
    preparedAtOnce,
    (lines, buyer) => prepare(shop, () => portOf(buyer), lines)
  )

  note("and buy, all at once")
  const journal = openJournal(join(installation.folder, "kits.journal"))
  let buying = true
  const sampled: Array<string> = []
  let samples = 0
  const asked = [kit.id, ...kit.components].join(",")
  const sample = async (port: number): Promise<void> => {
    while (buying) {
      const wrong = disagreement(kit, await send(port, "GET", `/vc/${shop.channelId}/inventory?productIds=${asked}`))
      samples += 1
      if (wrong !== undefined) sampled.push(wrong)
    }
  }
  const sampling = Promise.all(slots.map(({ port }) => sample(port)))
  const began = performance.now()
  const answers = await Promise.all(
    ready.map(async ({ checkoutId, lines }, buyer) => {
      const key = `buyer-${buyer}`
      journal.intend({ checkoutId, key, lines })
      const answer = await complete(shop, portOf(buyer), checkoutId, key).catch((error: unknown) => {
        if (error instanceof NoAnswer) return undefined
        throw error
      })
      if (answer !== undefined) journal.hear(key, knownOf(answer))
      return answer
    })
  )
  const seconds = (performance.now() - began) / 1_000
  buying = false
  await sampling
  const entries = journal.read()
  journal.close()

  const sold = ready.filter((_, i) => answers[i]?.status === 200)
  const refused = ready.filter((_, i) => answers[i]?.status === 400 && answers[i]?.body?.code === "INSUFFICIENT_STOCK")
  const rows = await installation.query("SELECT key, total, reserved FROM stock WHERE store_id = $1", [shop.storeId])
  const left = new Map(rows.map((row) => [String(row["key"]), Number(row["total"])]))
  const gone = new Map(kit.components.map((component) => [component, 0]))
  for (const { lines } of sold)
    for (const [component, taken] of unitsOf(kit, lines)) gone.set(component, (gone.get(component) ?? 0) + taken)
  const wrongStock = kit.components.flatMap((component, i) => {
    const must = (units[i] ?? 0) - (gone.get(component) ?? 0)
    return left.get(component) === must && must >= 0
      ? []
      : [`${left.get(component)} of ${component} are left, must be ${must}`]
  })
  const needless = refused.filter(({ lines }) =>
    [...unitsOf(kit, lines)].every(([component, needed]) => needed <= (left.get(component) ?? 0))
  )
  const history = entries.flatMap((entry) =>
    historyOf([entry]).map((operation) => ({ ...operation, units: unitsOf(kit, entry.lines) }))
  )
  return {
    counts: {
      buyers,
      sold: sold.length,
      refused: refused.length,
      samples,
      seconds: Math.round(seconds * 10) / 10
    },
    latencies: answers.flatMap((answer) => (answer === undefined ? [] : [answer.millis])),
    violations: [
      ...(sold.length + refused.length === buyers
        ? []
        : [`${buyers - sold.length - refused.length} buyers were neither sold to nor refused for want of stock`]),
      ...(sold.length === 0 || refused.length === 0
        ? ["nothing was sold, or nobody was refused: a race of nothing"]
        : []),
      ...needless.map(({ checkoutId }) => `${checkoutId} was refused what is there`),
      ...wrongStock,
      ...sampled,
      ...checkCounter(history, new Map(kit.components.map((component, i) => [component, units[i] ?? 0]))),
      ...checkUnique(history),
      ...(await auditBooks(installation, shop)),
      ...(await auditJournal(installation, shop, entries))
    ]
  }
}
