/** Exports: files of what a store has, made in the background. */
import { ExportInput, exportResources, ExportView } from "@effect-commerce/core/export/Export"
import { ExportLinkInvalid, ExportNotFound } from "@effect-commerce/core/export/ExportErrors"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { string } from "@effect-commerce/core/kernel/Fields"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRouteByContent, openRoute } from "../middleware/Policy.ts"
import { ScopeInsufficient } from "../middleware/Refusals.ts"
import { exportErrors } from "./exportErrors.ts"

const fails = failsBy(exportErrors)

const scopes = exportResources.map((resource) => `${resource}:read` as const)

export class ExportsGroup extends apiGroup("exports", {
  part: "Admin",
  title: "Exports",
  description:
    "Files of orders, customers, products or stock for spreadsheets and programs. They are made in the background; " +
    "the owner of the store is mailed when one is done."
}).add(
  HttpApiEndpoint.post("create", "/v1/exports", {
    payload: ExportInput,
    success: ExportView.pipe(HttpApiSchema.status(202)),
    error: fails(FieldRejected, ScopeInsufficient)
  }).pipe(
    adminRouteByContent(scopes, {
      exampleRequest: { resource: "orders", format: "csv", filters: { createdFrom: "2026-01-01T00:00:00.000Z" } },
      summary: "Export what a store has",
      description:
        "Asks for a file of orders, customers, products or stock; the key needs the scope to read it (`orders:read` " +
        "and so on). CSV has one row for each line of an order and each variant of a product, begins with a byte " +
        "order mark, and defuses cells that a spreadsheet would run. A store has at most 5 exports under way.",
      oneTransaction: true
    })
  ),
  HttpApiEndpoint.get("get", "/v1/exports/:id", {
    params: { id: string("Id of the export.") },
    success: ExportView,
    error: fails(ExportNotFound, ScopeInsufficient)
  }).pipe(
    adminRouteByContent(scopes, {
      summary: "Get an export",
      description:
        "Returns how far an export is, and, once it is DONE, the link to its file, which works for 24 hours. The key " +
        "needs the scope to read what is exported."
    })
  )
) {}

export class ExportFilesGroup extends apiGroup("exportFiles", {
  part: "Public",
  title: "Files of exports",
  description: "The files themselves, by the signed links of the exports."
}).add(
  HttpApiEndpoint.get("read", "/exports/:token", {
    params: { token: string("The token of the link, which `url` of the export ends with.") },
    success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/octet-stream" })),
    error: fails(ExportLinkInvalid)
  }).pipe(
    openRoute({
      summary: "Fetch the file of an export",
      description: "Returns the file to anybody who has its link. A link that was changed or has expired is 404."
    })
  )
) {}

export const exportGroups = [ExportsGroup, ExportFilesGroup] as const
