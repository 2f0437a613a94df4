/** The customer room's port: reviews of a customer who is deleted stay, without the customer and their pictures. */
import { Clock, Effect } from "effect"
import type { CustomerTrace } from "../customer/CustomerTraces.ts"
import { UploadedFiles } from "../media/UploadedFiles.ts"
import { keysOf } from "./Review.ts"
import { ReviewRepository } from "./ReviewRepository.ts"

export const forgottenReviews = Effect.gen(function* () {
  const { forget } = yield* ReviewRepository
  const { release } = yield* UploadedFiles

  const trace: CustomerTrace = Effect.fnUntraced(function* (storeId, { id }) {
    const now = new Date(yield* Clock.currentTimeMillis)
    const photos = yield* forget(storeId, id, now)
    yield* release({ id: storeId }, keysOf(photos), now)
  })
  return trace
}).pipe(Effect.provide(ReviewRepository.layer))
