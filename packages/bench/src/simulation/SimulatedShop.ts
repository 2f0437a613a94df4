/**
 * A database with two processes of the shop over it, one time and the companies of the history that runs. Histories run
 * in it one after another, each in a store of its own. Between two steps everything that can move has moved: no session
 * waits for the database and no fiber has anything to do before the time moves on.
 */
import { PaymentNotices } from "@effect-commerce/core/notice/PaymentNotices"
import { PaymentRecovery } from "@effect-commerce/core/charge/PaymentRecovery"
import { type ConnectionOptions, nodePostgresConfig } from "@effect-commerce/core/database/ConnectionOptions"
import type { FaultPointName } from "@effect-commerce/core/database/FaultPoint"
import { Reservations } from "@effect-commerce/core/inventory/Reservations"
import type { PaymentProvider } from "@effect-commerce/core/payment/PaymentProvider"
import { Client } from "pg"
import type { Random } from "../proof/Random.ts"
import type { Company } from "./Company.ts"
import { companyKinds } from "./CompanyKinds.ts"
import { type ShopProcess, startProcess } from "./ShopProcess.ts"
import { makeSimulatedTime, type SimulatedTime } from "./SimulatedTime.ts"

/** What a history gives to the shop that it runs in. */
export interface Running {
  readonly random: Random
  readonly note: (line: string) => void
  readonly companies: ReadonlyMap<string, Company>
  readonly faultAt: (process: ShopProcess, name: FaultPointName) => "nothing" | "throw" | "kill"
}

/** Turns of the event loop in which nothing has happened: then nothing will. */
const stillTurns = 5
const longestWait = 20_000

export interface SimulatedShop {
  readonly time: SimulatedTime
  /** Runs as the superuser. */
  readonly query: (sql: string, params: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Record<string, unknown>>>
  readonly begin: (running: Running) => void
  /** The processes that are alive; the first of them is of the older release where `isOldBeside` was asked for. */
  readonly alive: () => ReadonlyArray<ShopProcess>
  /** Starts what is not running. `isOld`: the first process is to be of the release before. */
  readonly startAll: (isOld: boolean) => Promise<void>
  /** Waits until nothing moves any more. */
  readonly settle: () => Promise<void>
  /** Lets time pass, and everything that happens meanwhile. */
  readonly pass: (millis: number) => Promise<void>
  /** Starts the passes of a process's workers. */
  readonly work: (process: ShopProcess) => void
  readonly close: () => Promise<void>
}

export const openSimulatedShop = async (connection: ConnectionOptions): Promise<SimulatedShop> => {
  const time = makeSimulatedTime(Date.now())
  const client = new Client(nodePostgresConfig(connection))
  await client.connect()
  const processes: Array<ShopProcess | undefined> = [undefined, undefined]
  const closing: Array<Promise<void>> = []
  let running: Running | undefined
  let started = 0
  let wake: (() => void) | undefined

  const current = (): Running => {
    if (running === undefined) throw new Error("no history runs")
    return running
  }
  const alive = () =>
    processes.filter((process) => process?.isAlive() === true).map((process) => process as ShopProcess)

  /** A provider asks the company of the history that runs when it is called. */
  const providers = (isAlive: () => boolean, newestNotice: number): ReadonlyArray<PaymentProvider> =>
    companyKinds.map((kind): PaymentProvider => {
      const adapter = (): Omit<PaymentProvider, "code"> => {
        const company = current().companies.get(kind.code)
        if (company === undefined) throw new Error(`no company ${kind.code}`)
        return company.adapter(isAlive, newestNotice)
      }
      return {
        code: kind.code,
        name: kind.code,
        kind: kind.kind,
        modes: ["test", "live"],
        credentialFields: {},
        keyLifetime: kind.keyLifetime,
        settling: kind.settling,
        notices: kind.notices,
        check: (credentials) => adapter().check(credentials),
        authorize: (request) => adapter().authorize(request),
        capture: (change) => adapter().capture(change),
        void: (change) => adapter().void(change),
        refund: (change) => adapter().refund(change),
        lookup: (account, name) => adapter().lookup(account, name),
        lookupChange: (change, what) => adapter().lookupChange(change, what),
        verifyNotice: (account, raw) => adapter().verifyNotice(account, raw),
        readNotice: (account, body) => adapter().readNotice(account, body)
      }
    })

  const start = (isOld: boolean): Promise<ShopProcess> =>
    startProcess({
      name: `process ${++started}${isOld ? " (old)" : ""}`,
      isOld,
      connection,
      time,
      random: {
        ...current().random,
        next: () => current().random.next(),
        between: (a, b) => current().random.between(a, b)
      },
      providers,
      faultAt: (process, name) => current().faultAt(process, name),
      note: (line) => current().note(line),
      wake: () => wake?.()
    })

  /** Until the database answers something, at most a moment. */
  const moved = (): Promise<void> =>
    new Promise((done) => {
      const timer = setTimeout(() => wake?.(), 50)
      wake = () => {
        clearTimeout(timer)
        wake = undefined
        done()
      }
    })

  const settle = async (): Promise<void> => {
    const from = performance.now()
    let before = -1
    let still = 0
    while (still < stillTurns) {
      const running = alive()
      const isBusy = running.some((process) => process.isBusy())
      await (isBusy ? moved() : new Promise<void>((done) => setImmediate(done)))
      const activity = running.reduce((sum, process) => sum + process.activity(), time.activity())
      if (isBusy || activity !== before) {
        still = 0
        before = activity
        if (performance.now() - from > longestWait) throw new Error("the simulated shop does not come to rest")
      } else still += 1
    }
  }

  return {
    time,
    query: async (sql, params) => (await client.query(sql, [...params])).rows,
    begin: (next) => {
      running = next
    },
    alive,
    startAll: async (isOld) => {
      for (const place of [0, 1]) {
        const there = processes[place]
        const shouldBeOld = isOld && place === 0
        if (there?.isAlive() === true && there.isOld === shouldBeOld) continue
        if (there !== undefined) closing.push(there.close())
        processes[place] = await start(shouldBeOld)
      }
      await settle()
    },
    settle,
    pass: async (millis) => {
      const until = time.now() + millis
      while (time.step(until)) await settle()
    },
    work: (process) => {
      const tell = () => undefined
      process.run(
        PaymentNotices.use((notices) => notices.pass),
        tell
      )
      process.run(
        PaymentRecovery.use((recovery) => recovery.pass),
        tell
      )
      process.run(
        Reservations.use((reservations) => reservations.releaseExpired),
        tell
      )
    },
    close: async () => {
      for (const process of processes) if (process !== undefined) closing.push(process.close())
      await Promise.race([Promise.all(closing), new Promise((done) => setTimeout(done, 5_000))])
      await client.end()
    }
  }
}
