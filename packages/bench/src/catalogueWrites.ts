/**
 * `npm run bench -- --only writes`: products created in sets, beside a bare `INSERT … SELECT` of the same rows, and a
 * store description as `commerce seed` loads it.
 */
import { coreLayer } from "@effect-commerce/core/CommerceCore"
import { ProductImports } from "@effect-commerce/core/product/ProductImports"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect, Layer, Redacted } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { CataloguePlace } from "./catalogueBench.ts"
import { copyStores, seedStore } from "./catalogueSeed.ts"
import { median } from "./measure.ts"
import { ended, startFile } from "./processes.ts"

export interface WritesReport {
  /** Seconds for a call of a thousand products of two variants, and for the same rows by SQL alone. */
  readonly bulk: number
  readonly bare: number
  readonly seeded: { readonly products: number; readonly seconds: number }
}

const perCall = 1_000

const product = (tag: string, i: number) => ({
  externalSourceId: `${tag}-${i}`,
  name: `Good ${tag} ${i}`,
  status: "active",
  description: `<p>${"Made to be used every day. ".repeat(8)}</p>`,
  basePrice: "12.50",
  tags: ["new", `tag-${i % 7}`],
  variants: ["S", "L"].map((size) => ({
    attributes: { Size: size },
    sku: `${tag}-${i}-${size}`,
    inventory: { total: 100 }
  }))
})

const bodies = (tag: string, count: number) => Array.from({ length: count }, (_, i) => product(tag, i))

const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1_000
}

const bulkCalls = ({ connection, shop }: CataloguePlace, rounds: number): Promise<ReadonlyArray<number>> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const secret = Redacted.make("the root secret of a benchmark, unused")
        const services = yield* Layer.build(coreLayer({ connection, secret, maxConnections: 3 }))
        return yield* Effect.gen(function* () {
          const store = yield* (yield* Stores).context(shop.storeId)
          const imports = yield* ProductImports
          const seconds: Array<number> = []
          for (let round = 0; round <= rounds; round++) {
            const job = yield* imports.start(store, bodies(`round${round}`, perCall))
            const start = performance.now()
            yield* imports.pass
            seconds.push((performance.now() - start) / 1_000)
            const { failed, succeeded } = yield* imports.progress(store, job.jobId)
            if (failed > 0 || succeeded !== perCall) return yield* Effect.die(new Error(`${failed} rows are refused`))
          }
          return seconds.slice(1)
        }).pipe(Effect.provideContext(services))
      })
    )
  )

export const measureWrites = async (
  place: CataloguePlace,
  { rounds, products }: { readonly rounds: number; readonly products: number }
): Promise<WritesReport> => {
  const bulk = median(await bulkCalls(place, rounds))
  await copyStores(place.seeder, place.shop, "store_bare", rounds)
  const bare: Array<number> = []
  for (let i = 1; i <= rounds; i++)
    bare.push(await secondsOf(() => seedStore(place.seeder, `store_bare${i}`, `bare${i}`, perCall)))
  const folder = mkdtempSync(join(tmpdir(), "commerce-seed-"))
  const file = join(folder, "store.json")
  const rows = bodies("seed", products).map(({ externalSourceId, ...body }) => ({
    externalId: externalSourceId,
    ...body
  }))
  writeFileSync(file, JSON.stringify({ products: rows }))
  const seconds = await secondsOf(() =>
    ended(
      startFile("../../../scripts/commerce.ts", {
        args: ["seed", file, "--store", place.shop.storeId, "--data-dir", place.dataDir],
        env: { DATABASE_URL: undefined }
      })
    )
  )
  rmSync(folder, { recursive: true, force: true })
  return { bulk, bare: median(bare), seeded: { products, seconds } }
}

export const writesText = ({ bulk, bare, seeded }: WritesReport): string =>
  `A call of ${perCall} products of two variants: ${bulk.toFixed(2)} s, ${(bulk / bare).toFixed(1)} times as long as a bare INSERT … SELECT of their products, variants and stock (${bare.toFixed(2)} s).
A store description of ${seeded.products} products of two variants: ${seeded.seconds.toFixed(1)} s.`
