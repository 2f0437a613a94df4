import { FaultPoint, type FaultPointName } from "@effect-commerce/core/database/FaultPoint"
import { Effect } from "effect"
import { afterEach } from "vitest"
import { defaultInFile } from "../../core/test/defaultInFile.ts"

/**
 * Says what happens when a fault point is passed next in the same test, once. Called at the top of a file, before the
 * hook that opens an instance.
 */
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
  afterEach(() => {
    next = undefined
  })
  return (point, happen) => {
    next = { point, happen }
  }
}
