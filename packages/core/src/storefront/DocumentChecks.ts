/**
 * Compares what storefronts are answered of products with what the rows say: each stored document with one that is
 * composed from the rows as the same snapshot has them, as it is read in each language and at each moment at which it
 * changes. It reads in chunks and writes nothing; the audit asks it.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { composeDocument } from "./internal/composeDocument.ts"
import { type Compared, firstDifference } from "./internal/documentDifference.ts"
import { compileVocabulary, type VocabularyPieces } from "./internal/vocabularyPieces.ts"
import { ListingRepository, type StoredDocument } from "./ListingRepository.ts"
import { ProductRepository } from "../product/ProductRepository.ts"
import { StorefrontProductRepository } from "./StorefrontProductRepository.ts"

export interface DifferentDocument extends Compared {
  readonly productId: string
}

export interface DocumentChecksMethods {
  /**
   * Products whose document answers otherwise than their rows, so many at most, by id. Those that are noted as stale
   * are about to be composed, and left out. `progress` is told after each chunk how many documents are compared.
   */
  readonly different: (
    storeId: string,
    most: number,
    progress?: (done: number, all: number) => void
  ) => Effect.Effect<ReadonlyArray<DifferentDocument>>
}

/** Documents that are in memory at once. */
const chunk = 200

export class DocumentChecks extends Context.Service<DocumentChecks, DocumentChecksMethods>()(
  "@effect-commerce/core/storefront/DocumentChecks"
) {
  static readonly layer = Layer.effect(
    DocumentChecks,
    Effect.gen(function* () {
      const repository = yield* ListingRepository
      const products = yield* ProductRepository
      const storefront = yield* StorefrontProductRepository

      /** Of all channels: what one of them is not shown is compared as well. */
      const vocabularyOf = (storeId: string): Effect.Effect<VocabularyPieces> =>
        Effect.map(storefront.words(storeId), ({ words }) =>
          compileVocabulary(
            words.map(([kind, id, facts]) => [
              kind,
              id,
              typeof facts === "object" && facts !== null ? { ...facts, channelIds: null } : facts
            ])
          )
        )

      const compare = Effect.fnUntraced(function* (
        storeId: string,
        stored: ReadonlyArray<StoredDocument>,
        vocabulary: VocabularyPieces
      ) {
        const now = yield* Clock.currentTimeMillis
        const states = yield* products.several(
          storeId,
          stored.map(({ productId }) => productId)
        )
        const known = new Map(states.map((state) => [state.id, state]))
        return stored.flatMap(({ productId, currency, ...found }): ReadonlyArray<DifferentDocument> => {
          const state = known.get(productId)
          // Whether there is to be a document at all is another law's question.
          if (state === undefined || state.status !== "active") return []
          const { document, stock_keys: stockKeys } = composeDocument(state, currency, now)
          const difference = firstDifference({ document, stockKeys }, found, { vocabulary, now })
          return difference === undefined ? [] : [{ productId, ...difference }]
        })
      })

      const different: DocumentChecksMethods["different"] = Effect.fn("DocumentChecks.different")(
        function* (storeId, most, progress) {
          const all = yield* repository.countDocuments(storeId)
          const vocabulary = yield* vocabularyOf(storeId)
          const told: Array<DifferentDocument> = []
          let [after, done] = ["", 0]
          while (told.length < most) {
            const stored = yield* repository.documentsAfter(storeId, after, chunk)
            if (stored.length === 0) break
            told.push(...(yield* compare(storeId, stored, vocabulary)))
            after = stored.at(-1)?.productId ?? after
            done += stored.length
            progress?.(done, all)
          }
          if (done < all) progress?.(all, all)
          return told.slice(0, most)
        }
      )

      return DocumentChecks.of({ different })
    })
  ).pipe(Layer.provide([ListingRepository.layer, ProductRepository.layer, StorefrontProductRepository.layer]))
}
