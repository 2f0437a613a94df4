/** A store of its own for each test of store descriptions, and ways to load into it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { coreLayer, type CoreServices } from "@effect-commerce/core/CommerceCore"
import { Products } from "@effect-commerce/core/product/Products"
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import { Stores } from "@effect-commerce/core/store/Stores"
import * as TestDatabase from "@effect-commerce/core/testing/TestDatabase"
import { Effect, ManagedRuntime } from "effect"
import { loadInto } from "../src/seed.ts"
import { sectionNames } from "../src/seed/sections.ts"
import { readDocument } from "../src/seed/document.ts"

export const openSeeding = async () => {
  const folder = mkdtempSync(join(tmpdir(), "commerce-seed-"))
  const database = await TestDatabase.open()
  const runtime = ManagedRuntime.make(
    coreLayer({ connection: database.connection, secret: TestDatabase.testSecret, maxConnections: 4 })
  )
  const run = <A, E>(effect: Effect.Effect<A, E, CoreServices>): Promise<A> => runtime.runPromise(effect)
  const read = (document: unknown) => {
    const file = join(folder, "store.json")
    writeFileSync(
      file,
      typeof document === "string" || document instanceof Uint8Array ? document : JSON.stringify(document)
    )
    return readDocument(file, sectionNames)
  }
  const load = async (store: StoreContext, document: unknown) => {
    const description = await read(document)
    return run(loadInto(store.id, () => description))
  }
  return {
    run,
    load,
    newStore: () => run(Stores.use((stores) => stores.create({ name: "Shop", currency: "EUR", country: "DE" }))),
    /** The line that refuses a description. */
    refusal: async (store: StoreContext, document: unknown): Promise<string> => {
      try {
        await load(store, document)
      } catch (error) {
        return error instanceof Error ? error.message.replace(`${join(folder, "store.json")}: `, "") : String(error)
      }
      throw new Error("was not refused")
    },
    productOf: (store: StoreContext, externalId: string) =>
      run(
        Effect.gen(function* () {
          const products = yield* Products
          const ids = yield* products.idsByExternal(store, [externalId])
          return yield* products.get(store, { id: ids.get(externalId) ?? "" }, "admin")
        })
      ),
    close: async () => {
      await runtime.dispose()
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
