/** The work of `commerce catalog rebuild`: shows its progress, and can be interrupted and started again at any time. */
import { ListingRepair } from "@effect-commerce/core/storefront/ListingRepair"
import { Effect } from "effect"
import { withExisting } from "./existingDatabase.ts"
import { note } from "./print.ts"
import { ProgressLine } from "./seed/ProgressLine.ts"
import type { Settings } from "./Settings.ts"

/** Shows the progress: a bar on a terminal, elsewhere a line every ten thousand products. */
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
