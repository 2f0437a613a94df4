/** Answers that are made of the texts of products. */
import { type Page, toEnvelope } from "../../kernel/Pagination.ts"
import type { Facets } from "../Facets.ts"
import type { ShownText } from "./rememberedDocuments.ts"
import { type AnsweredPage, hashedAnswer, type StorefrontAnswer } from "./rememberedPages.ts"

const jsonOf = (products: ReadonlyArray<ShownText>): string => `[${products.map(({ text }) => text).join(",")}]`
const tagsOf = (products: ReadonlyArray<ShownText>): string => products.map(({ tag }) => tag).join("\n")

export const productsAnswer = (products: ReadonlyArray<ShownText>): StorefrontAnswer =>
  hashedAnswer(`{"products":${jsonOf(products)}}`, tagsOf(products))

/** A page in its envelope. */
export const pageAnswer = (
  page: Page,
  total: number,
  products: ReadonlyArray<ShownText>,
  facets: Facets | undefined
): AnsweredPage => {
  const { meta } = toEnvelope(page, { items: [], total })
  const beside = facets === undefined ? "" : `,"facets":${JSON.stringify(facets)}`
  const end = `"meta":${JSON.stringify(meta)}${beside}}`
  return {
    answer: hashedAnswer(`{"data":${jsonOf(products)},${end}`, `${tagsOf(products)}\n${end}`),
    facets,
    since: Math.max(Number.NEGATIVE_INFINITY, ...products.map(({ since }) => since)),
    until: Math.min(Number.POSITIVE_INFINITY, ...products.map(({ until }) => until))
  }
}
