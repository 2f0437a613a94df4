/**
 * The use cases of reviews. A customer writes one review of a product; it counts and is shown once the merchant has
 * approved it. The rating counters of the product change in the same transaction.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { ProductNotFound } from "../taxonomy/TaxonomyErrors.ts"
import { trimmedText } from "../kernel/GivenText.ts"
import { ProductRatings } from "../product/ProductRatings.ts"
import type { Stars } from "../product/Stars.ts"
import { CustomerNotFound } from "../customer/CustomerErrors.ts"
import { Customers } from "../customer/Customers.ts"
import { Database } from "../database/Database.ts"
import { checkAll, checkEach, FieldRejected } from "../kernel/FieldRejected.ts"
import { makeId } from "../kernel/Ids.ts"
import type { Page } from "../kernel/Pagination.ts"
import { UploadedFiles } from "../media/UploadedFiles.ts"
import { defaultLanguage, type StoreContext } from "../store/StoreContext.ts"
import {
  keysOf,
  type ReviewInput,
  type ReviewOrder,
  type ReviewPatch,
  type ReviewPhoto,
  type ReviewState,
  type ReviewStatus,
  summaryOf,
  toReviewView,
  toStorefrontReview
} from "./Review.ts"
import { ReviewNotFound } from "./ReviewErrors.ts"
import { type ReviewFilter, ReviewRepository } from "./ReviewRepository.ts"

/** A review that a merchant imports: its author need not be a customer. */
export interface RecordedReview extends ReviewInput {
  readonly productId: string
  readonly customerId?: string | undefined
  readonly status?: ReviewStatus | undefined
  readonly reply?: string | null | undefined
}

export class Reviews extends Context.Service<Reviews>()("@effect-commerce/core/review/Reviews", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* ReviewRepository
    const ratings = yield* ProductRatings
    const customers = yield* Customers
    const uploads = yield* UploadedFiles

    /** Updates the counters of the product; `before` is undefined for a new review, `after` for a deleted one. */
    const recount = (
      store: StoreContext,
      now: number,
      before: ReviewState | undefined,
      after: ReviewState | undefined
    ) => {
      const counted = (review: ReviewState | undefined, by: 1 | -1) =>
        review?.status === "APPROVED" ? [{ rating: review.rating, by }] : []
      const changes = before?.status === after?.status ? [] : [...counted(before, -1), ...counted(after, 1)]
      return ratings.change(store, (after ?? before)?.productId ?? "", changes, now)
    }

    /** Locks the customer, so that no review names a customer who is deleted meanwhile. */
    const authorOf = Effect.fnUntraced(function* (storeId: string, id: string | undefined) {
      if (id === undefined) return undefined
      if (!(yield* customers.lock(storeId, id))) return yield* new CustomerNotFound({ id })
      return yield* customers.find(storeId, id)
    })

    /** The customer's uploads that are named, without duplicates; from now on they belong to the review alone. */
    const photosOf = Effect.fnUntraced(function* (
      store: StoreContext,
      given: ReadonlyArray<{ readonly url?: string | undefined; readonly key?: string | undefined }>,
      customerId: string | null
    ) {
      if (given.length === 0) return []
      const named = given.map(({ key, url }) => key ?? url ?? "")
      const claimed = yield* uploads.claim(store, named, "review_photo", customerId)
      const photos = new Map<string, ReviewPhoto>()
      yield* checkEach(named, (name, i) => {
        const file = claimed.get(name)
        if (file === undefined) return FieldRejected.at(`photos.${i}`, "was not uploaded for this review")
        photos.set(file.key, { url: file.url, key: file.key })
        return Effect.void
      })
      return [...photos.values()]
    })

    const insert = Effect.fnUntraced(function* (store: StoreContext, review: RecordedReview, locale: string) {
      const now = yield* Clock.currentTimeMillis
      const { productId, rating, customerId } = review
      return yield* database.write(store.id)(
        Effect.gen(function* () {
          const author = yield* authorOf(store.id, customerId)
          const facts = { productId, variantId: review.variantId ?? null, customerId: customerId ?? null }
          const { hasVariant, bought } = yield* repository.writerFacts(store.id, facts)
          const unknownVariant = FieldRejected.at("variantId", "is not a variant of the product")
          const { photos } = yield* checkAll({
            variant: facts.variantId !== null && !hasVariant ? Effect.fail(unknownVariant) : Effect.void,
            photos: photosOf(store, review.photos ?? [], facts.customerId)
          })
          const written: ReviewState = {
            ...facts,
            id: makeId("review", now),
            authorName: trimmedText(review.authorName) ?? trimmedText(author?.firstName),
            rating,
            title: trimmedText(review.title),
            body: review.body.trim(),
            photos,
            status: review.status ?? "PENDING",
            verifiedPurchase: bought,
            reply: review.reply ?? null,
            locale,
            createdAt: new Date(now),
            updatedAt: new Date(now)
          }
          yield* repository.insert(store.id, written)
          yield* recount(store, now, undefined, written)
          return written
        })
      )
    })

    /**
     * Writes a review, which waits for the merchant's approval. `languages` are those that the customer reads, best
     * first.
     */
    const write = Effect.fn("Reviews.write")(function* (
      store: StoreContext,
      at: { readonly productId: string; readonly customerId: string; readonly channelId: string },
      input: ReviewInput,
      languages: ReadonlyArray<string>
    ) {
      if ((yield* ratings.ofShown(store.id, at.productId, at.channelId)) === undefined)
        return yield* new ProductNotFound({ id: at.productId })
      const { productId, customerId } = at
      const locale = input.locale ?? languages[0] ?? defaultLanguage(store)
      return toStorefrontReview(yield* insert(store, { ...input, productId, customerId }, locale))
    })

    /** Imports a review, for rooms and commands that fill a store. */
    const record = Effect.fn("Reviews.record")(function* (store: StoreContext, review: RecordedReview) {
      return toReviewView(yield* insert(store, review, review.locale ?? defaultLanguage(store)))
    })

    const update = Effect.fn("Reviews.update")(function* (store: StoreContext, id: string, patch: ReviewPatch) {
      const now = yield* Clock.currentTimeMillis
      return yield* database.write(store.id)(
        Effect.gen(function* () {
          const before = yield* repository.lock(store.id, id)
          if (before === undefined) return yield* new ReviewNotFound({ id })
          const status = patch.status ?? before.status
          const reply = patch.reply === undefined ? before.reply : patch.reply
          const after = yield* repository.update(store.id, id, { status, reply }, new Date(now))
          if (after === undefined) return yield* new ReviewNotFound({ id })
          yield* recount(store, now, before, after)
          return toReviewView(after)
        })
      )
    })

    const remove = Effect.fn("Reviews.remove")(function* (store: StoreContext, id: string) {
      const now = yield* Clock.currentTimeMillis
      yield* database.write(store.id)(
        Effect.gen(function* () {
          const gone = yield* repository.remove(store.id, id)
          if (gone === undefined) return yield* new ReviewNotFound({ id })
          yield* recount(store, now, gone, undefined)
          yield* uploads.release(store, keysOf(gone.photos), new Date(now))
        })
      )
    })

    /** A page of a product's approved reviews, filtered by rating, and the summary of all of them. */
    const shown = Effect.fnUntraced(function* (
      store: StoreContext,
      { productId, channelId }: { readonly productId: string; readonly channelId: string },
      asked: { readonly ratings?: ReadonlyArray<number> | undefined; readonly order: ReviewOrder; readonly page: Page }
    ) {
      const [stars, reviews] = yield* Effect.all(
        [
          ratings.ofShown(store.id, productId, channelId),
          repository.shown(store.id, productId, asked.ratings, asked.order, asked.page)
        ],
        { concurrency: 2 }
      )
      if (stars === undefined) return yield* new ProductNotFound({ id: productId })
      return {
        items: reviews.map(toStorefrontReview),
        total: countOf(stars, asked.ratings),
        summary: summaryOf(stars)
      }
    })

    return {
      write,
      record,
      shown,
      list: (store: StoreContext, filter: ReviewFilter, order: ReviewOrder, page: Page) =>
        Effect.map(repository.list(store.id, filter, order, page), ({ items, total }) => ({
          items: items.map(toReviewView),
          total
        })),
      update,
      remove
    }
  })
}) {
  static readonly layer = Layer.effect(Reviews, Reviews.make).pipe(Layer.provide(ReviewRepository.layer))
}

/** How many reviews gave one of these ratings, or all without a filter: summed from the counters, not from rows. */
const countOf = (stars: Stars, ratings: ReadonlyArray<number> | undefined): number =>
  stars.reduce((sum, count, i) => (ratings === undefined || ratings.includes(i + 1) ? sum + count : sum), 0)
