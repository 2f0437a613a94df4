/** Reviews, for shoppers and for merchants. */
import { ProductNotFound } from "@effect-commerce/core/taxonomy/TaxonomyErrors"
import { CustomerNotFound } from "@effect-commerce/core/customer/CustomerErrors"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { optional, string } from "@effect-commerce/core/kernel/Fields"
import { listEnvelope, pageQuery, sortQuery } from "@effect-commerce/core/kernel/Pagination"
import {
  ReviewInput,
  ReviewPage,
  ReviewPatch,
  reviewSorts,
  reviewStatuses,
  ReviewView,
  StorefrontReview
} from "@effect-commerce/core/review/Review"
import { ReviewNotFound, ReviewWritten } from "@effect-commerce/core/review/ReviewErrors"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { closedList } from "../middleware/CommaList.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute, channelRoute, customerRoute } from "../middleware/Policy.ts"
import { row, unversioned } from "../middleware/Versioned.ts"
import { Success } from "../middleware/Responses.ts"
import { customerErrors } from "../customer/customerErrors.ts"
import { reviewErrors } from "./reviewErrors.ts"
import { taxonomyErrors } from "../taxonomy/taxonomyErrors.ts"

const fails = failsBy(customerErrors, reviewErrors, taxonomyErrors)

const listed = {
  ...pageQuery,
  ...sortQuery(reviewSorts, "createdAt, newest first"),
  rating: Schema.optionalKey(closedList(["1", "2", "3", "4", "5"], "Shows only reviews of these ratings."))
}
const product = {
  salesChannelId: string("Id of the sales channel.", "vc_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  id: string("Id of the product.")
}
const id = { id: string("Id of the review.") }

export class StorefrontReviewsGroup extends apiGroup("storefrontReviews", {
  part: "Storefront",
  title: "Product reviews",
  description: "What shoppers say of a product."
}).add(
  HttpApiEndpoint.get("list", "/vc/:salesChannelId/products/:id/reviews", {
    params: product,
    query: listed,
    success: ReviewPage,
    error: fails(ProductNotFound)
  }).pipe(
    channelRoute("storefrontRead", {
      summary: "List the reviews of a product",
      description:
        "Returns the approved reviews of a product a page at a time, the newest first by default. `summary` counts " +
        "all of them, whatever the filter by rating."
    })
  ),
  HttpApiEndpoint.post("write", "/vc/:salesChannelId/products/:id/reviews", {
    params: product,
    payload: ReviewInput,
    success: StorefrontReview.pipe(HttpApiSchema.status(201)),
    error: fails(ProductNotFound, CustomerNotFound, FieldRejected, ReviewWritten)
  }).pipe(
    customerRoute({
      cap: { limit: 3, ms: 60_000 },
      summary: "Write a review of a product",
      description:
        "Stores the signed-in customer's review of the product; it is shown once the merchant has approved it. A " +
        "customer writes one review of a product: a second one is 409. Upload its photos first, with review-photo. " +
        "At most 3 reviews a minute from one IP address.",
      oneTransaction: true,
      version: unversioned("a review is added, and the product stays as it is")
    })
  )
) {}

export class ReviewsGroup extends apiGroup("reviews", {
  part: "Admin",
  title: "Reviews",
  description: "Reviews that shoppers write, and their moderation."
}).add(
  HttpApiEndpoint.get("list", "/v1/reviews", {
    query: {
      ...listed,
      status: Schema.optionalKey(closedList(reviewStatuses, "Shows only reviews of these states.")),
      productId: optional(Schema.String, "Shows only reviews of this product."),
      customerId: optional(Schema.String, "Shows only reviews by this customer.")
    },
    success: listEnvelope(ReviewView)
  }).pipe(
    adminRoute({
      summary: "List reviews",
      description: "Lists the reviews of the store, the newest first by default."
    })
  ),
  HttpApiEndpoint.patch("update", "/v1/reviews/:id", {
    params: id,
    payload: ReviewPatch,
    success: ReviewView,
    error: fails(ReviewNotFound)
  }).pipe(
    adminRoute({
      exampleRequest: { status: "APPROVED", reply: "Thank you!" },
      summary: "Approve, reject or reply to a review",
      description:
        "Changes the status or the reply. An approved review is shown to shoppers and counts in the product's " +
        "`avgRating` and `reviewCount` at once.",
      version: row("review", "id")
    })
  ),
  HttpApiEndpoint.delete("remove", "/v1/reviews/:id", {
    params: id,
    success: Success,
    error: fails(ReviewNotFound)
  }).pipe(
    adminRoute({
      summary: "Delete a review",
      description: "Deletes a review; its customer may write another one. A second delete is 404.",
      version: row("review", "id")
    })
  )
) {}

export const reviewGroups = [StorefrontReviewsGroup, ReviewsGroup] as const
