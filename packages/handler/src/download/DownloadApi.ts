/** Files that shoppers have bought: the lists with their links, and the files themselves. */
import { DownloadLinkInvalid } from "@effect-commerce/core/download/DownloadErrors"
import { DownloadView } from "@effect-commerce/core/download/DownloadGrants"
import { Email } from "@effect-commerce/core/kernel/Address"
import { described, string, text } from "@effect-commerce/core/kernel/Fields"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { channelRoute, customerRoute, openRoute } from "../middleware/Policy.ts"
import { downloadErrors } from "./downloadErrors.ts"

const fails = failsBy(downloadErrors)

const channel = { salesChannelId: string("Id of the sales channel.", "vc_01k9f3m2q7x4b8n6c5d1e0h2jk") }

const GuestDownloads = Schema.Struct({
  orderNumber: described(text(50), "Number of the order, with # or without.", "#1001"),
  email: Email
}).annotate({ identifier: "GuestDownloads", description: "An order, and the e-mail address it was placed with." })

const GuestFiles = Schema.Array(DownloadView).annotate({
  identifier: "GuestFiles",
  description: "The files that came with the order; empty where number and address do not belong together."
})

export class DownloadsGroup extends apiGroup("downloads", {
  part: "Storefront",
  title: "Downloads",
  description: "Files that shoppers have bought, with links that work for a day."
}).add(
  HttpApiEndpoint.post("ofGuest", "/vc/:salesChannelId/orders/guest/downloads", {
    params: channel,
    payload: GuestDownloads,
    success: GuestFiles
  }).pipe(
    channelRoute("storefrontRead", {
      cap: { limit: 10, ms: 60_000 },
      exampleRequest: { orderNumber: "#1001", email: "ada@example.com" },
      summary: "List the files of a guest's order",
      description:
        "Returns the files that came with an order that is paid, neither cancelled nor refunded in full, with a link " +
        "for each. A number and an e-mail address that do not belong together get an empty list. At most 10 a minute " +
        "from one IP address."
    })
  ),
  HttpApiEndpoint.get("ofCustomer", "/vc/:salesChannelId/customers/me/downloads", {
    params: channel,
    query: pageQuery,
    success: listEnvelope(DownloadView)
  }).pipe(
    customerRoute({
      summary: "List the customer's files",
      description: "Returns the files that the signed-in customer has bought, of the newest order first, with links."
    })
  )
) {}

export class DownloadFilesGroup extends apiGroup("downloadFiles", {
  part: "Public",
  title: "Files that were bought",
  description: "The files themselves, by the signed links of the lists."
}).add(
  HttpApiEndpoint.get("open", "/downloads/:token", {
    params: { token: string("The token of the link, which `downloadUrl` ends with.") },
    success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/octet-stream" })),
    error: fails(DownloadLinkInvalid)
  }).pipe(
    openRoute({
      summary: "Fetch a file that was bought",
      description:
        "Returns the file, or redirects to where the merchant keeps it. A link works for a day and counts once, when " +
        "it is first used; ranges of bytes (Range) resume without counting. A link that has expired, whose order was " +
        "cancelled or refunded, or whose file was fetched as often as it may be, is 404."
    })
  )
) {}

export const downloadGroups = [DownloadsGroup, DownloadFilesGroup] as const
