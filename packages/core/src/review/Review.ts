/** Reviews: what shoppers say of a product they bought or know. */
import { Schema, Struct } from "effect"
import { averageOf, reviewCountOf, type Stars } from "../product/Stars.ts"
import {
  arrayOf,
  boolean,
  clearable,
  described,
  fileUrl,
  filledText,
  integer,
  languageTag,
  nullableNumber,
  nullableString,
  oneOf,
  optional,
  string,
  text,
  timestamp
} from "../kernel/Fields.ts"
import { listEnvelope } from "../kernel/Pagination.ts"

export const reviewStatuses = ["PENDING", "APPROVED", "REJECTED"] as const
export type ReviewStatus = (typeof reviewStatuses)[number]

/** What lists of reviews can be sorted by. */
export const reviewSorts = ["createdAt", "rating"] as const
export type ReviewSort = (typeof reviewSorts)[number]

export interface ReviewOrder {
  readonly sortBy: ReviewSort
  readonly descending: boolean
}

export interface ReviewPhoto {
  readonly url: string
  readonly key: string
}

export interface ReviewState {
  readonly id: string
  readonly productId: string
  readonly variantId: string | null
  /** Null if no customer is known, and once the customer is deleted. */
  readonly customerId: string | null
  readonly authorName: string | null
  readonly rating: number
  readonly title: string | null
  readonly body: string
  readonly photos: ReadonlyArray<ReviewPhoto>
  readonly status: ReviewStatus
  readonly verifiedPurchase: boolean
  readonly reply: string | null
  readonly locale: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The keys of the photos in the media room. */
export const keysOf = (photos: ReadonlyArray<ReviewPhoto>): ReadonlyArray<string> => photos.map(({ key }) => key)

/** Photos of one review. */
const mostPhotos = 10

const rating = Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: 5 })))

const PhotoInput = Schema.Struct({
  url: optional(
    text(2_000).annotate({ format: "uri-reference" }),
    "Address of the picture, as the upload returned it. Give this or `key`."
  ),
  key: optional(text(500), "Key of the picture, as the upload returned it. Give this or `url`.")
})
  .pipe(Schema.check(Schema.makeFilter(({ url, key }) => (url ?? key ?? "") !== "" || "needs a url or a key")))
  .annotate({
    identifier: "ReviewPhotoInput",
    description: "A picture that was uploaded for a review.",
    toJsonSchema: () => [{}, true]
  } as never)

export const ReviewInput = Schema.Struct({
  rating: described(rating, "Stars: a whole number from 1 to 5.", 5),
  title: clearable(text(200), "Title of the review.", "A good lamp"),
  body: described(filledText(5_000), "What the shopper says.", "Bright, and it stands firmly."),
  authorName: clearable(text(100), "The name to show. The customer's first name by default.", "Ada"),
  variantId: clearable(text(100), "The variant that it is about."),
  photos: optional(
    Schema.Array(PhotoInput).pipe(Schema.check(Schema.isMaxLength(mostPhotos))),
    `At most ${mostPhotos} pictures, uploaded before with review-photo.`
  ),
  locale: optional(languageTag, "The language it is written in. By default that of Accept-Language.", "en")
}).annotate({ identifier: "WriteReview", description: "A review by a customer." })
export type ReviewInput = typeof ReviewInput.Type

export const ReviewPatch = Schema.Struct({
  status: optional(Schema.Literals(reviewStatuses), "APPROVED shows it to shoppers and counts its rating.", "APPROVED"),
  reply: clearable(text(5_000), "The merchant's reply, shown below the review; null removes it.", "Thank you!")
}).annotate({ identifier: "UpdateReview", description: "Changes of a review. What is left out stays as it is." })
export type ReviewPatch = typeof ReviewPatch.Type

const fields = {
  id: string("Id of the review."),
  productId: string("The product that it is about."),
  variantId: nullableString("The variant that it is about; null where it names none."),
  authorName: nullableString(
    "The name to show; null where the customer has none, and once the customer is deleted.",
    "Ada"
  ),
  rating: integer("Stars, from 1 to 5.", 5),
  title: nullableString("Title of the review.", "A good lamp"),
  body: string("What the shopper says.", "Bright, and it stands firmly."),
  photos: arrayOf(
    Schema.Struct({
      url: fileUrl("Address of the picture."),
      key: string("Key of the picture in the store's object storage.")
    }).annotate({ identifier: "ReviewPhoto", description: "A picture of a review." }),
    "Its pictures."
  ),
  status: oneOf(reviewStatuses, "Shoppers see what is APPROVED; PENDING waits for the merchant."),
  verifiedPurchase: boolean("Whether its author had bought the product when it was written."),
  reply: nullableString("The merchant's reply; null without one."),
  locale: string("The language it is written in.", "en"),
  createdAt: timestamp("When it was written."),
  updatedAt: timestamp("When it was last changed: the version that If-Match compares.")
}

export const ReviewView = Schema.Struct({
  ...fields,
  customerId: nullableString("The customer who wrote it; null where nobody is known, and once they are deleted.")
}).annotate({ identifier: "Review", description: "A review, as the merchant sees it." })
export type ReviewView = typeof ReviewView.Type

export const StorefrontReview = Schema.Struct(fields).annotate({
  identifier: "StorefrontReview",
  description: "A review that a shopper has written."
})
export type StorefrontReview = typeof StorefrontReview.Type

export const ReviewSummary = Schema.Struct({
  average: nullableNumber("Average of the ratings, with at most two digits after the point; null without any.", 4.5),
  count: integer("How many approved reviews the product has.", 12),
  histogram: described(
    Schema.Struct(Object.fromEntries(["1", "2", "3", "4", "5"].map((star) => [star, Schema.Int]))),
    "How many of them gave each number of stars."
  )
}).annotate({ identifier: "ReviewSummary", description: "Summary of the approved reviews of a product." })
export type ReviewSummary = typeof ReviewSummary.Type

/** A page of a product's reviews, and the summary of all of them. */
export const ReviewPage = Schema.Struct({ ...listEnvelope(StorefrontReview).fields, summary: ReviewSummary }).annotate({
  identifier: "StorefrontReviewPage",
  description: "One page of a product's reviews, with a summary of all of them."
})

export const summaryOf = (stars: Stars): ReviewSummary => ({
  average: averageOf(stars),
  count: reviewCountOf(stars),
  histogram: Object.fromEntries(stars.map((count, i) => [String(i + 1), count]))
})

export const toReviewView = ({ createdAt, updatedAt, ...review }: ReviewState): ReviewView => ({
  ...review,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString()
})

/** Without the customer's id, which only the merchant sees. */
export const toStorefrontReview = (review: ReviewState): StorefrontReview =>
  Struct.omit(toReviewView(review), ["customerId"])
