/** The report of the catalogue's reads, with the bounds that they are held to. */
import { mkdirSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { type CatalogueReport, type CatalogueResult, totalCpu } from "./catalogueBench.ts"
import { table } from "./report.ts"

const count = (value: number): string => value.toLocaleString("en-US")
const two = (value: number): string => (Number.isFinite(value) ? value.toFixed(2) : "unknown")
const held = (value: number, bound: number): string => (value >= bound ? `${two(value)}` : `${two(value)} (NOT KEPT)`)

/** How much slower it is at many products: bounds are 1.3, and 2 for the last page. */
const slowdown = ({ few, many }: CatalogueResult): number => totalCpu(many) / totalCpu(few)

const rowOf = (report: CatalogueReport, result: CatalogueResult): ReadonlyArray<string> => {
  const { read, kind, few, many } = result
  const ofBefore = kind === "list" && report.before !== undefined ? totalCpu(report.before) / totalCpu(few) : undefined
  return [
    read,
    two(few.cpu?.node ?? Number.NaN),
    two(few.cpu?.postgres ?? Number.NaN),
    Math.round(few.perSecond).toLocaleString("en-US"),
    two(many.cpu?.node ?? Number.NaN),
    two(many.cpu?.postgres ?? Number.NaN),
    two(slowdown(result)),
    ofBefore === undefined ? "" : held(ofBefore, 8),
    held(totalCpu(report.baseline[kind]) / totalCpu(few), kind === "list" ? 2.5 : 1)
  ]
}

const head = [
  "read",
  "Node ms",
  "PostgreSQL ms",
  "/s",
  "Node ms at many",
  "PostgreSQL ms at many",
  "many beside few",
  "the release before's list (>= 8)",
  "the baseline (list >= 2.5, others >= 1)"
]

export const catalogueText = (report: CatalogueReport): string => `# Storefront reads of a catalogue

CPU milliseconds of one request, at ${count(report.products.few)} and at ${count(report.products.many)} products of two variants in one store among a thousand. The last two columns are how many times more a
list of 20 of the release before costs, and the same of the hand-written baseline, on the same database. Reads are asked by 16 callers at once.

${table(
  head,
  report.reads.map((result) => rowOf(report, result))
)}

The baseline's list costs ${two(totalCpu(report.baseline.list))} ms, its product ${two(totalCpu(report.baseline.product))} ms, its inventory of 10 ${two(totalCpu(report.baseline.inventory))} ms${report.before === undefined ? "" : `; the list of the release before ${two(totalCpu(report.before))} ms`}.
A server that finds a catalogue which nobody has composed is ready after ${two(report.composed.few)} s at ${count(report.products.few)} products and ${two(report.composed.many)} s at
${count(report.products.many)}.
`

export const writeCatalogueReport = (report: CatalogueReport): void => {
  const folder = fileURLToPath(new URL("../reports/", import.meta.url))
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}catalogue.md`, catalogueText(report))
  writeFileSync(`${folder}catalogue.json`, `${JSON.stringify(report, null, 2)}\n`)
}
