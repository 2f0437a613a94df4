import type { NewEmailDomain } from "@effect-commerce/core/emaildomain/EmailDomain"
import { EmailDomains } from "@effect-commerce/core/emaildomain/EmailDomains"
import { Effect, Layer } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { paged, succeed } from "../middleware/Responses.ts"
import { asAdmin } from "../middleware/Surfaces.ts"
import { DashboardEmailDomainsGroup, EmailDomainsGroup } from "./EmailDomainApi.ts"

interface Named {
  readonly params: { readonly id: string }
}

/** Both prefixes have the same routes. */
const onBothPrefixes = Effect.map(EmailDomains, (domains) => ({
  create: asAdmin(({ store }, { payload }: { readonly payload: NewEmailDomain }) => domains.create(store, payload)),
  verify: asAdmin(({ store }, { params }: Named) => domains.verify(store, params.id)),
  remove: asAdmin(({ store }, { params }: Named) => succeed(domains.remove(store, params.id)))
}))

const admin = endpointsOf(
  EmailDomainsGroup,
  Effect.fnUntraced(function* (handlers) {
    const domains = yield* EmailDomains
    return handlers.handleAll({
      ...(yield* onBothPrefixes),
      list: asAdmin(({ store }, { query }) => paged(query, (page) => domains.list(store, page)))
    })
  })
)

const dashboard = endpointsOf(
  DashboardEmailDomainsGroup,
  Effect.fnUntraced(function* (handlers) {
    const domains = yield* EmailDomains
    return handlers.handleAll({
      ...(yield* onBothPrefixes),
      list: asAdmin(({ store }, { query }) => paged(query, (page) => domains.list(store, page)))
    })
  })
)

export const emailDomainEndpoints = Layer.mergeAll(admin, dashboard)
