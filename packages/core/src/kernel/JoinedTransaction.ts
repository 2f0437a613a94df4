/**
 * Whether what runs now does so inside a transaction that somebody else will commit or take back (a host's, see
 * host/HostTransaction.ts). What is read there may never come to be, so nothing of it is kept in memory, and memory is
 * not asked; nobody is woken for it either.
 */
import { Context, Fiber } from "effect"

export const JoinedTransaction = Context.Reference<boolean>("@effect-commerce/core/kernel/JoinedTransaction", {
  defaultValue: () => false
})

/** The same question for plain functions, asked of the fiber that calls. */
export const isJoined = (): boolean => Fiber.getCurrent()?.getRef(JoinedTransaction) ?? false
