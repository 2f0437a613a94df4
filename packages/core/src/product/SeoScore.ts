/**
 * How well a product is prepared for search engines. A pure function of what the product shows: each rule that holds
 * adds its points, up to 100. A broken rule of severity error should be fixed before the product can be found; the
 * others are advice. The rules are listed in docs/seo-score.md.
 */
import { Schema } from "effect"
import { boolean, integer, oneOf } from "../kernel/Fields.ts"

const seoBands = ["poor", "fair", "good"] as const

export const SeoScore = Schema.Struct({
  score: integer("From 0 to 100.", 80),
  band: oneOf(seoBands, "Rating of the score: `good` from 80, `fair` from 50, `poor` below."),
  hasUnresolvedError: boolean("Whether something important is missing: a description or a picture.")
}).annotate({ identifier: "SeoScore", description: "How well a product is prepared for search engines." })
export type SeoScore = typeof SeoScore.Type

interface Codes {
  readonly gtin: string | null
  readonly mpn: string | null
  readonly sku: string | null
}

interface Scored extends Codes {
  readonly name: string
  readonly description: string | null
  readonly metaDescription: string | null
  readonly images: ReadonlyArray<{ readonly alt: string | null }>
}

/** The lengths of a product's texts. */
interface Measured extends Codes {
  readonly name: number
  readonly description: number
  readonly metaDescription: number
  readonly alts: ReadonlyArray<number>
}

interface Rule {
  readonly points: number
  readonly isError: boolean
  readonly holds: (product: Measured) => boolean
}

/** Visible characters: without tags, and with each run of white space counted as one. */
const lengthOf = (text: string | null): number =>
  (text ?? "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim().length

const isBetween = (length: number, least: number, most: number): boolean => length >= least && length <= most

const rules: ReadonlyArray<Rule> = [
  { points: 20, isError: true, holds: ({ description }) => description > 0 },
  { points: 15, isError: true, holds: ({ alts }) => alts.length > 0 },
  { points: 15, isError: false, holds: ({ description }) => description >= 150 },
  { points: 15, isError: false, holds: ({ metaDescription }) => metaDescription > 0 },
  { points: 10, isError: false, holds: ({ metaDescription }) => isBetween(metaDescription, 50, 160) },
  { points: 10, isError: false, holds: ({ name }) => isBetween(name, 10, 70) },
  { points: 10, isError: false, holds: ({ alts }) => alts.length > 0 && alts.every((alt) => alt > 0) },
  { points: 5, isError: false, holds: ({ gtin, mpn, sku }) => gtin !== null || mpn !== null || sku !== null }
]

const bandOf = (score: number): SeoScore["band"] => (score >= 80 ? "good" : score >= 50 ? "fair" : "poor")

export const seoScoreOf = (product: Scored): SeoScore => {
  const { gtin, mpn, sku, images } = product
  const lengths: Measured = {
    name: lengthOf(product.name),
    description: lengthOf(product.description),
    metaDescription: lengthOf(product.metaDescription),
    alts: images.map(({ alt }) => lengthOf(alt)),
    gtin,
    mpn,
    sku
  }
  const broken = rules.filter(({ holds }) => !holds(lengths))
  const score = 100 - broken.reduce((sum, { points }) => sum + points, 0)
  return { score, band: bandOf(score), hasUnresolvedError: broken.some(({ isError }) => isError) }
}
