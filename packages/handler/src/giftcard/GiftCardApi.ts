/** Gift cards for admin keys, and the balance check of shoppers. */
import {
  GiftCardAdjustment,
  GiftCardCode,
  GiftCardInput,
  GiftCardPatch,
  giftCardStatuses,
  GiftCardView,
  IssuedGiftCard
} from "@effect-commerce/core/giftcard/GiftCard"
import { GiftCardBalance, GiftCardTransactionView } from "@effect-commerce/core/giftcard/GiftCardLedger"
import {
  GiftCardBalanceTooLow,
  GiftCardCodeTaken,
  GiftCardNotFound
} from "@effect-commerce/core/giftcard/GiftCardErrors"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { string } from "@effect-commerce/core/kernel/Fields"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { closedList } from "../middleware/CommaList.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute, channelRoute } from "../middleware/Policy.ts"
import { searchOf } from "../middleware/SearchQuery.ts"
import { row } from "../middleware/Versioned.ts"
import { giftCardErrors } from "./giftCardErrors.ts"

const fails = failsBy(giftCardErrors)

const id = { id: string("Id of the gift card.") }
const version = row("giftCard", "id")

export class GiftCardsGroup extends apiGroup("giftCards", {
  part: "Admin",
  title: "Gift cards",
  description: "Prepaid balances that pay for orders: issue them, change their balance and read what they paid for."
}).add(
  HttpApiEndpoint.get("list", "/v1/gift-cards", {
    query: {
      ...pageQuery,
      search: searchOf("last four characters"),
      status: Schema.optionalKey(closedList(giftCardStatuses, "Shows only gift cards of these states."))
    },
    success: listEnvelope(GiftCardView)
  }).pipe(
    adminRoute({
      summary: "List gift cards",
      description: "Lists the gift cards of the store, the newest first. Their codes are never shown again."
    })
  ),
  HttpApiEndpoint.post("create", "/v1/gift-cards", {
    payload: GiftCardInput,
    success: IssuedGiftCard.pipe(HttpApiSchema.status(201)),
    error: fails(FieldRejected, GiftCardCodeTaken)
  }).pipe(
    adminRoute({
      exampleRequest: { initialBalance: "50.00", expiresAt: "2027-12-31T23:59:59.000Z", note: "Raffle" },
      summary: "Issue a gift card",
      description:
        "Issues a gift card with a new code. Only this response shows the code: it is stored in a form that cannot " +
        "be read back. Send it to whom it is for; the store sends no mail of it.",
      // Reads show no code: one in the body is an unknown field, and not ignored.
      reads: GiftCardView,
      secretAnswer: true,
      oneTransaction: true
    })
  ),
  HttpApiEndpoint.get("get", "/v1/gift-cards/:id", {
    params: id,
    success: GiftCardView,
    error: fails(GiftCardNotFound)
  }).pipe(adminRoute({ summary: "Get a gift card", description: "Returns one gift card, without its code." })),
  HttpApiEndpoint.patch("update", "/v1/gift-cards/:id", {
    params: id,
    payload: GiftCardPatch,
    success: GiftCardView,
    error: fails(FieldRejected, GiftCardNotFound)
  }).pipe(
    adminRoute({
      exampleRequest: { expiresAt: null, note: "Extended" },
      summary: "Update a gift card",
      description:
        "Changes the fields in the body and leaves the others; null clears a field. The balance changes by `adjust` " +
        "alone.",
      oneTransaction: true,
      version
    })
  ),
  HttpApiEndpoint.post("adjust", "/v1/gift-cards/:id/adjust", {
    params: id,
    payload: GiftCardAdjustment,
    success: GiftCardView,
    error: fails(FieldRejected, GiftCardNotFound, GiftCardBalanceTooLow)
  }).pipe(
    adminRoute({
      exampleRequest: { delta: "-10.00", reason: "Goodwill" },
      summary: "Change the balance of a gift card",
      description:
        "Adds to the balance or takes off it, and keeps the reason in the list of transactions. A balance below zero " +
        "is 409. A REDEEMED card that gets a balance is ACTIVE again.",
      oneTransaction: true,
      version
    })
  ),
  HttpApiEndpoint.post("disable", "/v1/gift-cards/:id/disable", {
    params: id,
    success: GiftCardView,
    error: fails(GiftCardNotFound)
  }).pipe(
    adminRoute({
      summary: "Disable a gift card",
      description:
        "No order can be paid with it from now on; one whose payment is under way still is. The balance stays.",
      oneTransaction: true,
      version
    })
  ),
  HttpApiEndpoint.post("enable", "/v1/gift-cards/:id/enable", {
    params: id,
    success: GiftCardView,
    error: fails(GiftCardNotFound)
  }).pipe(
    adminRoute({
      summary: "Enable a gift card",
      description: "Makes a disabled gift card usable again, unless it has expired or nothing is left.",
      oneTransaction: true,
      version
    })
  ),
  HttpApiEndpoint.get("transactions", "/v1/gift-cards/:id/transactions", {
    params: id,
    query: pageQuery,
    success: listEnvelope(GiftCardTransactionView),
    error: fails(GiftCardNotFound)
  }).pipe(
    adminRoute({
      summary: "List the transactions of a gift card",
      description: "Returns every change of the balance, the newest first. They add up to the balance."
    })
  )
) {}

export class StorefrontGiftCardsGroup extends apiGroup("storefrontGiftCards", {
  part: "Storefront",
  title: "Gift card balance",
  description: "What is left on a gift card."
}).add(
  HttpApiEndpoint.post("balance", "/vc/:salesChannelId/gift-cards/balance", {
    params: { salesChannelId: string("Id of the sales channel.", "vc_01k9f3m2q7x4b8n6c5d1e0h2jk") },
    payload: GiftCardCode,
    success: GiftCardBalance
  }).pipe(
    channelRoute("cart", {
      summary: "Check the balance of a gift card",
      description:
        "Returns what is left on the gift card with this code. A code that is unknown, disabled, expired or spent is " +
        "no error: it has nothing left and is not usable. At most 5 checks a minute from one IP address.",
      cap: { limit: 5, ms: 60_000 }
    })
  )
) {}

export const giftCardGroups = [StorefrontGiftCardsGroup, GiftCardsGroup] as const
