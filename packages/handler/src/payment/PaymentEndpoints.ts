import { PaymentNotices } from "@effect-commerce/core/notice/PaymentNotices"
import { PaymentProviderNotFound } from "@effect-commerce/core/payment/StoreProviderErrors"
import { StoreProviders } from "@effect-commerce/core/payment/StoreProviders"
import { Effect, Layer } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { paged, succeed } from "../middleware/Responses.ts"
import { asAdmin, fromCompany } from "../middleware/Surfaces.ts"
import { PaymentEventsGroup, PaymentProvidersGroup } from "./PaymentApi.ts"

const providers = endpointsOf(PaymentProvidersGroup, (handlers) =>
  Effect.map(StoreProviders, (useCases) =>
    handlers.handleAll({
      list: asAdmin(({ store }, { query }) => paged(query, (page) => useCases.list(store, page))),
      create: asAdmin(({ store }, { payload }) => useCases.create(store, payload)),
      get: asAdmin(({ store }, { params }) => useCases.get(store, params.id)),
      update: asAdmin(({ store }, { params, payload }) => useCases.update(store, params.id, payload)),
      remove: asAdmin(({ store }, { params }) => succeed(useCases.remove(store, params.id)))
    })
  )
)

const received = { received: true } as const

const notices = endpointsOf(PaymentEventsGroup, (handlers) =>
  Effect.map(PaymentNotices, ({ receive }) =>
    handlers.handleAll({
      receive: fromCompany(({ headers, body, countFailure }, { params: { providerId } }) =>
        receive(providerId, { headers, body }).pipe(
          Effect.tapErrorTag("NoticeRejected", () => countFailure),
          Effect.catchTag("PaymentMethodUnavailable", () =>
            Effect.fail(new PaymentProviderNotFound({ id: providerId }))
          ),
          Effect.as(received)
        )
      )
    })
  )
)

export const paymentEndpoints = Layer.merge(providers, notices)
