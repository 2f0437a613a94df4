/**
 * The secrets of an installed app, such as its key for the platform that it connects: sealed for their own row
 * (AES-256-GCM; the sealed text names its key), and returned by no route. Code in this process opens them.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { RootSecret } from "../crypto/RootSecret.ts"
import { Database } from "../database/Database.ts"
import { checkVersion } from "../database/Precondition.ts"
import { orFail } from "../database/Repository.ts"
import { manyProblem } from "../kernel/FieldErrors.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import type { InstallationPlace } from "./AppInstallation.ts"
import { InstallationNotFound } from "./AppErrors.ts"
import { AppInstallationRepository } from "./AppInstallationRepository.ts"
import { mostSecrets, type SecretsInput, secretsProblem, type SecretsView } from "./AppSecret.ts"

const purpose = "app-secret"

export class AppSecrets extends Context.Service<AppSecrets>()("@effect-commerce/core/app/AppSecrets", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* AppInstallationRepository
    const root = yield* RootSecret

    const contextOf = ({ storeId, installationId }: InstallationPlace, key: string) =>
      `${storeId}|app_secret|value|${installationId}|${key}`

    /** Merges the changes into what is there; limits hold for the result. */
    const put = Effect.fn("AppSecrets.put")(function* (place: InstallationPlace, { secrets }: SecretsInput) {
      const problem = secretsProblem(secrets)
      if (problem !== undefined) return yield* problem
      const { storeId, installationId } = place
      const now = new Date(yield* Clock.currentTimeMillis)
      const entries = Object.entries(secrets)
      const removed = entries.flatMap(([key, value]) => (value === null ? [key] : []))
      const written = entries.flatMap(([key, value]) => (value === null ? [] : [{ key, value }]))
      return yield* database.write(storeId)(
        Effect.gen(function* () {
          const held = yield* orFail(
            repository.hold(storeId, installationId),
            () => new InstallationNotFound({ id: installationId })
          )
          yield* checkVersion(held.secretsUpdatedAt)
          const kept = new Set(yield* repository.secretKeys(storeId, installationId))
          for (const key of removed) kept.delete(key)
          for (const { key } of written) kept.add(key)
          const many = manyProblem(kept.size, mostSecrets)
          if (many !== undefined) return yield* FieldRejected.at("secrets", `${many} in all`)
          const put = written.map(({ key, value }) => ({
            key,
            value: root.seal(purpose, contextOf(place, key), value)
          }))
          const updatedAt = yield* repository.putSecrets(storeId, installationId, { put, removed }, now)
          const view: SecretsView = { keys: [...kept].sort(), updatedAt: (updatedAt ?? now).toISOString() }
          return view
        })
      )
    })

    return {
      put,
      /** The values by name, for code of the host that acts for the app. Dies where one does not open. */
      open: Effect.fnUntraced(function* (place: InstallationPlace) {
        const rows = yield* repository.secrets(place.storeId, place.installationId)
        return yield* Effect.sync(() =>
          Object.fromEntries(rows.map(({ key, value }) => [key, root.open(purpose, contextOf(place, key), value)]))
        )
      })
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide(AppInstallationRepository.layer))
}
