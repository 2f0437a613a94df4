import * as Migrations from "@effect-commerce/core/migration/Migrations"
import { Effect } from "effect"
import { connectTo, migrated, settle } from "./openCore.ts"
import type { Settings } from "./Settings.ts"

/** Applies or lists the migrations; times are ISO 8601, null while pending. */
export const migrateDatabase = (settings: Settings, action: "up" | "status") =>
  settle(
    Effect.scoped(
      Effect.gen(function* () {
        const connection = yield* connectTo(settings)
        const states = yield* action === "up" ? migrated(connection) : Migrations.status(connection)
        return states.map((state) => ({
          id: state.id,
          name: state.name,
          appliedAt: state.appliedAt?.toISOString() ?? null
        }))
      })
    )
  )
