import { FaultPoint, type FaultPointName } from "@effect-commerce/core/database/FaultPoint"
import { Effect } from "effect"
import { defaultInFile } from "../../core/test/defaultInFile.ts"

/** Says what happens the next time a fault point is passed, once. Called at the top of a file of tests. */
export const faultsOnce = (): ((point: FaultPointName, happen: () => Promise<unknown>) => void) => {
  let next: { readonly point: FaultPointName; readonly happen: () => Promise<unknown> } | undefined
  defaultInFile(FaultPoint.Faults, (name) =>
    Effect.suspend(() => {
      if (name !== next?.point) return Effect.void
      const { happen } = next
      next = undefined
      return Effect.promise(happen)
    })
  )
  return (point, happen) => {
    next = { point, happen }
  }
}
