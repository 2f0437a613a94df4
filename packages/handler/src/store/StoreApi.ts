/** Store settings and sales channels. */
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { NewSalesChannel, SalesChannel, SalesChannelChanges } from "@effect-commerce/core/store/SalesChannel"
import { string } from "@effect-commerce/core/kernel/Fields"
import { Store, StorePatch } from "@effect-commerce/core/store/Store"
import { CurrencyInUse, SalesChannelNotFound } from "@effect-commerce/core/store/StoreErrors"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute } from "../middleware/Policy.ts"
import { Success } from "../middleware/Responses.ts"
import { row } from "../middleware/Versioned.ts"
import { storeErrors } from "./storeErrors.ts"

const fails = failsBy(storeErrors)

const id = { id: string("The sales channel.", "vc_01m80xf47r2bsbq05ytyt41mhj") }

export class StoreGroup extends apiGroup("store", {
  part: "Admin",
  title: "Store",
  description: "The settings of a store."
}).add(
  HttpApiEndpoint.get("get", "/v1/store", { success: Store }).pipe(
    adminRoute({
      summary: "Get the store",
      description: "Returns the store that the key works for, with its settings."
    })
  ),
  HttpApiEndpoint.patch("update", "/v1/store", {
    payload: StorePatch,
    success: Store,
    error: fails(FieldRejected, CurrencyInUse)
  }).pipe(
    adminRoute({
      version: row("store"),
      summary: "Change the store",
      description:
        "Changes settings. They apply to the next request that prices something, in every server. The currency can " +
        "only change while nothing in the store has an amount. Carts and checkouts keep the currency that they began " +
        "in."
    })
  )
) {}

export class SalesChannelsGroup extends apiGroup("salesChannels", {
  part: "Admin",
  title: "Sales channels",
  description: "The storefronts of a store: their domains, and what each lets shoppers do."
}).add(
  HttpApiEndpoint.get("list", "/v1/sales-channels", { query: pageQuery, success: listEnvelope(SalesChannel) }).pipe(
    adminRoute({ summary: "List sales channels", description: "Returns the sales channels of the store, in pages." })
  ),
  HttpApiEndpoint.post("create", "/v1/sales-channels", {
    payload: NewSalesChannel,
    success: SalesChannel.pipe(HttpApiSchema.status(201)),
    error: fails(FieldRejected)
  }).pipe(
    adminRoute({
      summary: "Create a sales channel",
      description:
        "Creates a storefront. Its id is part of every storefront path. In live mode it accepts only requests from " +
        "its domain; in test mode without a domain it accepts any origin."
    })
  ),
  HttpApiEndpoint.get("get", "/v1/sales-channels/:id", {
    params: id,
    success: SalesChannel,
    error: fails(SalesChannelNotFound)
  }).pipe(
    adminRoute({
      summary: "Get a sales channel",
      description: "Returns one sales channel: its domain, its mode, and what its storefront may do."
    })
  ),
  HttpApiEndpoint.patch("update", "/v1/sales-channels/:id", {
    params: id,
    payload: SalesChannelChanges,
    success: SalesChannel,
    error: fails(SalesChannelNotFound, FieldRejected)
  }).pipe(
    adminRoute({
      version: row("salesChannel", "id"),
      summary: "Change a sales channel",
      description:
        "Changes the name, domain, mode or scopes. Other servers of the same installation follow within five " +
        "seconds. A storefront call to a part that is switched off is 403 INSUFFICIENT_PERMISSION."
    })
  ),
  HttpApiEndpoint.delete("remove", "/v1/sales-channels/:id", {
    params: id,
    success: Success,
    error: fails(SalesChannelNotFound)
  }).pipe(
    adminRoute({
      version: row("salesChannel", "id"),
      summary: "Delete a sales channel",
      description: "Deletes a storefront; requests to it are 404 from then on. Its orders stay."
    })
  )
) {}
