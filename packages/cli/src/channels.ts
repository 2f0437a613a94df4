/** The work of `commerce channel`. */
import type { ChannelScope, SalesChannel } from "@effect-commerce/core/store/SalesChannel"
import { SalesChannels } from "@effect-commerce/core/store/SalesChannels"
import { domainPattern } from "@effect-commerce/core/store/SalesChannel"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect } from "effect"
import { listExisting, withExisting } from "./existingDatabase.ts"
import { WrongUsage } from "./Refused.ts"
import type { Settings } from "./Settings.ts"

interface ChannelAsked {
  readonly name?: string | undefined
  /** An empty one clears it. */
  readonly domain?: string | undefined
  readonly mode?: "live" | "test" | undefined
  readonly disable: ReadonlyArray<ChannelScope>
  readonly enable: ReadonlyArray<ChannelScope>
}

const rowOf = ({ createdAt: _createdAt, updatedAt: _updatedAt, ...row }: SalesChannel) => row

const inputOf = ({ name, domain, mode, disable, enable }: ChannelAsked) => {
  if (name?.trim() === "") throw new WrongUsage("--name: must not be empty")
  const host = domain?.trim().toLowerCase()
  if (host !== undefined && host !== "" && !domainPattern.test(host))
    throw new WrongUsage("--domain: must be a host name such as shop.example.com, without scheme, port and path")
  const both = disable.find((scope) => enable.includes(scope))
  if (both !== undefined) throw new WrongUsage(`--enable ${both} and --disable ${both} cannot both be meant`)
  const scopes = Object.fromEntries([
    ...disable.map((scope) => [scope, false] as const),
    ...enable.map((scope) => [scope, true] as const)
  ])
  return {
    ...(name === undefined ? {} : { name }),
    ...(host === undefined ? {} : { domain: host === "" ? null : host }),
    ...(mode === undefined ? {} : { mode }),
    scopes
  }
}

export const createChannel = (settings: Settings, storeId: string, asked: ChannelAsked & { readonly name: string }) => {
  const input = { ...inputOf(asked), name: asked.name }
  return withExisting(
    settings,
    Effect.gen(function* () {
      yield* (yield* Stores).context(storeId)
      return rowOf(yield* (yield* SalesChannels).create(storeId, input))
    })
  )
}

export const listChannels = (settings: Settings, storeId: string | undefined) =>
  listExisting(
    settings,
    Effect.gen(function* () {
      if (storeId !== undefined) yield* (yield* Stores).context(storeId)
      return (yield* (yield* SalesChannels).list(storeId)).map(rowOf)
    })
  )

export const updateChannel = (settings: Settings, id: string, asked: ChannelAsked) => {
  const input = inputOf(asked)
  return withExisting(
    settings,
    Effect.gen(function* () {
      const channels = yield* SalesChannels
      const { storeId } = yield* channels.resolve(id)
      return rowOf(yield* channels.update(storeId, id, input))
    })
  )
}
