/** A request to publish a product to sales channels, and the channels that it is on afterwards. */
import { Effect, Schema } from "effect"
import { optional, text } from "../kernel/Fields.ts"
import { type ChannelIds, channelList } from "./Publication.ts"
import { PlatformsRequired } from "./TaxonomyErrors.ts"

export const PublishInput = Schema.Struct({
  salesChannelIds: optional(channelList, "Ids of the sales channels to publish it to."),
  platforms: optional(
    Schema.Array(text(100)).pipe(Schema.check(Schema.isMaxLength(50))),
    "Codes of connected platforms to publish it to. Without a connector for them nothing is done."
  )
}).annotate({ identifier: "PublishProduct", description: "Where to publish a product." })
export type PublishInput = typeof PublishInput.Type

/**
 * The channels after publishing: the current ones and the requested ones. What was on all channels is then only on the
 * requested ones. Platforms have no connector yet, and change nothing.
 */
export const publishedTo = Effect.fnUntraced(function* (current: ChannelIds, input: PublishInput) {
  const { salesChannelIds: channels = [], platforms = [] } = input
  if (channels.length === 0 && platforms.length === 0) return yield* new PlatformsRequired()
  return channels.length === 0 ? current : [...new Set([...(current ?? []), ...channels])]
})
