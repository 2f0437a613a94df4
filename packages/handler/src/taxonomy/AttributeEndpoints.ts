import { Attributes } from "@effect-commerce/core/taxonomy/Attributes"
import { Effect } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { paged, succeed } from "../middleware/Responses.ts"
import { blankAsAbsent } from "../middleware/SearchQuery.ts"
import { asAdmin } from "../middleware/Surfaces.ts"
import { AttributesGroup } from "./AttributeApi.ts"

const isForced = ({ force }: { readonly force?: "true" | "false" }): boolean => force === "true"

export const attributeEndpoints = endpointsOf(
  AttributesGroup,
  Effect.fnUntraced(function* (handlers) {
    const attributes = yield* Attributes
    return handlers.handleAll({
      list: asAdmin(({ store }, { query }) =>
        paged(query, (page) =>
          attributes.list(store, page, {
            search: blankAsAbsent(query.search),
            platform: blankAsAbsent(query.platform),
            source: blankAsAbsent(query.source)
          })
        )
      ),
      create: asAdmin(({ store }, { payload }) => attributes.create(store, payload)),
      get: asAdmin(({ store }, { params }) => attributes.get(store, params.id)),
      update: asAdmin(({ store }, { params, query, payload }) =>
        attributes.update(store, params.id, payload, isForced(query))
      ),
      remove: asAdmin(({ store }, { params, query }) => succeed(attributes.remove(store, params.id, isForced(query)))),
      addOption: asAdmin(({ store }, { params, payload }) => attributes.addOption(store, params.id, payload)),
      updateOption: asAdmin(({ store }, { params, payload }) =>
        attributes.updateOption(store, params.id, params.optionId, payload)
      ),
      removeOption: asAdmin(({ store }, { params, query }) =>
        succeed(attributes.removeOption(store, params.id, params.optionId, isForced(query)))
      )
    })
  })
)
