/** Stock: what merchants read and change with an admin key, and what shoppers see and may reserve. */
import { CartNotFound } from "@effect-commerce/core/cart/CartErrors"
import { ProductNotFound } from "@effect-commerce/core/taxonomy/TaxonomyErrors"
import { CheckoutNotFound } from "@effect-commerce/core/checkout/CheckoutErrors"
import {
  ReservationExpired,
  ReservationUnsupported,
  StockBelowReserved,
  StockTotalMismatch,
  StockValueInvalid
} from "@effect-commerce/core/inventory/InventoryErrors"
import {
  Adjusted,
  Adjustment,
  BulkChange,
  BulkLookup,
  InventoryChange,
  InventoryItem,
  Reconciled,
  ReconcileInput,
  StockMovement
} from "@effect-commerce/core/inventory/InventoryItem"
import {
  AvailabilityCheck,
  AvailabilityEntry,
  AvailabilityQuery,
  CheckAvailability,
  ReservationHolder,
  StockList
} from "@effect-commerce/core/inventory/StorefrontStockEntry"
import { StockAlertInput } from "@effect-commerce/core/inventory/StockAlert"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { ResourceChanged } from "@effect-commerce/core/database/Precondition"
import { described, string } from "@effect-commerce/core/kernel/Fields"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { CommaList } from "../middleware/CommaList.ts"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { channelPath } from "../middleware/PathParameters.ts"
import { adminRoute, channelRoute } from "../middleware/Policy.ts"
import { useCase } from "../middleware/Versioned.ts"
import { Success } from "../middleware/Responses.ts"
import { cartErrors } from "../cart/cartErrors.ts"
import { checkoutErrors } from "../checkout/checkoutErrors.ts"
import { inventoryErrors } from "./inventoryErrors.ts"
import { taxonomyErrors } from "../taxonomy/taxonomyErrors.ts"
import { Asked, BulkResults, Extended, LookupResult, ProductInventory } from "./InventoryBodies.ts"

const fails = failsBy(cartErrors, checkoutErrors, inventoryErrors, taxonomyErrors)

const id = { id: string("The product.", "prod_01m80xf4kfwqepj0qfgc4xj8ge") }
const variantId = Schema.optionalKey(
  string("One variant of the product. Without it, a product sold by its variants is returned as their sum.")
)
const changes = [ProductNotFound, FieldRejected, StockValueInvalid, StockBelowReserved, ResourceChanged] as const
/** A row may have all fields of a stock entry as it was read. */
const BulkReads = Schema.Struct({ items: Schema.Array(InventoryItem) })

export class InventoryGroup extends apiGroup("inventory", {
  part: "Admin",
  title: "Inventory",
  description: "Stock of products and variants: read, set, adjust and reconcile."
}).add(
  HttpApiEndpoint.get("get", "/v1/products/:id/inventory", {
    params: id,
    query: { variantId },
    success: ProductInventory
  }).pipe(
    adminRoute({
      summary: "Get the stock of a product",
      description:
        "Returns the stock of a product or of one of its variants. A product that is unknown or has no stock record " +
        "is no error: the response then has available, reserved and total, all 0, and nothing else."
    })
  ),
  HttpApiEndpoint.put("set", "/v1/products/:id/inventory", {
    params: id,
    payload: InventoryChange,
    success: InventoryItem,
    error: fails(...changes, StockTotalMismatch)
  }).pipe(
    adminRoute({
      version: useCase,
      summary: "Set the stock of a product",
      description:
        "Sets the total, the tracking mode, backorders or the low-stock threshold. Absent fields stay as they are. A " +
        "product sold by its variants needs variantId. A KIT is an error, because its components have the stock. A " +
        "total below what is reserved is 409 CONFLICT unless backorders cover the difference. Send expectedTotal to " +
        "write only if nobody else changed the total."
    })
  ),
  HttpApiEndpoint.post("adjust", "/v1/products/:id/inventory/adjust", {
    params: id,
    payload: Adjustment,
    success: Adjusted,
    error: fails(...changes)
  }).pipe(
    adminRoute({
      oneTransaction: true,
      version: useCase,
      summary: "Adjust the stock of a product",
      description:
        "Adds units to the total or removes them, and records the reason in the history. Use it for deliveries, " +
        "damage and counts, where setting a total would overwrite sales in the meantime. Removing more than the " +
        "total is 400 INVALID_STOCK_VALUE."
    })
  ),
  HttpApiEndpoint.get("history", "/v1/products/:id/inventory/history", {
    params: id,
    query: { ...pageQuery, variantId },
    success: listEnvelope(StockMovement),
    error: fails(ProductNotFound, FieldRejected)
  }).pipe(
    adminRoute({
      summary: "List changes of stock",
      description:
        "Returns every change of a product's stock, the newest first: opening stock, totals that were set, " +
        "adjustments and sales. The deltas sum to the total."
    })
  ),
  HttpApiEndpoint.post("lookUp", "/v1/inventory/bulk", {
    payload: BulkLookup,
    success: LookupResult,
    error: fails(FieldRejected)
  }).pipe(
    adminRoute({
      summary: "Look up stock by ids or SKUs",
      description:
        "Returns the stock of up to 100 products, or of up to 100 SKUs of products and variants. What is not found " +
        "is listed, and is no error. It changes nothing, but is a POST and needs inventory:write."
    })
  ),
  HttpApiEndpoint.put("setMany", "/v1/inventory/bulk", {
    payload: BulkChange,
    success: BulkResults
  }).pipe(
    adminRoute({
      reads: BulkReads,
      summary: "Set the stock of many products",
      description:
        "Sets the totals of up to 100 products and variants. Each row is written or fails by itself, and the " +
        "response lists which: a row that fails does not change the status of the response."
    })
  ),
  HttpApiEndpoint.post("reconcile", "/v1/inventory/reconcile", {
    payload: ReconcileInput,
    success: Reconciled,
    error: fails(FieldRejected)
  }).pipe(
    adminRoute({
      optionalBody: true,
      summary: "Reconcile reserved stock",
      description:
        "Compares the count of reserved units with the current reservations, for some products or for all. It " +
        "returns the differences; with dryRun false it also corrects them."
    })
  )
) {}

const onCartOnly = "In a store that reserves stock only when a checkout completes (ON_PAYMENT, the default) it is 400."

export class StorefrontStockGroup extends apiGroup("storefrontStock", {
  part: "Storefront",
  title: "Stock",
  description: "What is available now, and reservations of stock for a shopper."
}).add(
  HttpApiEndpoint.get("inventory", "/vc/:salesChannelId/inventory", {
    params: channelPath,
    query: { productIds: described(CommaList, "Ids of products, separated by commas; at most 100.") },
    success: StockList,
    error: fails(FieldRejected)
  }).pipe(
    channelRoute("storefrontRead", {
      summary: "Get the stock of products",
      description:
        "Returns the stock of several products with their variants, for a product page or a list. Products that are " +
        "unknown or hidden from shoppers are left out."
    })
  ),
  HttpApiEndpoint.post("check", "/vc/:salesChannelId/inventory/check-availability", {
    params: channelPath,
    payload: CheckAvailability,
    success: AvailabilityCheck
  }).pipe(
    channelRoute("storefrontRead", {
      summary: "Check quantities against stock",
      description:
        "Returns for up to 50 items whether the quantity can be bought now, and how many units are missing. It " +
        "reserves nothing. Products that are unknown or hidden are returned as not available."
    })
  ),
  HttpApiEndpoint.post("availability", "/vc/:salesChannelId/availability", {
    params: channelPath,
    payload: AvailabilityQuery,
    success: Schema.Array(AvailabilityEntry).annotate({
      identifier: "AvailabilityList",
      description: "One entry for each product or variant that can be put into a cart."
    })
  }).pipe(
    channelRoute("storefrontRead", {
      summary: "List what can be bought",
      description:
        "Returns one entry for each product or variant that can be put into a cart, for up to 50 products. Products " +
        "that are unknown or hidden from shoppers are left out."
    })
  ),
  HttpApiEndpoint.post("extendReservation", "/vc/:salesChannelId/reservation/extend", {
    params: channelPath,
    payload: ReservationHolder,
    success: Extended,
    error: fails(FieldRejected, ReservationUnsupported, ReservationExpired, CartNotFound, CheckoutNotFound)
  }).pipe(
    channelRoute("cart", {
      summary: "Extend a reservation",
      description:
        "Extends the reservation of a cart or checkout, for a shopper who is still busy. A cart reserves units for " +
        "at most four times the store's reservation time; after that this is an error, and a change of the cart's " +
        "lines reserves them again. " +
        onCartOnly
    })
  ),
  HttpApiEndpoint.post("releaseReservation", "/vc/:salesChannelId/reservation/release", {
    params: channelPath,
    payload: ReservationHolder,
    success: Success,
    error: fails(FieldRejected, ReservationUnsupported, CartNotFound, CheckoutNotFound)
  }).pipe(
    channelRoute("cart", {
      summary: "Release a reservation",
      description:
        "Releases the stock that is reserved for a cart or checkout, so that others can buy it. Without a " +
        "reservation nothing happens. " +
        onCartOnly
    })
  )
) {}

export class StockAlertsGroup extends apiGroup("stockAlerts", {
  part: "Storefront",
  title: "Stock alerts",
  description: "Mails to shoppers when a product can be bought again."
}).add(
  HttpApiEndpoint.post("ask", "/vc/:salesChannelId/stock-alerts", {
    params: channelPath,
    payload: StockAlertInput,
    success: Asked,
    error: fails(FieldRejected)
  }).pipe(
    channelRoute("storefrontRead", {
      cap: { limit: 5, ms: 60_000 },
      summary: "Create a stock alert",
      description:
        "Sends one mail when the product or variant can be bought again on this channel and has stayed so for five " +
        "minutes. The response is the same for a new alert, an existing one, an unknown product and one that is in " +
        "stock. It is no consent to other mails. An alert is deleted after 90 days."
    })
  )
) {}

export const inventoryGroups = [InventoryGroup, StorefrontStockGroup, StockAlertsGroup] as const
