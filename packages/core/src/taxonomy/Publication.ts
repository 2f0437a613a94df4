/**
 * The sales channels that show a product, a category or a brand. Until it is published to particular channels it is on
 * every channel of its store, including channels that are created later.
 */
import { Schema } from "effect"
import { arrayOf, nullable, optional, string, text } from "../kernel/Fields.ts"
import { salesChannelBound } from "../store/SalesChannel.ts"

/** Null means every channel, an empty list means none. */
export type ChannelIds = ReadonlyArray<string> | null

/**
 * The reader of a storefront: on its channel, or, with null, the public, which sees what is on every channel. Texts are
 * in the first of `languages` that has a translation.
 */
export interface StorefrontReader {
  readonly channelId: string | null
  readonly languages?: ReadonlyArray<string> | undefined
}

/** Anyone, in the store's own language. */
export const publicReader: StorefrontReader = { channelId: null }

export const isOnChannel = (channelIds: ChannelIds | undefined, channelId: string | null): boolean =>
  channelIds === undefined || channelIds === null || (channelId !== null && channelIds.includes(channelId))

export const channelList = Schema.Array(text(100)).pipe(Schema.check(Schema.isMaxLength(salesChannelBound.most)))

/** In the bodies of products, categories and brands. */
export const salesChannelIds = optional(
  Schema.NullOr(channelList),
  "Ids of the sales channels that show it. null (the default) shows it on every channel, also on those that are made " +
    "later; an empty list on none."
)

/** A channel that something is published to, under its current name. */
export interface PublishedChannel {
  readonly id: string
  readonly name: string
}

const ChannelRef = Schema.Struct({
  id: string("Id of the sales channel."),
  name: string("Name of the sales channel.", "Web shop"),
  connectionId: string("The same as `id`: an older name of it.")
}).annotate({ identifier: "PublishedChannel", description: "A sales channel that something is published to." })

/** One channel under its two names. */
export const ChannelPublishView = Schema.Struct({ salesChannel: ChannelRef, connection: ChannelRef }).annotate({
  identifier: "ChannelPublication",
  description: "A publication to a sales channel. `connection` is an older name of `salesChannel` and says the same."
})

/** The value of `channelPublishes` and of `vibeCodedPublishes`, which are two names for the same field. */
export const publicationsOf = (channels: ReadonlyArray<PublishedChannel> | null) =>
  (channels ?? []).map(({ id, name }) => {
    const channel = { id, name, connectionId: id }
    return { salesChannel: channel, connection: channel }
  })

/** In the views of categories and brands. */
export const publicationFields = {
  salesChannelIds: nullable(
    Schema.Array(Schema.String),
    "Channels that show it, as a body says them: null is every channel, an empty list is none."
  ),
  channelPublishes: arrayOf(ChannelPublishView, "Channels it is published to. Empty where it is on every channel."),
  vibeCodedPublishes: arrayOf(ChannelPublishView, "The same as `channelPublishes`, under an older name.")
}
