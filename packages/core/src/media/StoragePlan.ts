/**
 * How much a store keeps in the object storage, and how much an operator lets it keep. There is no limit by default.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { MediaFileRepository } from "./MediaFileRepository.ts"

export interface StoragePlanMethods {
  readonly usage: (storeId: string) => Effect.Effect<{ readonly usedBytes: bigint; readonly limitBytes: bigint | null }>
  /** Null takes the limit away. What is stored already stays, also above a new limit. */
  readonly setLimit: (storeId: string, limitBytes: bigint | null) => Effect.Effect<void>
}

export class StoragePlan extends Context.Service<StoragePlan, StoragePlanMethods>()(
  "@effect-commerce/core/media/StoragePlan"
) {
  static readonly layer = Layer.effect(
    StoragePlan,
    Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* MediaFileRepository
      return StoragePlan.of({
        usage: repository.usage,
        setLimit: (storeId, limitBytes) => database.write(storeId)(repository.setLimit(storeId, limitBytes))
      })
    })
  )
}
