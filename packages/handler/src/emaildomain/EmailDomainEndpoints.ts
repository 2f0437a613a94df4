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
  list: asAdmin(({ store }, { query }: { readonly query: Parameters<typeof paged>[0] }) =>
    paged(query, (page) => domains.list(store, page))
  ),
  create: asAdmin(({ store }, { payload }: { readonly payload: NewEmailDomain }) => domains.create(store, payload)),
  verify: asAdmin(({ store }, { params }: Named) => domains.verify(store, params.id)),
  remove: asAdmin(({ store }, { params }: Named) => succeed(domains.remove(store, params.id)))
}))

const admin = endpointsOf(
  EmailDomainsGroup,
  Effect.fnUntraced(function* (handlers) {
    return handlers.handleAll(yield* onBothPrefixes)
  })
)

const dashboard = endpointsOf(
  DashboardEmailDomainsGroup,
  Effect.fnUntraced(function* (handlers) {
    return handlers.handleAll(yield* onBothPrefixes)
  })
)

export const emailDomainEndpoints = Layer.mergeAll(admin, dashboard)
