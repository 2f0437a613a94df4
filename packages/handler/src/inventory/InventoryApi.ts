/** Stock: for admin keys, and what shoppers are told and may hold (interface.md, Inventory; completions.md 2.15). */
import { ReservationView } from "@effect-commerce/core/cart/CartView"
import { ProductNotFound } from "@effect-commerce/core/catalog/CatalogErrors"
import {
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
  NoInventory,
  Reconciled,
  ReconcileInput,
  StockMovement
} from "@effect-commerce/core/inventory/InventoryItem"
import {
  AvailabilityEntry,
  StorefrontStockEntry,
  AvailabilityRequest,
  AvailabilityAnswer
} from "@effect-commerce/core/inventory/StorefrontStockEntry"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { ResourceChanged } from "@effect-commerce/core/database/Precondition"
import { optionalText, Reference } from "@effect-commerce/core/kernel/Fields"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { CommaList } from "../middleware/CommaList.ts"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { fails } from "../middleware/DeclaredErrors.ts"
import { adminRoute, channelRoute } from "../middleware/Policy.ts"
import { useCase } from "../middleware/Versioned.ts"
import { Success } from "../store/StoreApi.ts"

const id = { id: Schema.String }
const variantId = Schema.optionalKey(Schema.String)
const changes = [ProductNotFound, FieldRejected, StockValueInvalid, StockBelowReserved, ResourceChanged] as const
const BulkResult = Schema.Struct({
  index: Schema.Int,
  item: Schema.optionalKey(InventoryItem),
  error: Schema.optionalKey(
    Schema.Struct({
      code: Schema.String,
      message: Schema.String,
      details: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
    })
  )
})

export class InventoryGroup extends apiGroup("inventory", {
  part: "Admin",
  title: "Inventory",
  description: "Stock of products and variants: read, set, adjust and reconcile."
}).add(
  HttpApiEndpoint.get("get", "/v1/products/:id/inventory", {
    params: id,
    query: { variantId },
    success: Schema.Union([InventoryItem, NoInventory])
  }).pipe(adminRoute()),
  HttpApiEndpoint.put("set", "/v1/products/:id/inventory", {
    params: id,
    payload: InventoryChange,
    success: InventoryItem,
    error: fails(...changes, StockTotalMismatch)
  }).pipe(adminRoute({ version: useCase })),
  HttpApiEndpoint.post("adjust", "/v1/products/:id/inventory/adjust", {
    params: id,
    payload: Adjustment,
    success: Adjusted,
    error: fails(...changes)
  }).pipe(adminRoute({ oneTransaction: true, version: useCase })),
  HttpApiEndpoint.get("history", "/v1/products/:id/inventory/history", {
    params: id,
    query: { ...pageQuery, variantId },
    success: listEnvelope(StockMovement),
    error: fails(ProductNotFound, FieldRejected)
  }).pipe(adminRoute()),
  HttpApiEndpoint.post("lookUp", "/v1/inventory/bulk", {
    payload: BulkLookup,
    success: Schema.Struct({ inventory: Schema.Array(InventoryItem), notFound: Schema.Array(Schema.String) }),
    error: fails(FieldRejected)
  }).pipe(adminRoute()),
  HttpApiEndpoint.put("setMany", "/v1/inventory/bulk", {
    payload: BulkChange,
    success: Schema.Struct({ results: Schema.Array(BulkResult) })
  }).pipe(adminRoute()),
  HttpApiEndpoint.post("reconcile", "/v1/inventory/reconcile", {
    payload: ReconcileInput,
    success: Reconciled,
    error: fails(FieldRejected)
  }).pipe(adminRoute({ optionalBody: true }))
) {}

/** How many products or requests one call may name. */
export const maxAsked = 50
const channel = { salesChannelId: Schema.String }
const few = <S extends Schema.Top>(item: S) => Schema.Array(item).pipe(Schema.check(Schema.isMaxLength(maxAsked)))
const optionalId = optionalText(200)
const Holder = Schema.Struct({ cartId: optionalId, checkoutId: optionalId })

export class StorefrontStockGroup extends apiGroup("storefrontStock", {
  part: "Storefront",
  title: "Stock",
  description: "What is available now, and reservations that hold it for a shopper."
}).add(
  HttpApiEndpoint.get("inventory", "/vc/:salesChannelId/inventory", {
    params: channel,
    query: { productIds: CommaList },
    success: Schema.Struct({ inventory: Schema.Array(StorefrontStockEntry) }),
    error: fails(FieldRejected)
  }).pipe(channelRoute("storefrontRead")),
  HttpApiEndpoint.post("check", "/vc/:salesChannelId/inventory/check-availability", {
    params: channel,
    payload: Schema.Struct({ items: few(AvailabilityRequest) }),
    success: Schema.Struct({ allAvailable: Schema.Boolean, results: Schema.Array(AvailabilityAnswer) })
  }).pipe(channelRoute("storefrontRead")),
  HttpApiEndpoint.post("availability", "/vc/:salesChannelId/availability", {
    params: channel,
    payload: Schema.Struct({ productIds: few(Reference) }),
    success: Schema.Array(AvailabilityEntry)
  }).pipe(channelRoute("storefrontRead")),
  HttpApiEndpoint.post("extendReservation", "/vc/:salesChannelId/reservation/extend", {
    params: channel,
    payload: Holder,
    success: Schema.Struct({ success: Schema.Boolean, reservation: ReservationView }),
    error: fails(FieldRejected, ReservationUnsupported)
  }).pipe(channelRoute("cart")),
  HttpApiEndpoint.post("releaseReservation", "/vc/:salesChannelId/reservation/release", {
    params: channel,
    payload: Holder,
    success: Success,
    error: fails(FieldRejected, ReservationUnsupported)
  }).pipe(channelRoute("cart"))
) {}

export const inventoryGroups = [InventoryGroup, StorefrontStockGroup] as const
