/**
 * Servers are killed at random moments while shoppers buy. Whatever was acknowledged is stored, nothing is stored
 * twice, and the books agree.
 */
import { join } from "node:path"
import { checkHistory, type Scene, settle } from "./aftermath.ts"
import { openClaims, paidByGiftCard } from "./books.ts"
import { openBusyShop } from "./busyShop.ts"
import { sleep, until } from "./Client.ts"
import { startShoppers } from "./clients.ts"
import { openJournal } from "./Journal.ts"
import { labelled, type Outcome, type Run } from "./Scenario.ts"

export interface CrashSize {
  readonly rounds: number
  readonly shoppers: number
}

const enough = 25
/**
 * A round's crash comes after so many completions at most, or so many milliseconds: moments differ, and so does the
 * speed of machines.
 */
const busiest = 40
const slowest = 4_000

export const proveServerCrash = async (
  { installation, random, note }: Run,
  { rounds, shoppers }: CrashSize
): Promise<Outcome> => {
  const { shop, products, slots, payments } = await openBusyShop(installation)
  const journal = openJournal(join(installation.folder, "crash.journal"))
  const scene: Scene = { installation, shop, slots, journal, payments, random }
  const violations: Array<string> = []
  const restarts: Array<number> = []
  const sums = { kills: 0, ok: 0, refused: 0, unknown: 0, locked: 0, charged503: 0 }

  for (let round = 1; round <= rounds && violations.length < enough; round++) {
    let completed = 0
    const see = (_: unknown, step: string) => void (completed += step === "complete" ? 1 : 0)
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
    // One, the other, or both at once.
    const victims = random.pick([[0], [1], [0, 1]]).flatMap((index) => slots[index] ?? [])
    await Promise.all(victims.map((slot) => slot.server?.kill()))
    sums.kills += victims.length
    await sleep(random.between(0, 200))
    await running.stop()
    await Promise.all(
      victims.map(async (slot) => {
        restarts.push((await installation.start(slot)).startMillis)
      })
    )
    const { entries, unknown, locked, charged503, violations: found } = await settle(scene, `r${round}-`)
    violations.push(...labelled(`round ${round}`, found))
    const of = (what: string) => entries.filter(({ known }) => known.what === what).length
    sums.ok += of("ok")
    sums.refused += of("fail")
    sums.unknown += unknown
    sums.locked += locked
    sums.charged503 += charged503
    note(
      `round ${round} of ${rounds}: ${of("ok")} orders, ` +
        `${of("fail")} refused, ` +
        `${unknown} of unknown end (${locked} locked)${found.length === 0 ? "" : `, ${found.length} VIOLATIONS`}`
    )
  }
  violations.push(...checkHistory(journal))
  journal.close()
  const [claims, byGiftCard] = [await openClaims(installation, shop), await paidByGiftCard(installation, shop)]
  return {
    counts: { rounds, shoppers, waysToPay: new Set(payments).size - 1, ...sums, byGiftCard, openClaims: claims },
    latencies: restarts,
    violations
  }
}
