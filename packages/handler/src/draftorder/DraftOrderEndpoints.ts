import { DraftInvoices } from "@effect-commerce/core/draftorder/DraftInvoices"
import { DraftOrders } from "@effect-commerce/core/draftorder/DraftOrders"
import { Effect, Layer } from "effect"
import { listOf } from "../middleware/CommaList.ts"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { paged, succeed } from "../middleware/Responses.ts"
import { asAdmin, onChannel } from "../middleware/Surfaces.ts"
import { DraftInvoicesGroup, DraftOrdersGroup } from "./DraftOrderApi.ts"

const admin = endpointsOf(
  DraftOrdersGroup,
  Effect.fnUntraced(function* (handlers) {
    const drafts = yield* DraftOrders
    const invoices = yield* DraftInvoices
    return handlers.handleAll({
      list: asAdmin(({ store }, { query }) => paged(query, (page) => drafts.list(store, page, listOf(query.status)))),
      create: asAdmin(({ store }, { payload }) => drafts.create(store, payload)),
      get: asAdmin(({ store }, { params }) => drafts.get(store, params.id)),
      update: asAdmin(({ store }, { params, payload }) => drafts.update(store, params.id, payload)),
      remove: asAdmin(({ store }, { params }) => succeed(drafts.remove(store, params.id))),
      sendInvoice: asAdmin(({ store }, { params, payload }) => invoices.send(store, params.id, payload)),
      complete: asAdmin(({ store }, { params, payload }) => drafts.complete(store, params.id, payload))
    })
  })
)

const storefront = endpointsOf(
  DraftInvoicesGroup,
  Effect.fnUntraced(function* (handlers) {
    const invoices = yield* DraftInvoices
    return handlers.handleAll({
      open: onChannel(({ store, access }, { payload }) => invoices.open(store, access, payload.token))
    })
  })
)

export const draftOrderEndpoints = Layer.mergeAll(admin, storefront)
