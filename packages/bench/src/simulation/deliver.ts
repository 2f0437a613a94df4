/** The way of notices from a company to the shop: they get lost, late, doubled and batched, and overtake each other. */
import { PaymentNotices } from "@effect-commerce/core/notice/PaymentNotices"
import type { Notice } from "./Company.ts"
import type { CompanyKind } from "./CompanyKinds.ts"
import { noticeOf, strangersCharge } from "./CompanyNotice.ts"
import type { HistoryWorld } from "./openStore.ts"

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]
/** How often a company tries to send a notice that was not taken in: that is given up after some hours, or never. */
const mostTries = 4
const surely = 1_000

export const deliver = (world: HistoryWorld, kind: CompanyKind, notice: Notice): void => {
  const { random, shop } = world
  const { time } = shop
  if (!notice.isSure && random.chance(world.isCalm ? 0.1 : 0.25)) return world.count("notices lost")
  const copies = random.chance(0.15) ? 2 : 1
  // A batch names other charges too, some of which are none of this shop's.
  const others = [...world.companies.values()].find((company) => company.kind.code === kind.code)?.books.charges() ?? []
  const more = random.chance(0.15)
    ? [random.chance(0.3) ? strangersCharge : (others.at(-1)?.id ?? strangersCharge)]
    : []
  const version = world.isOldBeside && random.chance(0.3) ? 2 : 1
  const raw = noticeOf(kind, { event: `evt_${world.eventIds()}`, version, ids: [...notice.ids, ...more] })
  const most = notice.isSure ? surely : mostTries
  const send = (attempt: number): void => {
    if (world.isOver) return
    let isTaken = false
    const again = () => {
      if (!isTaken && attempt < most)
        time.at(time.now() + minute * Math.min(240, 4 ** attempt), () => send(attempt + 1))
    }
    const alive = shop.alive()
    if (alive.length === 0) return again()
    const process = random.pick(alive)
    world.note(`a notice of ${raw.note} arrives at ${process.name}`)
    process.run(
      PaymentNotices.use((notices) => notices.receive(kind.code, raw)),
      (exit) => {
        isTaken = exit._tag === "Success"
      }
    )
    // Nothing is heard of a process that ends.
    time.at(time.now() + 10 * second, again)
  }
  for (let copy = 0; copy < copies; copy++) {
    const dice = random.next()
    const wait =
      dice < 0.5
        ? random.between(1, second)
        : dice < 0.8
          ? random.between(second, minute)
          : dice < 0.95
            ? random.between(minute, 2 * hour)
            : random.between(hour, 2 * day)
    time.at(time.now() + wait, () => send(0))
  }
}
