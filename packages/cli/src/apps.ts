/** The work of `commerce app`. */
import type { AppInstallationView, AppTier, InstallApp } from "@effect-commerce/core/app/AppInstallation"
import { AppInstallations } from "@effect-commerce/core/app/AppInstallations"
import { appScopes, isManifestScope } from "@effect-commerce/core/app/AppScope"
import { maxLimit } from "@effect-commerce/core/kernel/Pagination"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect } from "effect"
import { listExisting, withExisting } from "./existingDatabase.ts"
import { onlyStore } from "./openCore.ts"
import { Refused, WrongUsage } from "./Refused.ts"
import type { Settings } from "./Settings.ts"

export interface AppAsked {
  readonly storeId: string | undefined
  readonly name: string
  readonly scopes: ReadonlyArray<string>
  readonly tier: AppTier
}

export interface AppMinted {
  readonly installationId: string
  readonly token: string
  readonly scopes: ReadonlyArray<string>
}

const manifestOf = ({ name, scopes }: AppAsked): InstallApp => {
  if (name.trim() === "") throw new WrongUsage("--name: must not be empty")
  if (scopes.length === 0) throw new WrongUsage("--scope: give at least one")
  const wrong = scopes.find((scope) => !isManifestScope(scope))
  if (wrong !== undefined) throw new Refused(`--scope: ${wrong} is refused; an app may have ${appScopes.join(", ")}`)
  return { name, scopes: scopes.filter(isManifestScope) }
}

const storeOf = (storeId: string | undefined) =>
  storeId === undefined ? onlyStore("--store") : Stores.use((stores) => stores.context(storeId))

export const installApp = (settings: Settings, asked: AppAsked): Promise<AppMinted> => {
  const manifest = manifestOf(asked)
  return withExisting(
    settings,
    Effect.gen(function* () {
      const store = yield* storeOf(asked.storeId)
      const minted = yield* (yield* AppInstallations)
        .install(store, manifest, asked.tier)
        .pipe(
          Effect.catchTag("AppAlreadyInstalled", (error) =>
            Effect.fail(new Refused(`${error.name} is installed already: \`commerce app list\``))
          )
        )
      return { installationId: minted.id, token: minted.token, scopes: minted.scopes }
    })
  )
}

const rowOf = ({ id, name, tier, scopes, tokenPrefix, createdAt }: AppInstallationView) => ({
  installationId: id,
  name,
  tier,
  scopes,
  tokenPrefix,
  createdAt
})

/** A store has no more than a page holds. */
export const listApps = (settings: Settings, storeId: string | undefined) =>
  listExisting(
    settings,
    Effect.gen(function* () {
      const store = yield* storeOf(storeId)
      const { items } = yield* (yield* AppInstallations).list(store, { page: 1, limit: maxLimit })
      return items.map(rowOf)
    })
  )

export const removeApp = (settings: Settings, storeId: string | undefined, id: string) =>
  withExisting(
    settings,
    Effect.gen(function* () {
      const store = yield* storeOf(storeId)
      yield* (yield* AppInstallations)
        .remove(store, id)
        .pipe(
          Effect.catchTag("InstallationNamed", ({ regionCount }) =>
            Effect.fail(new Refused(`${regionCount} regions list ${id}: take it out of them first`))
          )
        )
      return { installationId: id, removed: true }
    })
  )
