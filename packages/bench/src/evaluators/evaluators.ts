/**
 * Tax and zone matching beside plain evaluators that read every row, on the tables of a large store and on tables ten
 * times larger. Both must agree on every question before they are timed.
 */
import { compileTaxRates } from "@effect-commerce/core/tax/TaxMatcher"
import { compileZones } from "@effect-commerce/core/zone/ZoneMatcher"
import { makeRandom } from "../proof/Random.ts"
import { held, table, two, whole } from "../report.ts"
import type { Group } from "../run.ts"
import { linearTax, taxedLines, taxTable } from "./taxTables.ts"
import { type Evaluator, microseconds } from "./timing.ts"
import { linearZone, zoneAddresses, zoneTable } from "./zoneTables.ts"

/** Times in microseconds of a match. */
interface Figures {
  readonly product: number
  readonly linear: number
  /** The product on ten times the rows. */
  readonly tenfold: number
}

interface Sides<Question> {
  readonly product: Evaluator<Question>
  readonly linear: Evaluator<Question>
}

const questionsOfEach = 500

const agree = <Question>({ product, linear }: Sides<Question>): void => {
  for (const question of product.questions) {
    const [ours, theirs] = [product.evaluate(question), linear.evaluate(question)].map((answer) =>
      JSON.stringify(answer)
    )
    if (ours !== theirs) throw new Error(`${JSON.stringify(question)}: ${ours} beside ${theirs}`)
  }
}

const taxSides = (seed: number, count: number) => {
  const random = makeRandom(seed)
  const rates = taxTable(random, count)
  const questions = taxedLines(random, rates, questionsOfEach)
  const matcher = compileTaxRates(rates)
  return {
    product: { name: "product", questions, evaluate: (line) => matcher.match(line.address, line.taxClassId).ids },
    linear: { name: "linear", questions, evaluate: (line) => linearTax(rates, line) }
  } satisfies Sides<(typeof questions)[number]>
}

const zoneSides = (seed: number, count: number) => {
  const random = makeRandom(seed)
  const zones = zoneTable(random, count)
  const questions = zoneAddresses(random, zones, questionsOfEach)
  const matcher = compileZones(zones)
  return {
    product: { name: "product", questions, evaluate: (address) => matcher.match(address, null)?.zone.id },
    linear: { name: "linear", questions, evaluate: (address) => linearZone(zones, address) }
  } satisfies Sides<(typeof questions)[number]>
}

/** `sides` of tables that are `scale` times the size. */
const figuresOf = <Question>(sides: (scale: number) => Sides<Question>): Figures => {
  const [one, ten] = [sides(1), sides(10)]
  agree(one)
  const times = microseconds([one.product, one.linear, { ...ten.product, name: "tenfold" }])
  const { product = Number.NaN, linear = Number.NaN, tenfold = Number.NaN } = times
  return { product, linear, tenfold }
}

interface Comparison {
  readonly what: string
  readonly rows: string
  /** How many times faster than the plain evaluator it has to be. */
  readonly least: number
  readonly measure: () => Figures
}

const comparisons: ReadonlyArray<Comparison> = [
  {
    what: "tax match",
    rows: "10,000 rates",
    least: 200,
    measure: () => figuresOf((scale) => taxSides(1, 10_000 * scale))
  },
  {
    what: "zone match",
    rows: "5,000 zones, 50,000 vertices, 20,000 postal patterns",
    least: 50,
    measure: () => figuresOf((scale) => zoneSides(2, 5_000 * scale))
  }
]

const mostGrowth = 1.5

const cellsOf = ({ what, rows, least }: Comparison, { product, linear, tenfold }: Figures): ReadonlyArray<string> => {
  const growth = tenfold / product
  return [
    what,
    rows,
    two(product),
    whole(linear),
    held(linear / product, least),
    two(tenfold),
    growth <= mostGrowth ? two(growth) : `${two(growth)} (NOT KEPT: <= ${mostGrowth})`
  ]
}

export const evaluatorsGroup: Group = {
  name: "evaluators",
  rows: comparisons.map(({ what }) => what),
  measure: async ({ note }, asked) => {
    const measured = comparisons
      .filter(({ what }) => asked.includes(what))
      .map((comparison) => {
        const figures = comparison.measure()
        note(`${comparison.what}: ${two(figures.product)} us`)
        return { comparison, figures }
      })
    const text = table(
      ["what", "rows", "product us", "plain us", "times faster", "us on ten times the rows", "growth"],
      measured.map(({ comparison, figures }) => cellsOf(comparison, figures))
    )
    const data = measured.map(({ comparison: { what, rows }, figures }) => ({ what, rows, ...figures }))
    return { title: "Matching beside a plain evaluator", text, data }
  }
}
