/**
 * `commerce serve` with fault points that work: the same command, in a process that can be told, by message, what is to
 * happen at a point. The points are read by the requests' own fibers, to which nothing outside can provide; so it is
 * their default that is put in place, in this process alone.
 */
import { FaultPoint, type FaultPointName } from "@effect-commerce/core/database/FaultPoint"
import { Effect } from "effect"
import { metBy } from "./metBy.ts"
import type { Fault } from "./Server.ts"

let armed: Fault | undefined

/** The parent, who holds the database, ends the connections and says when it has. */
const connectionsDropped = (): Promise<void> =>
  new Promise((done) => {
    process.once("message", () => done())
    process.send?.({ drop: true })
  })

const tell = (message: object): void => void process.send?.(message)

const happen = (fault: Fault): Effect.Effect<void> => {
  if (fault.kind === "throw") return Effect.die(new Error(`a fault was planted at ${fault.point}`))
  if (fault.kind === "drop") return Effect.promise(connectionsDropped)
  if (fault.kind === "freeze") return Effect.sync(() => void process.kill(process.pid, "SIGSTOP"))
  return Effect.promise(
    () =>
      new Promise<never>(() => {
        process.kill(process.pid, "SIGKILL")
      })
  )
}

const faults = (name: FaultPointName): Effect.Effect<void> =>
  Effect.flatMap(metBy, (who) => {
    tell({ passed: name })
    const fault = armed
    if (fault === undefined || fault.point !== name) return Effect.void
    armed = undefined
    tell({ fired: who })
    return happen(fault)
  })

Object.assign(FaultPoint.Faults, { defaultValue: () => faults })

process.on("message", (message: Partial<Fault>) => {
  if (message.point === undefined || message.kind === undefined) return
  armed = { point: message.point, kind: message.kind }
  tell({ armed: true })
})

await import("../../../cli/src/main.ts")
