/** Rejects the body of a product, a category or a brand that names an unknown sales channel. */
import { Effect } from "effect"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import type { SalesChannels } from "../store/SalesChannels.ts"
import type { ChannelIds } from "./Publication.ts"

export const makeChannelCheck =
  ({ list }: Pick<SalesChannels["Service"], "list">) =>
  (storeId: string, asked: ChannelIds | undefined): Effect.Effect<void, FieldRejected> =>
    asked === undefined || asked === null || asked.length === 0
      ? Effect.void
      : Effect.flatMap(list(storeId), (channels) => {
          const known = new Set(channels.map(({ id }) => id))
          const unknown = asked.find((id) => !known.has(id))
          const reason = `${unknown} is not a sales channel of this store`
          return unknown === undefined ? Effect.void : FieldRejected.at("salesChannelIds", reason)
        })
