/**
 * The storage usage and limit of a store: 5 GiB unless its operator sets another. Uploads of shoppers that nothing
 * refers to are counted separately, under a limit that is the same for every store.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { MediaStorageRepository } from "./MediaStorageRepository.ts"

export class StoragePlan extends Context.Service<StoragePlan>()("@effect-commerce/core/media/StoragePlan", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* MediaStorageRepository
    return {
      usage: repository.usage,
      /** `noStorageLimit` removes the limit. Files that are stored already stay, also above a new limit. */
      setLimit: (storeId: string, limitBytes: bigint) =>
        database.write(storeId)(repository.setLimit(storeId, limitBytes))
    }
  })
}) {
  static readonly layer = Layer.effect(StoragePlan, StoragePlan.make)
}
