/** An app that a store has installed: how it is shown, how many requests it may make, what is known of its token. */
import { Schema } from "effect"
import { arrayOf, described, filledText, oneOf, string, timestamp } from "../kernel/Fields.ts"
import type { StoreBound } from "../kernel/StoreBound.ts"
import { AppScopeName, WantedScope } from "./AppScope.ts"

/** Each app has an inbox and mappings of its own: a store has few. */
export const appInstallationBound: StoreBound = { field: "installations", most: 100, words: "installed apps" }

const appTiers = ["first-party", "connector", "other"] as const
export type AppTier = (typeof appTiers)[number]

/** Requests a minute of one installation; events that it receives are counted apart. */
export const appTierLimits: Record<AppTier, number> = { "first-party": 1_000, connector: 500, other: 100 }

/** Events a minute that one installation may receive. */
export const inboundLimit = 30_000

export const longestAppName = 200

/** How every app token begins; 43 random characters follow. */
export const appTokenMark = "app_inst_"
export const appTokenBytes = 32
/** How much of a token is shown later: the mark and four characters. */
export const appTokenPrefixLength = appTokenMark.length + 4

const name = string("Name of the app, unique in the store.", "Fulfilment connector")
const fields = {
  id: string("Id of the installation.", "inst_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  storeId: string("The store that has installed it."),
  name,
  appId: string("Which app it is: the slug of its name.", "fulfilment-connector"),
  tier: oneOf(appTiers, "How many requests a minute the app may make: first-party 1000, connector 500, other 100."),
  scopes: arrayOf(AppScopeName, "What its token may do."),
  tokenPrefix: string("The first characters of its token, to recognise it by.", "app_inst_p1PE"),
  createdAt: timestamp("When it was installed."),
  updatedAt: timestamp("When it last changed. It is the version that If-Match names.")
}

export const AppInstallationView = Schema.Struct(fields).annotate({
  identifier: "Installation",
  description: "An app that the store has installed, without its token."
})
export type AppInstallationView = typeof AppInstallationView.Type

/** The response that shows a token, once. */
export const MintedInstallation = Schema.Struct({
  ...fields,
  installationId: string("The id again, as paths name it.", "inst_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  token: string(
    "The token of the app. It is shown in this response and never again.",
    "app_inst_p1PETlKzMSr9tVRg-_jBjW5K16CSArhhvWeCiTeEfDU"
  )
}).annotate({ identifier: "InstallationWithToken", description: "An installed app, with its new token." })
export type MintedInstallation = typeof MintedInstallation.Type

export const InstallApp = Schema.Struct({
  name: described(filledText(longestAppName), "Name of the app, unique in the store.", "Fulfilment connector"),
  scopes: described(
    Schema.Array(WantedScope).pipe(Schema.check(Schema.isMinLength(1), Schema.isMaxLength(20))),
    "What its manifest asks for: mappings:read, mappings:write, mappings:*, config:write. Any other is 400.",
    ["mappings:read", "mappings:write"]
  )
}).annotate({ identifier: "InstallApp", description: "An app to install." })
export type InstallApp = typeof InstallApp.Type

export interface AppInstallationState {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly tier: AppTier
  readonly scopes: ReadonlyArray<string>
  readonly tokenPrefix: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const toInstallationView = (storeId: string, { slug, ...state }: AppInstallationState): AppInstallationView => ({
  id: state.id,
  storeId,
  name: state.name,
  appId: slug,
  tier: state.tier,
  scopes: state.scopes,
  tokenPrefix: state.tokenPrefix,
  createdAt: state.createdAt.toISOString(),
  updatedAt: state.updatedAt.toISOString()
})

/** An installation and its store: where mappings, secrets and events are. */
export interface InstallationPlace {
  readonly storeId: string
  readonly installationId: string
}

/** The holder of a valid app token. */
export interface AppHolder extends Pick<AppInstallationState, "name" | "tier" | "scopes"> {
  readonly installationId: string
  readonly storeId: string
}
