/** The work of `commerce store`. */
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import { Stores } from "@effect-commerce/core/store/Stores"
import { noStorageLimit } from "@effect-commerce/core/media/MediaLimits"
import { StoragePlan } from "@effect-commerce/core/media/StoragePlan"
import { Effect, Result } from "effect"
import { listExisting, withExisting } from "./existingDatabase.ts"
import { withCore } from "./openCore.ts"
import { WrongUsage } from "./Refused.ts"
import type { Settings } from "./Settings.ts"
import { wholeNumber } from "./settingChecks.ts"
import { checkStoreFlags } from "./setUp.ts"

const rowOf = ({ id, accountId, name, currency }: StoreContext) => ({ id, accountId, name, currency })

const rowWithState = (store: StoreContext) => ({ ...rowOf(store), suspended: store.suspended })

export const createStore = (
  settings: Settings,
  input: {
    readonly name: string
    readonly currency: string
    readonly country: string
    readonly accountId?: string | undefined
  }
) => {
  checkStoreFlags(input)
  return withCore(
    settings,
    Effect.map(
      Effect.flatMap(Stores, (stores) => stores.create(input)),
      rowOf
    )
  )
}

export const listStores = (settings: Settings) =>
  listExisting(
    settings,
    Effect.map(
      Effect.flatMap(Stores, (stores) => stores.list),
      (found) => found.map(rowWithState)
    )
  )

/** How much a store may store, `off` for no limit; if absent it stays as it is. Returns how much is used. */
export const setQuota = (settings: Settings, id: string, storageMb: string | undefined) => {
  const limit =
    storageMb === undefined || storageMb === "off" ? Result.succeed(0) : wholeNumber(0, mostMegabytes)(storageMb)
  if (Result.isFailure(limit)) throw new WrongUsage(`--storage-mb: ${limit.failure}, or off`)
  return withExisting(
    settings,
    Effect.gen(function* () {
      const store = yield* (yield* Stores).context(id)
      const plan = yield* StoragePlan
      if (storageMb !== undefined)
        yield* plan.setLimit(store.id, storageMb === "off" ? noStorageLimit : BigInt(limit.success) * megabyte)
      const { usedBytes, limitBytes } = yield* plan.usage(store.id)
      return {
        ...rowOf(store),
        storageMb: limitBytes === noStorageLimit ? null : Number(limitBytes / megabyte),
        storageUsedBytes: Number(usedBytes)
      }
    })
  )
}

const megabyte = 1_048_576n
/** A petabyte. */
const mostMegabytes = 1_073_741_824

export const suspendStore = (settings: Settings, id: string, suspended: boolean) =>
  withExisting(
    settings,
    Effect.map(
      Effect.flatMap(Stores, (stores) => (suspended ? stores.suspend(id) : stores.resume(id))),
      rowWithState
    )
  )
