/**
 * The customer room's port: the newsletter sign-up of a customer who is deleted is deleted. Of one that has had its
 * coupon a row without the address stays, under a keyed hash of it: otherwise a mailbox could have a coupon for each
 * account that it opens and closes. It takes its place again when the mailbox signs up anew.
 */
import { Clock, Effect } from "effect"
import { hmacSha256Hex } from "../crypto/Hashing.ts"
import { RootSecret } from "../crypto/RootSecret.ts"
import type { CustomerTrace } from "../customer/CustomerTraces.ts"
import { NewsletterRepository } from "./NewsletterRepository.ts"

/** What stands in place of a forgotten address. It is no address: it has no @. */
export const forgottenAddress = (secret: RootSecret["Service"], storeId: string, email: string): string => {
  const key = Buffer.from(secret.derive(`newsletter-forgotten/${storeId}`)).toString("hex")
  return `forgotten:${hmacSha256Hex(key, email)}`
}

export const forgottenSignups = Effect.gen(function* () {
  const repository = yield* NewsletterRepository
  const secret = yield* RootSecret

  const trace: CustomerTrace = Effect.fnUntraced(function* (storeId, { email }) {
    const now = new Date(yield* Clock.currentTimeMillis)
    yield* repository.lock(storeId, email)
    yield* repository.forget(storeId, email, forgottenAddress(secret, storeId, email), now)
  })
  return trace
}).pipe(Effect.provide(NewsletterRepository.layer))
