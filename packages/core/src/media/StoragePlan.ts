/**
 * How much a store keeps in the object storage, and how much it may: 5 GiB unless its operator says otherwise. What
 * shoppers have sent and nothing has named is counted apart, under a limit that is the same for every store.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { MediaStorageRepository, type StorageUse } from "./MediaStorageRepository.ts"

export interface StoragePlanMethods {
  readonly usage: (storeId: string) => Effect.Effect<StorageUse>
  /** `noStorageLimit` takes the limit away. What is stored already stays, also above a new limit. */
  readonly setLimit: (storeId: string, limitBytes: bigint) => Effect.Effect<void>
}

export class StoragePlan extends Context.Service<StoragePlan, StoragePlanMethods>()(
  "@effect-commerce/core/media/StoragePlan"
) {
  static readonly layer = Layer.effect(
    StoragePlan,
    Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* MediaStorageRepository
      return StoragePlan.of({
        usage: repository.usage,
        setLimit: (storeId, limitBytes) => database.write(storeId)(repository.setLimit(storeId, limitBytes))
      })
    })
  )
}
