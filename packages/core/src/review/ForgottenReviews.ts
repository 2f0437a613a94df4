/** The customer room's port: reviews of a customer who is deleted stay, without the customer. */
import { Clock, Effect } from "effect"
import type { CustomerTrace } from "../customer/CustomerTraces.ts"
import { ReviewRepository } from "./ReviewRepository.ts"

export const forgottenReviews = Effect.map(
  ReviewRepository,
  ({ forget }): CustomerTrace =>
    (storeId, { id }) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => forget(storeId, id, new Date(now)))
).pipe(Effect.provide(ReviewRepository.layer))
