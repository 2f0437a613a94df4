/**
 * Whether the code runs inside a transaction that a host commits or rolls back (host/HostTransaction.ts). Data read
 * there may never be committed, so caches are neither filled nor read, and workers are not woken.
 */
import { Context, Fiber } from "effect"

export const JoinedTransaction = Context.Reference<boolean>("@effect-commerce/core/kernel/JoinedTransaction", {
  defaultValue: () => false
})

/** The same for plain functions: reads the current fiber. */
export const isJoined = (): boolean => Fiber.getCurrent()?.getRef(JoinedTransaction) ?? false
