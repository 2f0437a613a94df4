/** The loyalty programme and points: of any customer for merchants, of themselves and at checkout for shoppers. */
import { CheckoutNotEditable, CheckoutNotFound } from "@effect-commerce/core/checkout/CheckoutErrors"
import { CheckoutView } from "@effect-commerce/core/checkout/CheckoutView"
import { CustomerNotFound } from "@effect-commerce/core/customer/CustomerErrors"
import { ResourceChanged } from "@effect-commerce/core/database/Precondition"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { string } from "@effect-commerce/core/kernel/Fields"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import {
  AdjustPoints,
  LoyaltyAccount,
  LoyaltyTransaction,
  MyLoyalty,
  RedeemPoints
} from "@effect-commerce/core/loyalty/LoyaltyAccount"
import { PointsRefused } from "@effect-commerce/core/loyalty/LoyaltyErrors"
import { LoyaltyProgram, LoyaltyProgramInput } from "@effect-commerce/core/loyalty/LoyaltyProgram"
import { CurrencyChanged } from "@effect-commerce/core/store/StoreErrors"
import { HttpApiEndpoint } from "effect/http-api"
import { checkoutErrors } from "../checkout/checkoutErrors.ts"
import { customerErrors } from "../customer/customerErrors.ts"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute, channelRoute, customerRoute } from "../middleware/Policy.ts"
import { row, useCase } from "../middleware/Versioned.ts"
import { storeErrors } from "../store/storeErrors.ts"
import { loyaltyErrors } from "./loyaltyErrors.ts"

const fails = failsBy(loyaltyErrors, customerErrors, checkoutErrors, storeErrors)

const customer = { customerId: string("The customer.", "cust_01k9f3m2q7x4b8n6c5d1e0h2jk") }
const channel = { salesChannelId: string("Id of the sales channel.", "vc_01k9f3m2q7x4b8n6c5d1e0h2jk") }
const checkout = { ...channel, checkoutId: string("Id of the checkout.") }
const edit = [CheckoutNotFound, CheckoutNotEditable, ResourceChanged, CurrencyChanged] as const

export class LoyaltyGroup extends apiGroup("loyalty", {
  part: "Admin",
  title: "Loyalty",
  description: "The loyalty programme, and the points of customers."
}).add(
  HttpApiEndpoint.get("program", "/v1/loyalty/program", { success: LoyaltyProgram }).pipe(
    adminRoute({
      summary: "Get the loyalty programme",
      description: "Returns how points are earned and what they are worth. A store begins with a disabled programme."
    })
  ),
  HttpApiEndpoint.put("setProgram", "/v1/loyalty/program", {
    payload: LoyaltyProgramInput,
    success: LoyaltyProgram,
    error: fails(FieldRejected)
  }).pipe(
    adminRoute({
      version: row("loyaltyProgram"),
      exampleRequest: {
        isEnabled: true,
        pointsPerUnit: 1,
        currencyUnit: "1.00",
        redeemRate: "0.01",
        minRedeem: 100,
        expiryDays: 365,
        tiers: [{ name: "Gold", threshold: 1_000, multiplier: 1.5 }],
        referralPoints: 500
      },
      summary: "Set the loyalty programme",
      description:
        "Sets how points are earned, spent and lost. A paid order earns floor(lines after discounts less what points " +
        "paid, times the tier's multiplier, / `currencyUnit`) times `pointsPerUnit`. What was earned before stays as " +
        "it is; a checkout that is being paid keeps the points it was priced with. Tiers out of order are 400."
    })
  ),
  HttpApiEndpoint.get("account", "/v1/loyalty/customers/:customerId", {
    params: customer,
    success: LoyaltyAccount,
    error: fails(CustomerNotFound)
  }).pipe(
    adminRoute({
      summary: "Get a customer's points",
      description: "Returns the points of a customer, their tier and their referral code."
    })
  ),
  HttpApiEndpoint.get("transactions", "/v1/loyalty/customers/:customerId/transactions", {
    params: customer,
    query: pageQuery,
    success: listEnvelope(LoyaltyTransaction),
    error: fails(CustomerNotFound)
  }).pipe(
    adminRoute({
      summary: "List a customer's transactions",
      description: "Lists every change of a customer's points, the newest first. They add up to the balance."
    })
  ),
  HttpApiEndpoint.post("adjust", "/v1/loyalty/customers/:customerId/adjust", {
    params: customer,
    payload: AdjustPoints,
    success: LoyaltyAccount,
    error: fails(CustomerNotFound, FieldRejected, PointsRefused)
  }).pipe(
    adminRoute({
      oneTransaction: true,
      summary: "Adjust a customer's points",
      description:
        "Adds points, or takes them where `points` is negative. More than the customer has, less what checkouts " +
        "hold, is 422 BUSINESS_RULE_VIOLATION. Adjusted points do not count for the tier."
    })
  )
) {}

export class StorefrontLoyaltyGroup extends apiGroup("storefrontLoyalty", {
  part: "Storefront",
  title: "Loyalty points",
  description: "The points of the customer who is signed in, and paying with them."
}).add(
  HttpApiEndpoint.get("mine", "/vc/:salesChannelId/customers/me/loyalty", {
    params: channel,
    success: MyLoyalty,
    error: fails(CustomerNotFound)
  }).pipe(
    customerRoute({
      summary: "Get my points",
      description:
        "Returns the points of the signed-in customer with their tier and referral code, and the store's programme."
    })
  ),
  HttpApiEndpoint.post("redeem", "/vc/:salesChannelId/checkout/:checkoutId/loyalty", {
    params: checkout,
    payload: RedeemPoints,
    success: CheckoutView,
    error: fails(...edit, FieldRejected, PointsRefused)
  }).pipe(
    channelRoute("cart", {
      summary: "Pay with points",
      description:
        "Pays a part of the checkout with points, in place of points entered before. As many are spent as the total " +
        "needs, whole points only. Fewer than the programme's `minRedeem`, more than the customer has, a checkout " +
        "without a customer and a disabled programme are 422 BUSINESS_RULE_VIOLATION.",
      version: useCase
    })
  ),
  HttpApiEndpoint.delete("removePoints", "/vc/:salesChannelId/checkout/:checkoutId/loyalty", {
    params: checkout,
    success: CheckoutView,
    error: fails(...edit)
  }).pipe(
    channelRoute("cart", {
      summary: "Do not pay with points",
      description: "Removes the points from the checkout. A checkout without any stays as it is.",
      version: useCase
    })
  )
) {}

export const loyaltyGroups = [LoyaltyGroup, StorefrontLoyaltyGroup] as const
