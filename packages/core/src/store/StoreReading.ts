/**
 * Input that depends on the store's settings: amounts as text are read in the store's currency, as it is when the use
 * case reads its data.
 */
import { Effect } from "effect"
import type { StoreContext } from "./StoreContext.ts"
import type { FieldRejected } from "../kernel/FieldRejected.ts"

/** What is read already, or how it is read. */
export type AsRead<A extends object> = A | ((store: StoreContext) => Effect.Effect<A, FieldRejected>)

export const readBy = <A extends object>(store: StoreContext, asked: AsRead<A>): Effect.Effect<A, FieldRejected> =>
  typeof asked === "function" ? asked(store) : Effect.succeed(asked)
