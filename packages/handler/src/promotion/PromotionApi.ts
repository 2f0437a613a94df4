/** Promotions for admin keys. */
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { string } from "@effect-commerce/core/kernel/Fields"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { PromotionInput, PromotionPatch, PromotionView } from "@effect-commerce/core/promotion/Promotion"
import { PromotionNotFound } from "@effect-commerce/core/promotion/PromotionErrors"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute } from "../middleware/Policy.ts"
import { Success } from "../middleware/Responses.ts"
import { row } from "../middleware/Versioned.ts"
import { promotionErrors } from "./promotionErrors.ts"

const fails = failsBy(promotionErrors)

const id = { id: string("Id of the promotion.") }

export class PromotionsGroup extends apiGroup("promotions", {
  part: "Admin",
  title: "Promotions",
  description: "Rules that take something off carts and orders by themselves, without a code."
}).add(
  HttpApiEndpoint.get("list", "/v1/promotions", { query: pageQuery, success: listEnvelope(PromotionView) }).pipe(
    adminRoute({
      summary: "List promotions",
      description:
        "Lists the promotions of the store in the order in which they are applied: by priority, then the oldest " +
        "first. Inactive, scheduled and ended ones are included."
    })
  ),
  HttpApiEndpoint.post("create", "/v1/promotions", {
    payload: PromotionInput,
    success: PromotionView.pipe(HttpApiSchema.status(201)),
    error: fails(FieldRejected)
  }).pipe(
    adminRoute({
      oneTransaction: true,
      summary: "Create a promotion",
      description:
        "Creates a rule that applies by itself from the next price on. It concerns the lines of its products, " +
        "categories (with their descendants) and brands, or every line. Its percentage is taken once, rounded half " +
        "up, on what the rules before it have left of these lines, and split over them. The minimum is compared " +
        "with the subtotal of the whole cart before any discount. Amounts are in the store's currency; a cart in " +
        "another currency gets no promotion."
    })
  ),
  HttpApiEndpoint.get("get", "/v1/promotions/:id", {
    params: id,
    success: PromotionView,
    error: fails(PromotionNotFound)
  }).pipe(
    adminRoute({
      summary: "Get a promotion",
      description: "Returns one promotion, active or not, and how many orders have used it."
    })
  ),
  HttpApiEndpoint.patch("update", "/v1/promotions/:id", {
    params: id,
    payload: PromotionPatch,
    success: PromotionView,
    error: fails(FieldRejected, PromotionNotFound)
  }).pipe(
    adminRoute({
      version: row("promotion", "id"),
      summary: "Update a promotion",
      description:
        "Changes the fields in the body and leaves the others; null clears a field. Carts and checkouts are priced " +
        "by the new rule from the next request on; orders keep what it took off them. With another type, `value` " +
        "and `config` start empty."
    })
  ),
  HttpApiEndpoint.delete("remove", "/v1/promotions/:id", {
    params: id,
    success: Success,
    error: fails(PromotionNotFound)
  }).pipe(
    adminRoute({
      version: row("promotion", "id"),
      summary: "Delete a promotion",
      description: "Deletes a promotion. Orders keep what it took off them. A second delete is 404."
    })
  )
) {}

export const promotionGroups = [PromotionsGroup] as const
