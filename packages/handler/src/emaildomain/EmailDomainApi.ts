/** Domains that a store's mails may come from: `/v1/email/domains`, and the same for the dashboard. */
import { EmailDomain, NewEmailDomain } from "@effect-commerce/core/emaildomain/EmailDomain"
import {
  EmailDomainInUse,
  EmailDomainNotFound,
  EmailDomainNotLookedUp,
  EmailDomainTaken
} from "@effect-commerce/core/emaildomain/EmailDomainErrors"
import { ResourceChanged } from "@effect-commerce/core/database/Precondition"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { string } from "@effect-commerce/core/kernel/Fields"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { storePath } from "../middleware/PathParameters.ts"
import { adminRoute, storeAdminRoute } from "../middleware/Policy.ts"
import { Success } from "../middleware/Responses.ts"
import { row, useCase } from "../middleware/Versioned.ts"
import { emailDomainErrors } from "./emailDomainErrors.ts"

const fails = failsBy(emailDomainErrors)
const id = { id: string("The domain.", "dom_01k9f3m2q7x4b8n6c5d1e0h2jk") }
const created = EmailDomain.pipe(HttpApiSchema.status(201))

const list = {
  summary: "List e-mail domains",
  description: "Returns the domains that the store's mails may come from, newest first, with the DNS records of each."
}
const create = {
  summary: "Add an e-mail domain",
  description:
    "Adds a domain and makes a key that its mails are signed with (DKIM). Set the records of `dnsRecords` at the " +
    "domain's DNS, then verify it. A store has at most 10; one it has already is 409 CONFLICT."
}
const verify = {
  version: useCase,
  summary: "Verify an e-mail domain",
  description:
    "Looks up the domain's DNS records and returns what was found. With all required ones it is VERIFIED, and " +
    "`customDomainId` of the e-mail settings may name it. Where name servers do not respond, it is 500 " +
    "DOMAIN_VERIFICATION_FAILED and nothing changes: try again later."
}
const remove = {
  version: row("emailDomain", "id"),
  summary: "Delete an e-mail domain",
  description:
    "Deletes a domain with its key. 409 CONFLICT while the e-mail settings name it. Mails of it that are still " +
    "queued leave from the installation's address."
}

export class EmailDomainsGroup extends apiGroup("emailDomains", {
  part: "Admin",
  title: "E-mail domains",
  description: "Domains of a store's own that its mails come from."
}).add(
  HttpApiEndpoint.get("list", "/v1/email/domains", { query: pageQuery, success: listEnvelope(EmailDomain) }).pipe(
    adminRoute(list)
  ),
  HttpApiEndpoint.post("create", "/v1/email/domains", {
    payload: NewEmailDomain,
    success: created,
    error: fails(FieldRejected, EmailDomainTaken)
  }).pipe(adminRoute(create)),
  HttpApiEndpoint.post("verify", "/v1/email/domains/:id/verify", {
    params: id,
    success: EmailDomain,
    error: fails(EmailDomainNotFound, EmailDomainNotLookedUp, ResourceChanged)
  }).pipe(adminRoute(verify)),
  HttpApiEndpoint.delete("remove", "/v1/email/domains/:id", {
    params: id,
    success: Success,
    error: fails(EmailDomainNotFound, EmailDomainInUse)
  }).pipe(adminRoute(remove))
) {}

export class DashboardEmailDomainsGroup extends apiGroup("dashboardEmailDomains", {
  part: "Dashboard",
  title: "Store e-mail domains",
  description: "E-mail domains of one store, named in the path."
}).add(
  HttpApiEndpoint.get("list", "/stores/:storeId/email/domains", {
    params: storePath,
    query: pageQuery,
    success: listEnvelope(EmailDomain)
  }).pipe(storeAdminRoute("email", list)),
  HttpApiEndpoint.post("create", "/stores/:storeId/email/domains", {
    params: storePath,
    payload: NewEmailDomain,
    success: created,
    error: fails(FieldRejected, EmailDomainTaken)
  }).pipe(storeAdminRoute("email", create)),
  HttpApiEndpoint.post("verify", "/stores/:storeId/email/domains/:id/verify", {
    params: { ...storePath, ...id },
    success: EmailDomain,
    error: fails(EmailDomainNotFound, EmailDomainNotLookedUp, ResourceChanged)
  }).pipe(storeAdminRoute("email", verify)),
  HttpApiEndpoint.delete("remove", "/stores/:storeId/email/domains/:id", {
    params: { ...storePath, ...id },
    success: Success,
    error: fails(EmailDomainNotFound, EmailDomainInUse)
  }).pipe(storeAdminRoute("email", remove))
) {}

export const emailDomainGroups = [EmailDomainsGroup, DashboardEmailDomainsGroup] as const
