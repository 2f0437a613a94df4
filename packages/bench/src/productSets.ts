/**
 * Products created in sets, beside a bare `INSERT … SELECT` of the same rows, and a store description as `commerce
 * seed` loads it.
 */
import { coreLayer } from "@effect-commerce/core/CommerceCore"
import { ProductImports } from "@effect-commerce/core/product/ProductImports"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect, Layer, Redacted } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { copyStores, seedStore } from "./catalogueSeed.ts"
import { cpuTimesOf } from "./cpuTimes.ts"
import { median } from "./measure.ts"
import type { Place } from "./place.ts"
import { ended, startFile } from "./processes.ts"
import { two, whole } from "./report.ts"
import type { Group, Section } from "./run.ts"

/** What writing a set took: seconds, and CPU milliseconds of this process and of PostgreSQL together. */
interface Taken {
  readonly seconds: number
  readonly cpu: number
}

interface SetsReport {
  /** A call of a thousand products of two variants, and the same rows by SQL alone. */
  readonly bulk?: Taken
  readonly bare?: Taken
  readonly seeded?: { readonly products: number; readonly seconds: number }
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

const timed = async (place: Place, work: () => Promise<unknown>): Promise<Taken> => {
  const [before, start] = [cpuTimesOf(process.pid, place.postmaster), performance.now()]
  await work()
  const [after, seconds] = [cpuTimesOf(process.pid, place.postmaster), (performance.now() - start) / 1_000]
  if (before === undefined || after === undefined) return { seconds, cpu: Number.NaN }
  return { seconds, cpu: after.node - before.node + after.postgres - before.postgres }
}

const medianOf = (taken: ReadonlyArray<Taken>): Taken => ({
  seconds: median(taken.map((one) => one.seconds)),
  cpu: median(taken.map((one) => one.cpu))
})

/** The first call warms this process up and is not counted. */
const bulkCalls = (place: Place, rounds: number): Promise<Taken> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const secret = Redacted.make("the root secret of a benchmark, unused")
        const services = yield* Layer.build(coreLayer({ connection: place.connection, secret, maxConnections: 3 }))
        return yield* Effect.gen(function* () {
          const store = yield* (yield* Stores).context(place.shop.storeId)
          const imports = yield* ProductImports
          const taken: Array<Taken> = []
          for (let round = 0; round <= rounds; round++) {
            const job = yield* imports.start(store, bodies(`round${round}`, perCall))
            taken.push(yield* Effect.promise(() => timed(place, () => Effect.runPromise(imports.pass))))
            const { failed, succeeded } = yield* imports.progress(store, job.jobId)
            if (failed > 0 || succeeded !== perCall) return yield* Effect.die(new Error(`${failed} rows are refused`))
          }
          return medianOf(taken.slice(1))
        }).pipe(Effect.provideContext(services))
      })
    )
  )

const bareInserts = async (place: Place, rounds: number): Promise<Taken> => {
  await copyStores(place.seeder, place.shop, "store_bare", rounds)
  const taken: Array<Taken> = []
  for (let i = 1; i <= rounds; i++)
    taken.push(await timed(place, () => seedStore(place.seeder, `store_bare${i}`, `bare${i}`, perCall)))
  return medianOf(taken)
}

/** Seconds that `commerce seed` takes to load a store description with this number of products. */
const seedDescription = async (place: Place, products: number): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), "commerce-seed-"))
  const file = join(folder, "store.json")
  const rows = bodies("seed", products).map(({ externalSourceId, ...body }) => ({
    externalId: externalSourceId,
    ...body
  }))
  writeFileSync(file, JSON.stringify({ products: rows }))
  const { seconds } = await timed(place, () =>
    ended(
      startFile("../../../scripts/commerce.ts", {
        args: ["seed", file, "--store", place.shop.storeId, "--data-dir", place.dataDir],
        env: { DATABASE_URL: undefined }
      })
    )
  )
  rmSync(folder, { recursive: true, force: true })
  return seconds
}

const textOf = ({ bulk, bare, seeded }: SetsReport): string =>
  [
    bulk === undefined || bare === undefined
      ? ""
      : `A call of ${whole(perCall)} products of two variants takes ${two(bulk.cpu / bare.cpu)} times the CPU (6 at most) and ${two(bulk.seconds / bare.seconds)} times the time of a bare INSERT … SELECT of their
products, variants and stock: ${whole(bulk.cpu)} ms beside ${whole(bare.cpu)} ms, ${two(bulk.seconds)} s beside ${two(bare.seconds)} s.`,
    seeded === undefined
      ? ""
      : `\`commerce seed\` loads a description of ${whole(seeded.products)} products of two variants in ${two(seeded.seconds)} s.`
  ]
    .filter((line) => line !== "")
    .join("\n")

const rowNames = ["1,000 products in one call", "commerce seed"] as const

export const productSetsGroup: Group = {
  name: "product-sets",
  rows: rowNames,
  measure: async ({ places, plan }, rows): Promise<Section> => {
    const place = await places.open("sets")
    const rounds = plan.pairs - 1
    const products = plan.isQuick ? 10_000 : 50_000
    const data: SetsReport = {
      ...(rows.includes(rowNames[0])
        ? { bulk: await bulkCalls(place, rounds), bare: await bareInserts(place, rounds) }
        : {}),
      ...(rows.includes(rowNames[1]) ? { seeded: { products, seconds: await seedDescription(place, products) } } : {})
    }
    return { title: "Products in sets", text: textOf(data), data }
  }
}
