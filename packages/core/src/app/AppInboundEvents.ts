/** What other systems send to installed apps: received, and listed for the app. */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { orFail } from "../database/Repository.ts"
import { problemsOf } from "../kernel/FieldErrors.ts"
import { rejectFields } from "../kernel/FieldRejected.ts"
import { makeId } from "../kernel/Ids.ts"
import type { Page } from "../kernel/Pagination.ts"
import type { InstallationPlace } from "./AppInstallation.ts"
import { InstallationNotFound } from "./AppErrors.ts"
import { AppInboundRepository, type InboundState } from "./AppInboundRepository.ts"
import {
  chargeOf,
  contentTypeOf,
  encodedBody,
  fittingRows,
  type InboundView,
  roomWanted,
  shownBytes,
  topicProblem
} from "./AppInbound.ts"
import { AppInstallationRepository } from "./AppInstallationRepository.ts"

/** What arrived. */
export interface Arrival {
  readonly topic: string
  readonly contentType: string | undefined
  readonly body: Uint8Array
}

export class AppInboundEvents extends Context.Service<AppInboundEvents>()(
  "@effect-commerce/core/app/AppInboundEvents",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const installations = yield* AppInstallationRepository
      const repository = yield* AppInboundRepository

      const missing = (id: string) => () => new InstallationNotFound({ id })
      const checkTopic = (topic: string) => rejectFields(problemsOf({ topic: topicProblem(topic) }))

      /** Keeps an event as it came. The installation's oldest ones make room for it where there is none. */
      const receive = Effect.fn("AppInboundEvents.receive")(function* (
        place: InstallationPlace,
        { topic, contentType, body }: Arrival
      ) {
        yield* checkTopic(topic)
        const now = yield* Clock.currentTimeMillis
        const id = makeId("inb", now)
        const charge = chargeOf(body)
        const row = { id, topic, contentType: contentTypeOf(contentType), body, charge, shown: shownBytes(body) }
        yield* database.write(place.storeId)(
          Effect.gen(function* () {
            const use = yield* orFail(repository.charge(place, charge), missing(place.installationId))
            yield* repository.insert(place, { ...row, receivedAt: new Date(now) })
            const wanted = roomWanted(use)
            if (wanted > 0) yield* repository.makeRoom(place, id, wanted)
          })
        )
        return { id }
      })

      return {
        receive,
        /** Newest first. A page has as many rows as its largest lets fit. */
        list: Effect.fnUntraced(function* (place: InstallationPlace, topic: string, asked: Page) {
          yield* checkTopic(topic)
          yield* orFail(installations.find(place.storeId, place.installationId), missing(place.installationId))
          const { total, largest } = (yield* repository.countOf(place, topic)) ?? { total: 0, largest: 0 }
          const page = { page: asked.page, limit: fittingRows(asked.limit, largest) }
          const rows = yield* repository.list(place, topic, page)
          return { page, items: rows.map(toView), total }
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make).pipe(
    Layer.provide([AppInstallationRepository.layer, AppInboundRepository.layer])
  )
}

const toView = ({ id, topic, contentType, body, receivedAt }: InboundState): InboundView => ({
  id,
  topic,
  contentType,
  ...encodedBody(body),
  size: body.length,
  receivedAt: receivedAt.toISOString()
})
