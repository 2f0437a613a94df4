/** The work of `commerce store`. */
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import { Stores } from "@effect-commerce/core/store/Stores"
import { noStorageLimit } from "@effect-commerce/core/media/MediaLimits"
import { Quotas } from "@effect-commerce/core/quota/Quotas"
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

/** Undefined: it stays as it is; null: `none`. */
const quotaOf = (flag: string, given: string | undefined, most: number): number | null | undefined => {
  if (given === undefined) return undefined
  if (given === "none") return null
  const limit = wholeNumber(0, most)(given)
  if (Result.isFailure(limit)) throw new WrongUsage(`${flag}: ${limit.failure}, or none`)
  return limit.success
}

interface QuotaFlags {
  readonly products: string | undefined
  readonly ordersPerMonth: string | undefined
  readonly storageMb: string | undefined
}

/** What a store may have; null is no limit, and what is absent stays as it is. Returns the quotas and their use. */
export const setQuotas = (settings: Settings, id: string, given: QuotaFlags) => {
  const maxProducts = quotaOf("--products", given.products, mostCounted)
  const maxOrdersPerMonth = quotaOf("--orders-per-month", given.ordersPerMonth, mostCounted)
  const storageMb = quotaOf("--storage-mb", given.storageMb, mostMegabytes)
  return withExisting(
    settings,
    Effect.gen(function* () {
      const stores = yield* Stores
      const plan = yield* StoragePlan
      const known = yield* stores.context(id)
      const isSet = maxProducts !== undefined || maxOrdersPerMonth !== undefined
      const store = isSet
        ? yield* stores.setQuotas(known, {
            ...(maxProducts === undefined ? {} : { maxProducts }),
            ...(maxOrdersPerMonth === undefined ? {} : { maxOrdersPerMonth })
          })
        : known
      if (storageMb !== undefined)
        yield* plan.setLimit(id, storageMb === null ? noStorageLimit : BigInt(storageMb) * megabyte)
      const { usedBytes, limitBytes } = yield* plan.usage(id)
      const used = yield* (yield* Quotas).usage(store)
      return {
        ...rowOf(store),
        products: store.maxProducts,
        productsUsed: used.products,
        ordersPerMonth: store.maxOrdersPerMonth,
        ordersThisMonth: used.orders,
        storageMb: limitBytes === noStorageLimit ? null : Number(limitBytes / megabyte),
        storageUsedBytes: Number(usedBytes)
      }
    })
  )
}

const megabyte = 1_048_576n
/** A petabyte. */
const mostMegabytes = 1_073_741_824
const mostCounted = 2_000_000_000

export const suspendStore = (settings: Settings, id: string, suspended: boolean) =>
  withExisting(
    settings,
    Effect.map(
      Effect.flatMap(Stores, (stores) => (suspended ? stores.suspend(id) : stores.resume(id))),
      rowWithState
    )
  )
