import { ChargeChanges } from "@effect-commerce/core/refund/ChargeChanges"
import { Refunds } from "@effect-commerce/core/refund/Refunds"
import { Effect, Layer } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { asAdmin } from "../middleware/Surfaces.ts"
import { DashboardRefundsGroup, OrderChargesGroup, RefundsGroup } from "./RefundApi.ts"

const refunds = endpointsOf(
  RefundsGroup,
  Effect.fnUntraced(function* (handlers) {
    const refunds = yield* Refunds
    return handlers.handleAll({
      list: asAdmin(({ store }, { params }) => refunds.list(store, params.id)),
      create: asAdmin(({ store }, { params, payload }) => refunds.create(store, params.id, payload)),
      preview: asAdmin(({ store }, { params, payload }) => refunds.preview(store, params.id, payload))
    })
  })
)

const dashboard = endpointsOf(
  DashboardRefundsGroup,
  Effect.fnUntraced(function* (handlers) {
    const refunds = yield* Refunds
    return handlers.handleAll({
      create: asAdmin(({ store }, { params, payload }) => refunds.create(store, params.id, payload))
    })
  })
)

const charges = endpointsOf(
  OrderChargesGroup,
  Effect.fnUntraced(function* (handlers) {
    const changes = yield* ChargeChanges
    return handlers.handleAll({
      capture: asAdmin(({ store }, { params, payload }) => changes.capture(store, params.id, payload)),
      void: asAdmin(({ store }, { params, payload }) => changes.void(store, params.id, payload))
    })
  })
)

export const refundEndpoints = Layer.mergeAll(refunds, charges, dashboard)
