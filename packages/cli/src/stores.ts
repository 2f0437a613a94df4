/** The work of `commerce store`. */
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect } from "effect"
import { listExisting, withExisting } from "./existingDatabase.ts"
import { withCore } from "./openCore.ts"
import type { Settings } from "./Settings.ts"
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

export const suspendStore = (settings: Settings, id: string, suspended: boolean) =>
  withExisting(
    settings,
    Effect.map(
      Effect.flatMap(Stores, (stores) => (suspended ? stores.suspend(id) : stores.resume(id))),
      rowWithState
    )
  )
