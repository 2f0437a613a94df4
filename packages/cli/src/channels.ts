import type { ChannelScope } from "@effect-commerce/core/store/SalesChannel"
import { SalesChannels } from "@effect-commerce/core/store/SalesChannels"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect } from "effect"
import { withCore } from "./openCore.ts"
import type { Settings } from "./Settings.ts"

interface ChannelAsked {
  readonly name?: string | undefined
  readonly domain?: string | undefined
  readonly mode?: "live" | "test" | undefined
  readonly disable: ReadonlyArray<ChannelScope>
  readonly enable?: ReadonlyArray<ChannelScope> | undefined
}

const inputOf = ({ disable, enable = [], domain, ...rest }: ChannelAsked) => ({
  ...rest,
  domain: domain === "" ? null : domain,
  scopes: Object.fromEntries([...disable.map((scope) => [scope, false] as const), ...enable.map((scope) => [scope, true] as const)])
})

export const createChannel = (settings: Settings, storeId: string, asked: ChannelAsked & { readonly name: string }) =>
  withCore(
    settings,
    Effect.gen(function* () {
      yield* (yield* Stores).context(storeId)
      return yield* (yield* SalesChannels).create(storeId, { ...inputOf(asked), name: asked.name })
    })
  )

export const listChannels = (settings: Settings, storeId: string | undefined) =>
  withCore(settings, Effect.flatMap(SalesChannels, (channels) => channels.list(storeId)))

export const updateChannel = (settings: Settings, id: string, asked: ChannelAsked) =>
  withCore(
    settings,
    Effect.gen(function* () {
      const channels = yield* SalesChannels
      const { storeId } = yield* channels.resolve(id)
      return yield* channels.update(storeId, id, inputOf(asked))
    })
  )
