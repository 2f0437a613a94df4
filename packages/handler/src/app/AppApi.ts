/** Installed apps: what merchants do with them, by an admin key, and what apps do for themselves, by their token. */
import {
  BotNotBuilt,
  AppAlreadyInstalled,
  InstallationNamed,
  InstallationNotFound
} from "@effect-commerce/core/app/AppErrors"
import { InboundView, mostInboundBytes, ReceivedInbound } from "@effect-commerce/core/app/AppInbound"
import { AppInstallationView, InstallApp, MintedInstallation } from "@effect-commerce/core/app/AppInstallation"
import { SecretsInput, SecretsView } from "@effect-commerce/core/app/AppSecret"
import { ResourceChanged } from "@effect-commerce/core/database/Precondition"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { string } from "@effect-commerce/core/kernel/Fields"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { channelPath } from "../middleware/PathParameters.ts"
import { adminRoute, channelRoute, installationRoute } from "../middleware/Policy.ts"
import { Success } from "../middleware/Responses.ts"
import { row, unversioned, useCase } from "../middleware/Versioned.ts"
import { appErrors } from "./appErrors.ts"
import { MappingsGroup } from "./MappingApi.ts"

const fails = failsBy(appErrors)

const installation = {
  installationId: string("The installation.", "inst_01k9f3m2q7x4b8n6c5d1e0h2jk")
}
const topic = { topic: string("What the event is about, in a word of the app's own.", "parcel.scanned") }
const version = row("appInstallation", "installationId")

export class InstallationsGroup extends apiGroup("installations", {
  part: "Apps",
  title: "Installations",
  description: "The apps of the store: install and remove them, renew their tokens, and write their secrets."
}).add(
  HttpApiEndpoint.get("list", "/v1/installations", {
    query: pageQuery,
    success: listEnvelope(AppInstallationView)
  }).pipe(
    adminRoute({ summary: "List installed apps", description: "Lists the apps of the store, the newest first." })
  ),
  HttpApiEndpoint.post("install", "/v1/installations", {
    payload: InstallApp,
    success: MintedInstallation.pipe(HttpApiSchema.status(201)),
    error: fails(FieldRejected, AppAlreadyInstalled)
  }).pipe(
    adminRoute({
      exampleRequest: { name: "Fulfilment connector", scopes: ["mappings:read", "mappings:write", "config:write"] },
      summary: "Install an app",
      description:
        "Installs an app of the tier `other`, with the scopes of its manifest. Only this response shows its token. " +
        "An app whose name is installed already, capital letters and punctuation aside, is 409 ALREADY_INSTALLED.",
      reads: AppInstallationView,
      secretAnswer: true,
      oneTransaction: true
    })
  ),
  HttpApiEndpoint.get("get", "/v1/installations/:installationId", {
    params: installation,
    success: AppInstallationView,
    error: fails(InstallationNotFound)
  }).pipe(adminRoute({ summary: "Get an installed app", description: "Returns one installation, without its token." })),
  HttpApiEndpoint.delete("remove", "/v1/installations/:installationId", {
    params: installation,
    success: Success,
    error: fails(InstallationNotFound, InstallationNamed)
  }).pipe(
    adminRoute({
      summary: "Remove an app",
      description:
        "Ends the token of the app at once, within five seconds on other servers, and deletes its secrets, mappings " +
        "and inbound events. 409 while a region lists the installation.",
      oneTransaction: true,
      version
    })
  ),
  HttpApiEndpoint.post("renewToken", "/v1/installations/:installationId/token", {
    params: installation,
    success: MintedInstallation,
    error: fails(InstallationNotFound)
  }).pipe(
    installationRoute(undefined, {
      summary: "Renew the token of an app",
      description:
        "Returns a new token, this once, with the same scopes. The one before ends at once, within five seconds on " +
        "other servers. It needs an admin key: no app renews its own token.",
      secretAnswer: true,
      oneTransaction: true,
      version
    })
  ),
  HttpApiEndpoint.put("putSecrets", "/v1/installations/:installationId/secrets", {
    params: installation,
    payload: SecretsInput,
    success: SecretsView,
    error: fails(FieldRejected, InstallationNotFound, ResourceChanged)
  }).pipe(
    installationRoute("config:write", {
      exampleRequest: { secrets: { API_KEY: "k_live_1", OLD_KEY: null } },
      summary: "Write the secrets of an app",
      description:
        "Merges names and values into the secrets of the app; null removes one. They are stored encrypted, and no " +
        "route returns a value. An app token needs the scope config:write.",
      oneTransaction: true,
      version: useCase
    })
  )
) {}

export class InboundEventsGroup extends apiGroup("inboundEvents", {
  part: "Apps",
  title: "Inbound events",
  description: "What other systems send to an app: kept byte for byte, and listed for the app."
}).add(
  HttpApiEndpoint.post("receive", "/v1/installations/:installationId/inbound/:topic", {
    params: { ...installation, ...topic },
    success: ReceivedInbound.pipe(HttpApiSchema.status(202)),
    error: fails(FieldRejected, InstallationNotFound)
  }).pipe(
    installationRoute("config:write", {
      rawBody: true,
      maxBody: mostInboundBytes,
      summary: "Receive an event for an app",
      description:
        "Keeps the body as it is sent, of whatever kind and up to 1 MiB, under the topic in the path. An app " +
        "may receive 30,000 events a minute, which do not count as its other requests. Its newest 64 MiB are kept, " +
        "at most 512 MiB for the store, for 7 days. A compressed body is 415. An app token needs the scope " +
        "config:write.",
      oneTransaction: true,
      version: unversioned("an event is added, and the installation stays as it is")
    })
  ),
  HttpApiEndpoint.get("list", "/v1/installations/:installationId/inbound/:topic", {
    params: { ...installation, ...topic },
    query: pageQuery,
    success: listEnvelope(InboundView),
    error: fails(FieldRejected, InstallationNotFound)
  }).pipe(
    installationRoute("config:write", {
      summary: "List the events of an app",
      description:
        "Returns the events of one topic, the newest first. A page has fewer than `limit` where the largest event " +
        "leaves no room for more; `meta.limit` says how many. An app token needs the scope config:write."
    })
  )
) {}

export class StorefrontBotGroup extends apiGroup("storefrontBot", {
  part: "Storefront",
  title: "Bot",
  description: "A bot that talks to shoppers is not part of this server: its route returns 501."
}).add(
  HttpApiEndpoint.post("summarize", "/vc/:salesChannelId/bot/summarize", {
    params: channelPath,
    success: Success,
    error: fails(BotNotBuilt)
  }).pipe(
    channelRoute("storefrontRead", {
      summary: "Summarize a conversation",
      description:
        "Returns 501 NOT_IMPLEMENTED: this server has no bot. At most 10 requests a minute from one IP address.",
      cap: { limit: 10, ms: 60_000 },
      alwaysFails: true
    })
  )
) {}

export const appGroups = [InstallationsGroup, MappingsGroup, InboundEventsGroup, StorefrontBotGroup] as const
