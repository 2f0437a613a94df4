import { pageOf, toEnvelope } from "@effect-commerce/core/kernel/Pagination"
import { TaxClasses } from "@effect-commerce/core/tax/TaxClasses"
import { TaxRates } from "@effect-commerce/core/tax/TaxRates"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../Api.ts"
import { AdminCaller } from "../middleware/Callers.ts"

const done = { success: true } as const

const taxRates = HttpApiBuilder.group(
  Api,
  "taxRates",
  Effect.fnUntraced(function* (handlers) {
    const rates = yield* TaxRates
    return handlers.handleAll({
      list: () => Effect.flatMap(AdminCaller, ({ store }) => rates.list(store)),
      create: ({ payload }) => Effect.flatMap(AdminCaller, ({ store }) => rates.create(store, payload)),
      get: ({ params }) => Effect.flatMap(AdminCaller, ({ store }) => rates.get(store, params.rateId)),
      update: ({ params, payload }) =>
        Effect.flatMap(AdminCaller, ({ store }) => rates.update(store, params.rateId, payload)),
      remove: ({ params }) =>
        Effect.flatMap(AdminCaller, ({ store }) => Effect.as(rates.remove(store, params.rateId), done))
    })
  })
)

const taxClasses = HttpApiBuilder.group(
  Api,
  "taxClasses",
  Effect.fnUntraced(function* (handlers) {
    const classes = yield* TaxClasses
    return handlers.handleAll({
      list: ({ query }) =>
        Effect.flatMap(AdminCaller, ({ store }) => {
          const page = pageOf(query)
          return Effect.map(classes.list(store, page), (found) => toEnvelope(page, found))
        }),
      create: ({ payload }) => Effect.flatMap(AdminCaller, ({ store }) => classes.create(store, payload.name)),
      get: ({ params }) => Effect.flatMap(AdminCaller, ({ store }) => classes.get(store, params.id)),
      update: ({ params, payload }) =>
        Effect.flatMap(AdminCaller, ({ store }) => classes.update(store, params.id, payload)),
      remove: ({ params }) =>
        Effect.flatMap(AdminCaller, ({ store }) => Effect.as(classes.remove(store, params.id), done))
    })
  })
)

export const taxEndpoints = Layer.mergeAll(taxRates, taxClasses)
