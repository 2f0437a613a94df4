/** The work of `commerce catalog rebuild`: says how far it is, and may be ended and begun again at any time. */
import { ListingRepair } from "@effect-commerce/core/storefront/ListingRepair"
import { Effect } from "effect"
import { withExisting } from "./existingDatabase.ts"
import { note } from "./print.ts"
import { ProgressLine } from "./seed/ProgressLine.ts"
import type { Settings } from "./Settings.ts"

/** Tells how far the work is: a bar on a terminal, a line every ten thousand products elsewhere. */
export const progressOf = (say: (line: string) => void) => {
  let line: ProgressLine | undefined
  let told = 0
  return (done: number, all: number): void => {
    line ??= new ProgressLine(all, "products")
    line.to(done)
    if (process.stderr.isTTY || (done - told < 10_000 && done < all)) return
    told = done
    say(`${done} of ${all} products composed`)
  }
}

export const rebuildCatalog = (settings: Settings, { storeId }: { readonly storeId: string | undefined }) =>
  withExisting(
    settings,
    Effect.map(
      Effect.flatMap(ListingRepair, (stale) => stale.rebuild(storeId, progressOf(note))),
      (products) => ({ products })
    )
  )
