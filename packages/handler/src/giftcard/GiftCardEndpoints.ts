import { GiftCards } from "@effect-commerce/core/giftcard/GiftCards"
import { Effect, Layer } from "effect"
import { listOf } from "../middleware/CommaList.ts"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { paged } from "../middleware/Responses.ts"
import { blankAsAbsent } from "../middleware/SearchQuery.ts"
import { asAdmin, onChannel } from "../middleware/Surfaces.ts"
import { GiftCardsGroup, StorefrontGiftCardsGroup } from "./GiftCardApi.ts"

const admin = endpointsOf(
  GiftCardsGroup,
  Effect.fnUntraced(function* (handlers) {
    const cards = yield* GiftCards
    return handlers.handleAll({
      list: asAdmin(({ store }, { query }) =>
        paged(query, (page) =>
          cards.list(store, page, { search: blankAsAbsent(query.search), statuses: listOf(query.status) })
        )
      ),
      create: asAdmin(({ store }, { payload }) => cards.create(store, payload)),
      get: asAdmin(({ store }, { params }) => cards.get(store, params.id)),
      update: asAdmin(({ store }, { params, payload }) => cards.update(store, params.id, payload)),
      adjust: asAdmin(({ store }, { params, payload }) => cards.adjust(store, params.id, payload)),
      disable: asAdmin(({ store }, { params }) => cards.disable(store, params.id)),
      enable: asAdmin(({ store }, { params }) => cards.enable(store, params.id)),
      transactions: asAdmin(({ store }, { params, query }) =>
        paged(query, (page) => cards.transactions(store, params.id, page))
      )
    })
  })
)

const storefront = endpointsOf(
  StorefrontGiftCardsGroup,
  Effect.fnUntraced(function* (handlers) {
    const cards = yield* GiftCards
    return handlers.handleAll({
      balance: onChannel(({ store }, { payload }) => cards.balance(store, payload.code))
    })
  })
)

export const giftCardEndpoints = Layer.mergeAll(admin, storefront)
