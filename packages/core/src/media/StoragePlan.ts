/**
 * How much a store keeps in the object storage, and how much it may: 5 GiB unless its operator says otherwise. What
 * shoppers have sent and nothing has named is counted apart, under a limit that is the same for every store.
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
      /** `noStorageLimit` takes the limit away. What is stored already stays, also above a new limit. */
      setLimit: (storeId: string, limitBytes: bigint) =>
        database.write(storeId)(repository.setLimit(storeId, limitBytes))
    }
  })
}) {
  static readonly layer = Layer.effect(StoragePlan, StoragePlan.make)
}
