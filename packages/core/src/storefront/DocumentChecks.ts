/**
 * Compares what storefronts read of products with what the rows say: each stored document with one that is composed
 * from the rows as the same snapshot has them. A document may hold ids of things that were deleted since: nobody is
 * shown them, and they are no difference. It reads in chunks and writes nothing; the audit asks it.
 */
import { Context, Effect, Layer } from "effect"
import { ProductStates } from "../product/ProductStates.ts"
import { composeDocument, readDocument } from "./internal/productDocument.ts"
import { SharedLabels } from "./internal/sharedLabels.ts"
import { ListingRepository, type StoredDocument } from "./ListingRepository.ts"
import { StorefrontProductRepository } from "./StorefrontProductRepository.ts"

export interface DifferentDocument {
  readonly productId: string
  /** Parts of both texts from where they differ. */
  readonly expected: string
  readonly found: string
}

/** Documents that are in memory at once. */
const chunk = 200
/** Characters that are shown of each text, and those before the first one that differs. */
const excerpt = 80
const before = 30

/** Undefined where they are the same. */
const difference = (expected: string, found: string): Pick<DifferentDocument, "expected" | "found"> | undefined => {
  if (expected === found) return undefined
  let at = 0
  while (at < expected.length && expected.charCodeAt(at) === found.charCodeAt(at)) at += 1
  const from = Math.max(0, at - before)
  return { expected: expected.slice(from, from + excerpt), found: found.slice(from, from + excerpt) }
}

const asText = (labels: SharedLabels, document: string): string =>
  JSON.stringify(labels.known(readDocument(document)), (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value
  )

export class DocumentChecks extends Context.Service<DocumentChecks>()(
  "@effect-commerce/core/storefront/DocumentChecks",
  {
    make: Effect.gen(function* () {
      const repository = yield* ListingRepository
      const products = yield* ProductStates
      const storefront = yield* StorefrontProductRepository

      const compare = Effect.fnUntraced(function* (
        storeId: string,
        stored: ReadonlyArray<StoredDocument>,
        labels: SharedLabels
      ) {
        const states = yield* products.several(
          storeId,
          stored.map(({ productId }) => productId)
        )
        const known = new Map(states.map((state) => [state.id, state]))
        return stored.flatMap(({ productId, currency, document, stockKeys }): ReadonlyArray<DifferentDocument> => {
          const state = known.get(productId)
          // Whether there is to be a document at all is another law's question.
          if (state === undefined || state.status !== "active") return []
          const expected = composeDocument(state, currency)
          const different =
            difference(expected.stock_keys.join(), stockKeys.join()) ??
            (expected.document === document
              ? undefined
              : difference(asText(labels, expected.document), asText(labels, document)))
          return different === undefined ? [] : [{ productId, ...different }]
        })
      })

      return {
        /**
         * At most `most` products whose document is not what their rows say, by id. Those that are marked stale are
         * about to be composed, and left out. `progress` is called after each chunk with the documents that are
         * compared.
         */
        different: Effect.fn("DocumentChecks.different")(function* (
          storeId: string,
          most: number,
          progress?: (done: number, all: number) => void
        ) {
          const all = yield* repository.countDocuments(storeId)
          const labels = new SharedLabels((yield* storefront.labels(storeId)).labels)
          const different: Array<DifferentDocument> = []
          let [after, done] = ["", 0]
          while (different.length < most) {
            const stored = yield* repository.documentsAfter(storeId, after, chunk)
            if (stored.length === 0) break
            different.push(...(yield* compare(storeId, stored, labels)))
            after = stored.at(-1)?.productId ?? after
            done += stored.length
            progress?.(done, all)
          }
          if (done < all) progress?.(all, all)
          return different.slice(0, most)
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(DocumentChecks, DocumentChecks.make).pipe(
    Layer.provide([ListingRepository.layer, ProductStates.layer, StorefrontProductRepository.layer])
  )
}
