/**
 * Compares the stored documents of products with documents composed from the rows of the same snapshot. A stored
 * document may hold ids of things that were deleted since: no reader sees them, so they are no difference. Reads in
 * chunks and writes nothing; the audit calls it.
 */
import { Context, Effect, Layer } from "effect"
import { ProductStates } from "../product/ProductStates.ts"
import { composeDocument, readDocument } from "./internal/productDocument.ts"
import { SharedLabels } from "./internal/sharedLabels.ts"
import { ListingRepository, type StoredDocument } from "./ListingRepository.ts"
import { StorefrontProductRepository } from "./StorefrontProductRepository.ts"

export interface DifferentDocument {
  readonly productId: string
  /** Excerpts of both texts around the first difference. */
  readonly expected: string
  readonly found: string
}

/** Documents in memory at a time. */
const chunk = 200
/** Characters of each excerpt, and how many of them come before the first difference. */
const excerpt = 80
const before = 30

/** Undefined where the texts are equal. */
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
          // Whether the product should have a document at all is checked by another law.
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
         * At most `most` products whose document differs from their rows, by id. Leaves out products that are marked
         * stale, which are about to be composed. Calls `progress` after each chunk with the number of documents
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
