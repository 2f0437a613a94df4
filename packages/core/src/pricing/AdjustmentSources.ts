/**
 * The one list of what changes totals. A kind of discount, a surcharge or a tender is added by its room: the room
 * exports an AdjustmentSource, and this list names it. Sources of one part are evaluated in the order of the list.
 */
import { Context, type Effect } from "effect"
import type { AdjustmentSource } from "./AdjustmentSource.ts"

/** The services that the listed sources are built from. */
export type SourceServices = never

const listed: ReadonlyArray<Effect.Effect<AdjustmentSource, never, SourceServices>> = []

/** Read once, when the service Quotes is built. */
export const AdjustmentSources: Context.Reference<typeof listed> = Context.Reference(
  "@effect-commerce/core/pricing/AdjustmentSources",
  { defaultValue: () => listed }
)
