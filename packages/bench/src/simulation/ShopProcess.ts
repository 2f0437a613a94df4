/**
 * One process of the shop: every service of core over a way of its own to the database. It ends at a fault point as a
 * process that is killed does: its sessions are lost, and nothing of it reaches the database or a company any more.
 */
import { FurtherOutcomeHandlers } from "@effect-commerce/core/charge/OutcomeHandlers"
import { coreLayer, type CoreServices } from "@effect-commerce/core/CommerceCore"
import type { ConnectionOptions } from "@effect-commerce/core/database/ConnectionOptions"
import { FaultPoint, type FaultPointName } from "@effect-commerce/core/database/FaultPoint"
import type { PaymentProvider } from "@effect-commerce/core/payment/PaymentProvider"
import { testSecret } from "@effect-commerce/core/testing/TestDatabase"
import { Cause, Clock, Context, Effect, Exit, Layer, Logger, Random as EffectRandom, Scope } from "effect"
import { SqlError } from "effect/sql"
import type { Random } from "../proof/Random.ts"
import { openDatabaseGate } from "./DatabaseGate.ts"
import { orderChanges } from "./OrderChanges.ts"
import type { SimulatedTime } from "./SimulatedTime.ts"

export interface ShopProcess {
  readonly name: string
  readonly isOld: boolean
  readonly isAlive: () => boolean
  /** Whether the database still owes it an answer. */
  readonly isBusy: () => boolean
  readonly activity: () => number
  /** Runs an effect with core's services; `done` hears how it ended, unless the process has ended before. */
  readonly run: <A, E>(work: Effect.Effect<A, E, CoreServices>, done: (exit: Exit.Exit<A, E>) => void) => void
  readonly kill: () => void
  /** Lets go of what a killed process has left in this one. */
  readonly close: () => Promise<void>
}

export interface ProcessOptions {
  readonly name: string
  /** Of the release before: it has no room for changes of orders, and cannot read the newest notices. */
  readonly isOld: boolean
  readonly connection: ConnectionOptions
  readonly time: SimulatedTime
  readonly random: Random
  readonly providers: (isAlive: () => boolean, newestNotice: number) => ReadonlyArray<PaymentProvider>
  /** What happens at a fault point: nothing, an error of our own, or the end of the process. */
  readonly faultAt: (process: ShopProcess, name: FaultPointName) => "nothing" | "throw" | "kill"
  readonly note: (line: string) => void
  /** Something has gone to the database, or come from it. */
  readonly wake: () => void
}

export const startProcess = async (options: ProcessOptions): Promise<ShopProcess> => {
  const { name, isOld, connection, time, random, providers, faultAt, note, wake } = options
  const gate = await openDatabaseGate(connection, wake)
  const scope = await Effect.runPromise(Scope.make())
  let alive = true
  const isAlive = () => alive
  const layer = coreLayer({
    connection: gate.connection,
    secret: testSecret,
    // A process that is killed is replaced, and each of its sessions plans its statements anew.
    maxConnections: 3,
    payments: { providers: providers(isAlive, isOld ? 1 : 2) }
  }).pipe(
    Layer.provide(Layer.succeed(FurtherOutcomeHandlers, isOld ? [] : [orderChanges])),
    Layer.provideMerge(
      Logger.layer([
        Logger.make(({ message, cause }) => alive && note(`${name} logs ${String(message)} ${wordsOf(cause)}`))
      ])
    )
  )
  const services = await Effect.runPromise(Scope.provide(Layer.build(layer), scope))
  const faults = (point: FaultPointName): Effect.Effect<void> =>
    Effect.suspend(() => {
      const happens = alive ? faultAt(process, point) : "nothing"
      if (happens === "nothing") return Effect.void
      note(`${name}: ${happens} at ${point}`)
      if (happens === "throw") return Effect.die(new PlantedFault(point))
      process.kill()
      return Effect.never
    })
  const context = services.pipe(
    Context.add(Clock.Clock, time.clock),
    Context.add(FaultPoint.Faults, faults),
    Context.add(EffectRandom.Random, {
      nextIntUnsafe: () => random.between(0, 2 ** 31 - 1),
      nextDoubleUnsafe: random.next
    })
  )
  const process: ShopProcess = {
    name,
    isOld,
    isAlive,
    isBusy: () => alive && gate.isBusy(),
    activity: gate.activity,
    run: (work, done) => {
      const fiber = Effect.runForkWith(context)(work)
      fiber.addObserver((exit) => {
        if (alive) done(exit)
      })
    },
    kill: () => {
      if (!alive) return
      alive = false
      gate.cut()
    },
    close: () => {
      process.kill()
      return Effect.runPromise(Effect.ignoreCause(Scope.close(scope, Exit.void)))
    }
  }
  return process
}

/** What a cause says in its first line. */
const wordsOf = (cause: Cause.Cause<unknown>): string => {
  if (cause.reasons.length === 0) return ""
  const failure = Cause.squash(cause)
  const why: unknown = SqlError.isSqlError(failure) ? failure.reason.cause : failure
  return String(why).split("\n")[0] ?? ""
}

/** An error of our own, planted at a fault point. */
export class PlantedFault extends Error {}
