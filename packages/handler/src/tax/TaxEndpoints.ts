import { TaxClasses } from "@effect-commerce/core/tax/TaxClasses"
import { TaxRates } from "@effect-commerce/core/tax/TaxRates"
import { Effect, Layer } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { paged, succeed } from "../middleware/Responses.ts"
import { asAdmin } from "../middleware/Surfaces.ts"
import { TaxClassesGroup, TaxRatesGroup } from "./TaxApi.ts"

const taxRates = endpointsOf(
  TaxRatesGroup,
  Effect.fnUntraced(function* (handlers) {
    const rates = yield* TaxRates
    return handlers.handleAll({
      list: asAdmin(({ store }) => rates.list(store)),
      create: asAdmin(({ store }, { payload }) => rates.create(store, payload)),
      get: asAdmin(({ store }, { params }) => rates.get(store, params.rateId)),
      update: asAdmin(({ store }, { params, payload }) => rates.update(store, params.rateId, payload)),
      remove: asAdmin(({ store }, { params }) => succeed(rates.remove(store, params.rateId)))
    })
  })
)

const taxClasses = endpointsOf(
  TaxClassesGroup,
  Effect.fnUntraced(function* (handlers) {
    const classes = yield* TaxClasses
    return handlers.handleAll({
      list: asAdmin(({ store }, { query }) => paged(query, (page) => classes.list(store, page))),
      create: asAdmin(({ store }, { payload }) => classes.create(store, payload)),
      get: asAdmin(({ store }, { params }) => classes.get(store, params.id)),
      update: asAdmin(({ store }, { params, payload }) => classes.update(store, params.id, payload)),
      remove: asAdmin(({ store }, { params }) => succeed(classes.remove(store, params.id)))
    })
  })
)

export const taxEndpoints = Layer.mergeAll(taxRates, taxClasses)
