import { Effect } from "effect"
import { expect, layer } from "@effect/vitest"
import { Database } from "../../src/database/Database.ts"
import { TestDatabase } from "../../src/testing/TestDatabase.ts"

layer(TestDatabase.layer)("Database", (it) => {
  it.effect("runs as the application's role, never as the connecting superuser", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      expect(yield* sql`SELECT current_user AS who, session_user AS login`).toEqual([{ who: "commerce_app", login: "postgres" }])
    })
  )
})
