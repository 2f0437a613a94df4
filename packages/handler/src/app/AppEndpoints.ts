import { BotNotBuilt } from "@effect-commerce/core/app/AppErrors"
import { AppInboundEvents } from "@effect-commerce/core/app/AppInboundEvents"
import { AppInstallations } from "@effect-commerce/core/app/AppInstallations"
import { AppMappings } from "@effect-commerce/core/app/AppMappings"
import { AppSecrets } from "@effect-commerce/core/app/AppSecrets"
import { pageOf, toEnvelope } from "@effect-commerce/core/kernel/Pagination"
import { Effect, Layer } from "effect"
import { listOf } from "../middleware/CommaList.ts"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { paged, succeed } from "../middleware/Responses.ts"
import { asAdmin, asInstallation, onChannel } from "../middleware/Surfaces.ts"
import { InboundEventsGroup, InstallationsGroup, StorefrontBotGroup } from "./AppApi.ts"
import { MappingsGroup } from "./MappingApi.ts"

const installations = endpointsOf(
  InstallationsGroup,
  Effect.fnUntraced(function* (handlers) {
    const apps = yield* AppInstallations
    const secrets = yield* AppSecrets
    return handlers.handleAll({
      list: asAdmin(({ store }, { query }) => paged(query, (page) => apps.list(store, page))),
      install: asAdmin(({ store }, { payload }) => apps.install(store, payload)),
      get: asAdmin(({ store }, { params }) => apps.get(store, params.installationId)),
      remove: asAdmin(({ store }, { params }) => succeed(apps.remove(store, params.installationId))),
      renewToken: asInstallation(({ store, place }) => apps.renewToken(store, place.installationId)),
      putSecrets: asInstallation(({ place }, { payload }) => secrets.put(place, payload))
    })
  })
)

const mappings = endpointsOf(
  MappingsGroup,
  Effect.fnUntraced(function* (handlers) {
    const all = yield* AppMappings
    return handlers.handleAll({
      list: asInstallation(({ place }, { query }) =>
        paged(query, (page) =>
          all.list(place, page, {
            resourceTypes: listOf(query.resourceType),
            internalId: query.internalId,
            platformCode: query.platformCode,
            syncStatuses: listOf(query.syncStatus)
          })
        )
      ),
      create: asInstallation(({ place }, { payload }) => all.create(place, payload)),
      upsert: asInstallation(({ place }, { payload }) => all.upsert(place, payload)),
      get: asInstallation(({ place }, { params }) => all.get(place, params.mappingId)),
      update: asInstallation(({ place }, { params, payload }) => all.update(place, params.mappingId, payload)),
      remove: asInstallation(({ place }, { params }) => succeed(all.remove(place, params.mappingId)))
    })
  })
)

const inbound = endpointsOf(
  InboundEventsGroup,
  Effect.fnUntraced(function* (handlers) {
    const events = yield* AppInboundEvents
    return handlers.handleAll({
      receive: asInstallation(({ place, contentType, body }, { params }) =>
        events.receive(place, { topic: params.topic, contentType, body })
      ),
      list: asInstallation(({ place }, { params, query }) =>
        Effect.map(events.list(place, params.topic, pageOf(query)), ({ page, ...found }) => toEnvelope(page, found))
      )
    })
  })
)

const bot = endpointsOf(
  StorefrontBotGroup,
  Effect.fnUntraced(function* (handlers) {
    return yield* Effect.succeed(handlers.handleAll({ summarize: onChannel(() => Effect.fail(new BotNotBuilt())) }))
  })
)

export const appEndpoints = Layer.mergeAll(installations, mappings, inbound, bot)
