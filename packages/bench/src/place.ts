/** Databases of a run: each an embedded server on a data directory of its own, with a store in it. */
import { join } from "node:path"
import type { ConnectionOptions } from "@effect-commerce/core/database/ConnectionOptions"
import * as EmbeddedPostgres from "@effect-commerce/core/embedded/EmbeddedPostgres"
import { Effect, Exit, Scope } from "effect"
import type { Client } from "pg"
import { composedProducts, copyProducts, seedCatalogue, settleCatalogue } from "./catalogueSeed.ts"
import { parentOf } from "./cpuTimes.ts"
import { stop } from "./processes.ts"
import type * as seedModule from "./seed.ts"
import { openSeeder, openShop, type Shop } from "./seed.ts"
import { serveProduct } from "./serving.ts"

export interface Place {
  readonly dataDir: string
  readonly connection: ConnectionOptions
  readonly shop: Shop
  readonly seeder: Client
  /** The process of the database server; undefined where the system does not say. */
  readonly postmaster: number | undefined
}

export type Seed = Pick<typeof seedModule, "openShop" | "openSeeder">

export class Places {
  readonly #folder: string
  readonly #note: (line: string) => void
  readonly #close: Array<() => Promise<void>> = []
  readonly #catalogues = new Map<number, Promise<Place>>()

  constructor(folder: string, note: (line: string) => void) {
    this.#folder = folder
    this.#note = note
  }

  dataDir(name: string): string {
    return join(this.#folder, name)
  }

  /** A store with nothing to sell, made by `seed`: this checkout's, or another one's. */
  async open(name: string, seed: Seed = { openShop, openSeeder }): Promise<Place> {
    const dataDir = this.dataDir(name)
    const scope = await Effect.runPromise(Scope.make())
    const { connection } = await Effect.runPromise(Scope.provide(EmbeddedPostgres.start({ dataDir }), scope))
    const shop = await seed.openShop(connection)
    const seeder = await seed.openSeeder(connection)
    this.#close.push(async () => {
      await seeder.end()
      await Effect.runPromise(Scope.close(scope, Exit.void))
    })
    const backend = (await seeder.query("SELECT pg_backend_pid() AS pid")).rows[0]?.["pid"]
    return { dataDir, connection, shop, seeder, postmaster: parentOf(Number(backend)) }
  }

  /** The catalogue of `count` products (catalogueSeed), made once for all groups of a run that read it. */
  catalogue(count: number): Promise<Place> {
    const open = this.#catalogues.get(count) ?? this.#makeCatalogue(count)
    this.#catalogues.set(count, open)
    return open
  }

  async #makeCatalogue(count: number): Promise<Place> {
    const place = await this.open(`catalogue${count}`)
    await seedCatalogue(place.seeder, place.shop)
    const product = await serveProduct(place.dataDir)
    await stop(product.child)
    if (count > composedProducts) await copyProducts(place.seeder, place.shop, count)
    else await settleCatalogue(place.seeder)
    this.#note(`A catalogue of ${count} products is there.`)
    return place
  }

  async close(): Promise<void> {
    for (const close of this.#close.splice(0)) await close()
  }
}
