/**
 * The text of a composed document: the JSON of a product as storefronts are answered, with holes for what changes
 * without a write of the product. Control characters cannot occur in JSON text, so they mark the holes, and reading a
 * document is splitting it there: nothing is parsed.
 *
 *     start of the sale, its end, languages   in front of the text
 *     i key                                   stock of one thing
 *     t key key …                             stock of several things together
 *     k key units key units …                 stock of a kit, by what it takes of each
 *     w on off                                two texts: while the sale runs, and at other times
 *     p first at second at third …            texts, each from an instant in epoch milliseconds on
 *     l own first second …                    a text by language; an empty one is the product's own
 *     r kind id head id head …                a list of things of the store's vocabulary
 *     v kind id                               one of them, or null
 *     m id value id value …                   values of metafields
 *     f id id …                               what a shopper can fill in, of a product attached to these definitions
 *     a attribute option …, …                 a list of attributes, each with its options
 *     c option option …                       the options of a variant by the names of their attributes
 *     n option option …                       a variant's name, made of those of its options
 *     x id id …                               ids of products, of which those are shown that shoppers can see
 *     b id head names id head names …         components of a kit, of which those are shown that shoppers can see
 */
import { canPurchase, isInStock, type StockFacts, unitsFree } from "../../kernel/Availability.ts"
import { type KitPart, kitStock } from "../../kernel/Kit.ts"
import { languageAmong, type Reading, textIn } from "../../kernel/Locale.ts"
import { isWindowActive } from "../../kernel/TimeWindow.ts"
import { inventoryView, togetherView } from "../../product/ProductView.ts"
import { withAskedTranslations } from "./askedTranslations.ts"
import { attributeTexts } from "./attributeTexts.ts"
import type { VocabularyPieces } from "./vocabularyPieces.ts"

const open = "\u0001"
const close = "\u0002"
const next = "\u0003"
const start = "\u0004"

/** What is known of a document before its holes. */
export interface DocumentHead {
  /** Epoch milliseconds; null is an open side. */
  readonly saleStartsAt: number | null
  readonly saleEndsAt: number | null
  /** In lower case, in the order of the texts of each `l`. */
  readonly languages: ReadonlyArray<string>
}

/** What fills the holes. */
export interface ShownWith {
  /** Epoch milliseconds. */
  readonly now: number
  readonly vocabulary: VocabularyPieces
  /** By key; a thing that was never counted has none. */
  readonly stock: ReadonlyMap<string, StockFacts>
  readonly reading: Reading | undefined
  /** Of the products that it and its modifiers name by id, those that shoppers can see. */
  readonly links: ReadonlySet<string>
}

export const hole = (
  kind: "i" | "t" | "k" | "p" | "w" | "l" | "r" | "v" | "m" | "f" | "a" | "c" | "n" | "x" | "b",
  ...parts: ReadonlyArray<string>
): string => `${open}${kind}${parts.join(next)}${close}`

export const documentText = ({ saleStartsAt, saleEndsAt, languages }: DocumentHead, body: string): string =>
  `${[saleStartsAt ?? "", saleEndsAt ?? "", ...languages].join(next)}${start}${body}`

interface Choice {
  readonly onSale: boolean
  /** Which text of an `l`; 0 is the product's own. */
  readonly language: number
}

const instantOf = (text: string | undefined): number | null => (text === undefined || text === "" ? null : Number(text))

const choiceOf = (head: string, { now, reading }: ShownWith): Choice => {
  const [startsAt, endsAt, ...languages] = head.split(next)
  const onSale = isWindowActive({ startsAt: instantOf(startsAt), endsAt: instantOf(endsAt) }, now)
  if (reading === undefined || languages.length === 0) return { onSale, language: 0 }
  const chosen = languageAmong(new Set(languages), reading.wanted, reading.own)
  return { onSale, language: chosen === undefined ? 0 : languages.indexOf(chosen) + 1 }
}

/** An element of a list: what the vocabulary says of it, behind what the product says of it. */
const element = (head: string, piece: string): string => (head === "" ? piece : `{${head},${piece.slice(1)}`)

/** A modifier may refer to a product: its id is shown where shoppers can see that. A quote inside a text is escaped. */
const withLinks = (kind: string, piece: string, links: ReadonlySet<string>): string =>
  kind === "modifier_group"
    ? piece.replace(/"referencedProductId":"([^"]*)"/g, (named, id: string) =>
        links.has(id) ? named : '"referencedProductId":null'
      )
    : piece

const listed = ([kind = "", ...parts]: ReadonlyArray<string>, { vocabulary, links }: ShownWith): string => {
  const shown: Array<string> = []
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const piece = vocabulary.piece(kind, parts[at] ?? "")
    if (piece !== undefined) shown.push(element(parts[at + 1] ?? "", withLinks(kind, piece, links)))
  }
  return `[${shown.join(",")}]`
}

/** `inventoryView` as JSON, for a storefront: a page shows it for each variant. */
const stockBlock = (facts: StockFacts | null): string => {
  const { trackingMode, total, reserved } = facts ?? { trackingMode: "TRACKED", total: 0, reserved: 0 }
  const counts = `{"trackingMode":"${trackingMode}","total":${total},"reserved":${reserved}`
  const free = `"available":${unitsFree(facts)},"inStock":${isInStock(facts)},"canPurchase":${canPurchase(facts)}`
  return `${counts},${free},"lastInventorySyncAt":null}`
}

const together = (keys: ReadonlyArray<string>, stock: ShownWith["stock"]): string =>
  JSON.stringify(
    togetherView(
      keys
        .filter((key) => key !== "")
        .map((key) => ({ inventory: inventoryView(stock.get(key) ?? null, "storefront"), status: "active" }))
    )
  )

/** Whether its components are sold at all was decided when the document was composed. */
const ofKit = (parts: ReadonlyArray<string>, stock: ShownWith["stock"]): string => {
  const taken: Array<KitPart> = []
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const productId = parts[at] ?? ""
    const quantity = Number(parts[at + 1])
    taken.push({ productId, variantId: null, quantity, isOffered: true, stock: stock.get(productId) ?? null })
  }
  return JSON.stringify(inventoryView(kitStock(taken), "storefront"))
}

const textAt = ([first = "", ...later]: ReadonlyArray<string>, now: number): string => {
  let text = first
  for (let at = 0; at + 1 < later.length && Number(later[at]) <= now; at += 2) text = later[at + 1] ?? ""
  return text
}

/** `names` is JSON of what `textIn` reads. */
const ofComponents = (parts: ReadonlyArray<string>, { links, reading }: ShownWith): string => {
  const shown: Array<string> = []
  for (let at = 0; at + 2 < parts.length; at += 3) {
    if (!links.has(parts[at] ?? "")) continue
    const names = JSON.parse(parts[at + 2] ?? "") as Named
    shown.push(`${parts[at + 1]?.slice(0, -1)},"name":${JSON.stringify(textIn(names, "name", reading))}}`)
  }
  return `[${shown.join(",")}]`
}

interface Named {
  readonly name: string
  readonly translations: Readonly<Record<string, unknown>>
}

type Fill = (parts: ReadonlyArray<string>, shown: ShownWith, choice: Choice) => string

/** By the kind of hole. */
const fills: Readonly<Record<string, Fill>> = {
  t: (keys, { stock }) => together(keys, stock),
  k: (parts, { stock }) => ofKit(parts, stock),
  w: (parts, _shown, { onSale }) => parts[onSale ? 0 : 1] ?? "",
  p: (parts, { now }) => textAt(parts, now),
  l: (parts, _shown, { language }) => parts[language] || (parts[0] ?? ""),
  r: listed,
  v: ([kind = "", id = ""], { vocabulary }) => vocabulary.piece(kind, id) ?? "null",
  m: (parts, { vocabulary }) => vocabulary.metafields.values(parts),
  x: (ids, { links }) => JSON.stringify(ids.filter((id) => links.has(id))),
  b: ofComponents,
  f: (parts, { vocabulary, reading }) => vocabulary.metafields.inputs(parts, reading)
}

const fill = (kind: string, content: string, shown: ShownWith, choice: Choice): string =>
  kind === "i"
    ? stockBlock(shown.stock.get(content) ?? null)
    : (fills[kind]?.(content.split(next), shown, choice) ??
      attributeTexts[kind]?.(content.split(next), shown.vocabulary) ??
      "")

/** The languages that a document has texts in, in lower case. */
export const languagesIn = (document: string): ReadonlyArray<string> =>
  document.slice(0, document.indexOf(start)).split(next).slice(2)

/** The instants, in epoch milliseconds, at which what a document shows changes without a write. */
export const changesOf = (document: string): ReadonlyArray<number> => {
  const bodyAt = document.indexOf(start)
  const [startsAt = "", endsAt = ""] = document.slice(0, bodyAt).split(next)
  const changes = new Set([startsAt, endsAt].filter((at) => at !== "").map(Number))
  const moments = `${open}p`
  for (let at = document.indexOf(moments); at >= 0; at = document.indexOf(moments, at + 1)) {
    const [, ...later] = document.slice(at + 2, document.indexOf(close, at)).split(next)
    for (let i = 0; i + 1 < later.length; i += 2) changes.add(Number(later[i]))
  }
  return [...changes].sort((a, b) => a - b)
}

/** The JSON of the product as it is now. */
export const spliced = (document: string, shown: ShownWith): string => {
  const bodyAt = document.indexOf(start) + 1
  const choice = choiceOf(document.slice(0, bodyAt - 1), shown)
  const wanted = shown.reading?.wanted ?? []
  const own = (part: string) => withAskedTranslations(part, wanted)
  let text = ""
  let at = bodyAt
  for (let holeAt = document.indexOf(open, at); holeAt >= 0; holeAt = document.indexOf(open, at)) {
    const end = document.indexOf(close, holeAt)
    text += own(document.slice(at, holeAt))
    text += fill(document.charAt(holeAt + 1), document.slice(holeAt + 2, end), shown, choice)
    at = end + 1
  }
  return text + own(document.slice(at))
}
