/**
 * One request under one Idempotency-Key from many clients at once, through two processes: it is carried out once, and
 * every client gets the same response.
 */
import { type Answer, eachOf, send, sleep } from "./Client.ts"
import { auditBooks } from "./books.ts"
import type { Shop } from "./Shops.ts"
import { complete, furnish, prepare } from "./Purchase.ts"
import { labelled, type Outcome, type Run } from "./Scenario.ts"

export interface KeyStormSize {
  readonly senders: number
  readonly rounds: number
}

const isInFlight = ({ status, body, headers }: Answer): boolean =>
  status === 409 && body?.code === "CONFLICT" && headers["retry-after"] !== undefined

interface Storm {
  readonly executed: number
  readonly inFlight: number
  readonly latencies: ReadonlyArray<number>
  readonly violations: ReadonlyArray<string>
}

/** Sends it so many times at once, and those that met it under way once more when it is over. */
const storm = async (senders: number, status: number, ask: (sender: number) => Promise<Answer>): Promise<Storm> => {
  const first = await Promise.all(Array.from({ length: senders }, (_, sender) => ask(sender)))
  const latencies = first.map((answer) => answer.millis)
  const inFlight = first.filter(isInFlight).length
  const settled = await eachOf(first, senders, async (answer, sender) => {
    let last = answer
    for (let i = 0; i < 100 && isInFlight(last); i++) {
      await sleep(20)
      last = await ask(sender)
    }
    return last
  })
  const statuses = new Set(settled.map((answer) => answer.status))
  const bodies = new Set(settled.map((answer) => answer.bytes.toString("base64")))
  const executed = settled.filter((answer) => answer.headers["idempotency-replayed"] === undefined).length
  return {
    executed,
    inFlight,
    latencies,
    violations: [
      ...(statuses.size === 1 && statuses.has(status)
        ? []
        : [`statuses ${[...statuses].join(", ")}, must be ${status}`]),
      ...(bodies.size === 1 ? [] : [`${bodies.size} different bodies`]),
      ...(executed === 1 ? [] : [`${executed} answers were no replay`])
    ]
  }
}

export const proveKeyStorm = async (run: Run, { senders, rounds }: KeyStormSize): Promise<Outcome> => {
  const { installation, note } = run
  const shop = await installation.openShop()
  const products = await installation.stock(shop, 1, rounds + 5)
  const slots = await installation.openSlots(2)
  await Promise.all(slots.map((slot) => installation.start(slot)))
  const portOf = (sender: number): number => slots[sender % slots.length]?.port ?? 0
  await furnish(shop, portOf(0))
  const count = async (table: "orders" | "tax_rate") =>
    Number(
      (await installation.query(`SELECT count(*)::int AS n FROM ${table} WHERE store_id = $1`, [shop.storeId]))[0]?.[
        "n"
      ]
    )

  const violations: Array<string> = []
  const latencies: Array<number> = []
  let inFlight = 0
  for (let round = 0; round < rounds; round++) {
    const ready = await prepare(shop, () => portOf(round), [{ productId: products[0]?.id ?? "", quantity: 1 }])
    const bought = await storm(senders, 200, (sender) =>
      complete(shop, portOf(sender), ready.checkoutId, `storm-${round}`)
    )
    const rates = await count("tax_rate")
    const created = await storm(senders, 201, (sender) => createRate(shop, portOf(sender), round))
    const made = (await count("tax_rate")) - rates
    violations.push(
      ...labelled(`round ${round}, order`, bought.violations),
      ...labelled(`round ${round}, tax rate`, created.violations)
    )
    if (made !== 1) violations.push(`round ${round}: ${made} tax rates were made`)
    latencies.push(...bought.latencies, ...created.latencies)
    inFlight += bought.inFlight + created.inFlight
    note(`round ${round + 1} of ${rounds}`)
  }
  const orders = await count("orders")
  if (orders !== rounds) violations.push(`${orders} orders, must be ${rounds}`)
  return {
    counts: { rounds, senders, requests: rounds * 2 * senders, orders, metUnderWay: inFlight },
    latencies,
    violations: [...violations, ...(await auditBooks(installation, shop))]
  }
}

const createRate = (shop: Shop, port: number, round: number): Promise<Answer> =>
  send(port, "POST", "/v1/tax/rates", {
    headers: { authorization: `Bearer ${shop.apiKey}`, "idempotency-key": `rate-${round}` },
    body: { name: `Storm ${round}`, country: "DE", rate: 19 }
  })
