/** The SQL of a store's storage usage and limit. MediaFileRepository updates the usage with the rows of files. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, none, one } from "../database/Repository.ts"
import { StorageLimitReached } from "./MediaErrors.ts"
import { defaultStorageBytes, unclaimedUploadBytes } from "./MediaLimits.ts"

export interface StorageUse {
  readonly usedBytes: bigint
  /** Uploads of shoppers that nothing refers to yet. They do not count as the merchant's. */
  readonly unclaimedBytes: bigint
  readonly limitBytes: bigint
}

export class MediaStorageRepository extends Context.Service<MediaStorageRepository>()(
  "@effect-commerce/core/media/MediaStorageRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const limit = sql`coalesce(s.limit_bytes, ${defaultStorageBytes})`

      const usage = (storeId: string) =>
        Effect.map(
          one(sql<StorageUse>`SELECT s.used_bytes, s.unclaimed_bytes, ${limit} AS limit_bytes
            FROM media_storage s WHERE s.store_id = ${storeId}`),
          (row) => row ?? { usedBytes: 0n, unclaimedBytes: 0n, limitBytes: defaultStorageBytes }
        )

      const refuse = Effect.fnUntraced(function* (storeId: string, bytes: number, isUnclaimed: boolean) {
        const { usedBytes, unclaimedBytes, limitBytes } = yield* usage(storeId)
        return yield* isUnclaimed && unclaimedBytes + BigInt(bytes) > unclaimedUploadBytes
          ? new StorageLimitReached({ of: "unclaimed", used: unclaimedBytes, limit: unclaimedUploadBytes })
          : new StorageLimitReached({
              of: "storage",
              used: usedBytes + (isUnclaimed ? unclaimedBytes : 0n),
              limit: limitBytes
            })
      })

      /**
       * Counts the bytes against the store's limit, in one statement, so that concurrent uploads do not exceed it. An
       * upload of a shopper needs room under both limits, so that it still fits when something refers to it and it
       * becomes the merchant's.
       */
      const takeRoom = Effect.fnUntraced(function* (storeId: string, bytes: number, isUnclaimed: boolean) {
        const hasRoom = yield* anyRow(
          isUnclaimed
            ? sql`INSERT INTO media_storage AS s (store_id, unclaimed_bytes) VALUES (${storeId}, ${bytes})
                ON CONFLICT (store_id) DO UPDATE SET unclaimed_bytes = s.unclaimed_bytes + ${bytes}
                  WHERE s.unclaimed_bytes + ${bytes} <= ${unclaimedUploadBytes}
                    AND s.used_bytes + s.unclaimed_bytes + ${bytes} <= ${limit} RETURNING store_id`
            : sql`INSERT INTO media_storage AS s (store_id, used_bytes) VALUES (${storeId}, ${bytes})
                ON CONFLICT (store_id) DO UPDATE SET used_bytes = s.used_bytes + ${bytes}
                  WHERE s.used_bytes + ${bytes} <= ${limit} RETURNING store_id`
        )
        if (!hasRoom) yield* refuse(storeId, bytes, isUnclaimed)
      })

      return {
        usage,
        takeRoom,
        setLimit: (storeId: string, limitBytes: bigint) =>
          none(sql`INSERT INTO media_storage (store_id, limit_bytes) VALUES (${storeId}, ${limitBytes})
            ON CONFLICT (store_id) DO UPDATE SET limit_bytes = excluded.limit_bytes`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(MediaStorageRepository, MediaStorageRepository.make)
}
