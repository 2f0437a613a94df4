import { Newsletters } from "@effect-commerce/core/newsletter/Newsletters"
import { Effect, Layer } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { asAdmin, onChannel } from "../middleware/Surfaces.ts"
import { NewsletterBenefitGroup, NewsletterGroup } from "./NewsletterApi.ts"

const benefit = endpointsOf(
  NewsletterBenefitGroup,
  Effect.fnUntraced(function* (handlers) {
    const newsletters = yield* Newsletters
    return handlers.handleAll({
      get: asAdmin(({ store }) => newsletters.benefit(store)),
      set: asAdmin(({ store }, { payload }) => newsletters.setBenefit(store, payload))
    })
  })
)

const signups = endpointsOf(
  NewsletterGroup,
  Effect.fnUntraced(function* (handlers) {
    const newsletters = yield* Newsletters
    return handlers.handleAll({
      subscribe: onChannel(({ store, channel }, { payload }) =>
        Effect.as(newsletters.subscribe(store, channel.id, payload), { ok: true })
      ),
      confirm: onChannel(({ store }, { payload }) => newsletters.confirm(store, payload.token))
    })
  })
)

export const newsletterEndpoints = Layer.mergeAll(benefit, signups)
