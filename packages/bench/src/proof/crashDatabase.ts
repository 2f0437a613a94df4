/**
 * The database is killed while the servers go on running and start it again. While it is away they answer 503, except
 * for a payment that may have been made, and no other error; soon after it takes connections again they serve as
 * before; the books agree.
 */
import { join } from "node:path"
import { Client } from "pg"
import { nodePostgresConfig } from "@effect-commerce/core/database/ConnectionOptions"
import { checkHistory, type Scene, settle } from "./aftermath.ts"
import { openBusyShop } from "./busyShop.ts"
import { type Answer, NoAnswer, send, sleep, until } from "./Client.ts"
import { startShoppers } from "./clients.ts"
import type { Installation } from "./Installation.ts"
import { openJournal } from "./Journal.ts"
import { fillCart } from "./Purchase.ts"
import { labelled, type Outcome, type Run } from "./Scenario.ts"

export interface DatabaseCrashSize {
  readonly rounds: number
  readonly shoppers: number
}

const busiest = 20
const slowest = 4_000
/** Milliseconds from the first connection to the first write that is served. */
const recoveryBound = 5_000
const startBound = 20_000

const envelopeKeys = ["code", "message", "path", "statusCode", "timestamp"]
const unavailableCodes = new Set(["SERVICE_TEMPORARILY_UNAVAILABLE", "IDEMPOTENCY_LOCK_UNAVAILABLE"])

/** What is wrong with a response, if anything: the servers are never killed, so there must be one. */
const judgeAnswer = (answer: Answer | NoAnswer, step: string): string | undefined => {
  if (answer instanceof NoAnswer) return `no answer (${answer.code})`
  const { status, body } = answer
  if (status < 500) return undefined
  const keys = Object.keys(body ?? {}).sort()
  const isEnvelope = envelopeKeys.every((key) => keys.includes(key)) && body.statusCode === status
  if (status === 503 && isEnvelope && unavailableCodes.has(body.code)) return undefined
  // The provider was called and the result could not be stored: this must not be 503, and a retry must follow.
  const isLost =
    step === "complete" && body?.code === "PAYMENT_PROCESSING_ERROR" && answer.headers["retry-after"] !== undefined
  if (status === 500 && isEnvelope && isLost) return undefined
  return `${step}: ${status} ${answer.bytes.toString("utf8").slice(0, 200)}`
}

const takesConnections = async ({ connection }: Installation): Promise<boolean> => {
  const client = new Client({ ...nodePostgresConfig(connection), application_name: "proof" })
  client.on("error", () => undefined)
  try {
    await client.connect()
    await client.query("SELECT 1")
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

export const proveDatabaseCrash = async (
  { installation, random, note }: Run,
  { rounds, shoppers }: DatabaseCrashSize
): Promise<Outcome> => {
  const { shop, products, slots, payments } = await openBusyShop(installation)
  // From here on only the servers keep the database: nobody else starts it again.
  await installation.letGo()
  const journal = openJournal(join(installation.folder, "database.journal"))
  const scene: Scene = { installation, shop, slots, journal, payments, random }
  const violations: Array<string> = []
  const recoveries: Array<number> = []
  const sums = {
    ok: 0,
    refused: 0,
    unknown: 0,
    locked: 0,
    charged503: 0,
    unavailable: 0,
    longestOutage: 0,
    longestAnswer: 0
  }

  const serves = async (port: number): Promise<boolean> =>
    fillCart(shop, () => port, [{ productId: products[0]?.id ?? "", quantity: 1 }]).then(
      () => true,
      () => false
    )

  for (let round = 1; round <= rounds && violations.length < 25; round++) {
    let completed = 0
    const wrong = new Map<string, number>()
    const see = (answer: Answer | NoAnswer, step: string) => {
      completed += step === "complete" ? 1 : 0
      if (!(answer instanceof NoAnswer)) sums.longestAnswer = Math.max(sums.longestAnswer, Math.round(answer.millis))
      if (!(answer instanceof NoAnswer) && answer.status === 503) sums.unavailable += 1
      const fault = judgeAnswer(answer, step)
      if (fault !== undefined) wrong.set(fault, (wrong.get(fault) ?? 0) + 1)
    }
    const running = startShoppers({
      shop,
      slots,
      products,
      journal,
      round,
      random: random.branch(round),
      shoppers,
      payments,
      see
    })
    const wanted = random.between(1, busiest)
    await until(slowest, async () => completed >= wanted)
    await sleep(random.between(0, 100))
    const killed = performance.now()
    process.kill(installation.postmaster(), "SIGKILL")
    await sleep(50)
    const back = await until(startBound, () => takesConnections(installation))
    const accepts = performance.now()
    sums.longestOutage = Math.max(sums.longestOutage, Math.round(accepts - killed))
    if (!back) {
      violations.push(`round ${round}: the database was not started again within ${startBound / 1_000} s`)
      break
    }
    await Promise.all(
      slots.map(async (slot, index) => {
        const served = await until(recoveryBound, () => serves(slot.port))
        recoveries.push(performance.now() - accepts)
        if (!served)
          violations.push(
            `round ${round}: server ${index} did not serve within ${recoveryBound / 1_000} s of the database`
          )
        if (slot.server?.isAlive() !== true) violations.push(`round ${round}: server ${index} ended`)
      })
    )
    await sleep(random.between(100, 400))
    await running.stop()
    violations.push(
      ...labelled(
        `round ${round}`,
        [...wrong].map(([fault, times]) => `${times} x ${fault}`)
      )
    )
    const { entries, unknown, locked, charged503, violations: found } = await settle(scene, `r${round}-`)
    violations.push(...labelled(`round ${round}`, found))
    const of = (what: string) => entries.filter(({ known }) => known.what === what).length
    sums.ok += of("ok")
    sums.refused += of("fail")
    sums.unknown += unknown
    sums.locked += locked
    sums.charged503 += charged503
    const times =
      `away ${Math.round(accepts - killed)} ms, served ` + `${Math.round(Math.max(...recoveries.slice(-2)))} ms later`
    note(
      `round ${round} of ${rounds}: ${times}; ${of("ok")} orders, ` +
        `${of("fail")} refused, ${unknown} of unknown end${found.length + wrong.size === 0 ? "" : ", VIOLATIONS"}`
    )
  }
  violations.push(...checkHistory(journal))
  journal.close()
  const ready = await send(slots[0]?.port ?? 0, "GET", "/health/ready")
  if (ready.status !== 200) violations.push(`not ready in the end: ${ready.status}`)
  return {
    counts: { rounds, shoppers, waysToPay: new Set(payments).size - 1, ...sums },
    latencies: recoveries,
    violations
  }
}
