/**
 * Whether the code runs inside a transaction that somebody else commits or rolls back (a host's, see
 * host/HostTransaction.ts). Data read there may never be committed, so caches are neither filled nor read, and workers
 * are not woken.
 */
import { Context, Fiber } from "effect"

export const JoinedTransaction = Context.Reference<boolean>("@effect-commerce/core/kernel/JoinedTransaction", {
  defaultValue: () => false
})

/** The same question for plain functions, asked of the fiber that calls. */
export const isJoined = (): boolean => Fiber.getCurrent()?.getRef(JoinedTransaction) ?? false
