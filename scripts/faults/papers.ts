/** Faults in invoices, downloads, exports, and the links to them. */
import type { Fault } from "../plantedFaults.ts"

const core = "packages/core/src"
const invoices = ["packages/handler/test/invoice/Invoices.pg.test.ts"]
const downloads = ["packages/handler/test/download/Downloads.pg.test.ts"]
const exports = ["packages/handler/test/export/Exports.pg.test.ts"]

export const paperFaults: ReadonlyArray<Fault> = [
  {
    id: "link.unsigned",
    breaks: "Whoever knows the id of an order opens its invoice",
    file: `${core}/link/SignedLinks.ts`,
    find: "if (!constantTimeEqual(token.slice(end + 1), signatureOf(kind, signed))) return undefined",
    replace: "",
    tests: ["packages/core/test/link/SignedLinks.test.ts"],
    noticedBy: "reads as nothing where any character was changed"
  },
  {
    id: "link.one-key",
    breaks: "The link to an invoice is the key to a download",
    file: `${core}/link/SignedLinks.ts`,
    find: "secret.derive(`link/${kind}`)",
    replace: 'secret.derive("link")',
    tests: ["packages/core/test/link/SignedLinks.test.ts"],
    noticedBy: "is of one kind and one installation"
  },
  {
    id: "download.of-variants",
    breaks: "Who buys a variant of a download gets no file",
    file: "packages/core/migrations/0065_download_variants.sql",
    find: "WHERE (p.is_downloadable OR coalesce(v.is_downloadable, false)) AND",
    replace: "WHERE coalesce(v.is_downloadable, p.is_downloadable) AND",
    tests: downloads,
    noticedBy: "of a variant are its own or, where it has none, its product's"
  },
  {
    id: "invoice.twice",
    breaks: "Two people who open an invoice for the first time at once see an error",
    file: `${core}/invoice/Invoices.ts`,
    find: "yield* invoices.lockOrder(store.id, id)",
    replace: "",
    tests: invoices,
    noticedBy: "waits for whoever has the order"
  },
  {
    id: "invoice.test-numbers",
    breaks: "A trial order takes a number out of the books",
    file: `${core}/invoice/Invoice.ts`,
    find: 'isTestOrder ? "TEST" : "INV"',
    replace: 'isTestOrder ? "INV" : "INV"',
    tests: invoices,
    noticedBy: "of an order of a channel in test mode is of another series"
  },
  {
    id: "invoice.cancelled",
    breaks: "An order that was cancelled gets an invoice",
    file: `${core}/invoice/Invoices.ts`,
    find: 'if (order.status === "CANCELLED") return yield*',
    replace: 'if (order.id === "") return yield*',
    tests: invoices,
    noticedBy: "stays with an order that is cancelled, and is not given to one afterwards"
  },
  {
    id: "invoice.link-forgotten",
    breaks: "Routes that change an order answer without the link to its invoice",
    file: "packages/handler/src/middleware/InvoiceLinks.ts",
    find: "if (answered === undefined) continue",
    replace: 'if (answered === undefined || runtime.endpoint.method !== "GET") continue',
    tests: ["packages/handler/test/invoice/InvoiceLinks.pg.test.ts"],
    noticedBy: "is in the answer of POST /v1/orders, and opens the invoice"
  },
  {
    id: "invoice.link-of-draft",
    breaks: "The link of a draft order opens no invoice",
    file: `${core}/invoice/Invoices.ts`,
    find: "const id = order.orderId === undefined ? order.id : order.orderId",
    replace: "const id = order.id as string | null",
    tests: ["packages/handler/test/invoice/InvoiceLinks.pg.test.ts"],
    noticedBy: "is in the answer of GET /v1/orders/draft/:id, and opens the invoice"
  },
  {
    id: "invoice.tax-twice",
    breaks: "An invoice adds the tax that its prices contain",
    file: `${core}/invoice/internal/sums.ts`,
    find: "const added = addedTax(order)",
    replace: "const added = order.taxAmount",
    tests: invoices,
    noticedBy: "the tax that prices contain is said and not added"
  },
  {
    id: "invoice.script",
    breaks: "The name of a product runs in the merchant's browser",
    file: `${core}/invoice/InvoicePage.ts`,
    find: "`<tr><td>${escapeHtml(item.name)}${below}</td>",
    replace: "`<tr><td>${item.name}${below}</td>",
    tests: invoices,
    noticedBy: "runs nothing and loads nothing"
  },
  {
    id: "download.limit",
    breaks: "Two clicks at the last use of a file fetch it twice",
    file: `${core}/download/DownloadRepository.ts`,
    find: `AND NOT jsonb_exists(d.links, \${file.link})
                AND (d.download_limit IS NULL OR d.used < d.download_limit)`,
    replace: "AND NOT jsonb_exists(d.links, ${file.link})",
    tests: downloads,
    noticedBy: "of two at the last use opens the file for one"
  },
  {
    id: "download.counted-twice",
    breaks: "A link that a program fetches in two parts at once counts as two downloads",
    file: `${core}/download/DownloadRepository.ts`,
    find: "AND NOT jsonb_exists(d.links, ${file.link})",
    replace: "",
    tests: downloads,
    noticedBy: "that is used twice at once counts once"
  },
  {
    id: "download.other-store",
    breaks: "A product hands out the files of another store",
    file: `${core}/download/Downloads.ts`,
    find: "storageKey.startsWith(`${storeId}/`) ? storageKey : `${storeId}/${storageKey}`",
    replace: "storageKey.length > 0 ? storageKey : storeId",
    tests: downloads,
    noticedBy: "to a file of another store"
  },
  {
    id: "download.refunded",
    breaks: "Whoever got the money back keeps the file",
    file: `${core}/download/DownloadGrants.ts`,
    find: "o.paid_at IS NOT NULL AND o.financial_status <> 'refunded'",
    replace: "o.paid_at IS NOT NULL",
    tests: downloads,
    noticedBy: "are taken back by cancelling and by a refund in full"
  },
  {
    id: "download.unpaid",
    breaks: "A file is handed out before it is paid",
    file: `${core}/download/DownloadGrants.ts`,
    find: "o.paid_at IS NOT NULL AND o.financial_status",
    replace: "o.financial_status",
    tests: downloads,
    noticedBy: "are granted when the order is paid, and not before"
  },
  {
    id: "export.formula",
    breaks: "A spreadsheet runs what a shopper has typed as a name",
    file: `${core}/export/ExportFormat.ts`,
    find: "const harmless = isNumber ? text : defused(text)",
    replace: "const harmless = isNumber ? text : text",
    tests: ["packages/core/test/export/ExportFormat.test.ts"],
    noticedBy: "writes"
  },
  {
    id: "export.formula-inside",
    breaks: "A spreadsheet that separates by semicolons runs what a shopper has written behind one",
    file: `${core}/export/ExportFormat.ts`,
    find: "(?:^|[;\\t\\r\\n])",
    replace: "(?:^)",
    tests: ["packages/core/test/export/ExportFormat.test.ts"],
    noticedBy: "writes"
  },
  {
    id: "export.without-room",
    breaks: "One store fills the storage of all with exports",
    file: `${core}/export/ExportWork.ts`,
    find: "(yield* repository.keptBytes(storeId)) + size > mostKeptExportBytes",
    replace: "(yield* repository.keptBytes(storeId)) + size < 0n",
    tests: exports,
    noticedBy: "is FAILED where the files of the store would be more than 8 GiB"
  },
  {
    id: "export.one-store-at-a-time",
    breaks: "The slow storage of one store's export holds up the exports of all others",
    file: `${core}/export/ExportWork.ts`,
    find: "const storesAtOnce = 2",
    replace: "const storesAtOnce = 1",
    tests: exports,
    noticedBy: "holds no other store up"
  },
  {
    id: "download.guesses",
    breaks: "A robot tries numbers and addresses of orders until it gets files",
    file: "packages/handler/src/download/DownloadApi.ts",
    find: "cap: { limit: 10, ms: 60_000 }",
    replace: "cap: { limit: 1_000, ms: 60_000 }",
    tests: downloads,
    noticedBy: "is asked for ten times a minute"
  },
  {
    id: "export.tried-for-ever",
    breaks: "An export that kills its worker kills every worker, again and again",
    file: `${core}/export/ExportWork.ts`,
    find: "if (job.tries > mostTries) {",
    replace: "if (job.tries < 0) {",
    tests: exports,
    noticedBy: "is FAILED where five workers have died of it"
  },
  {
    id: "export.failed-by-another",
    breaks: "A worker that was away ends an export that another is writing",
    file: `${core}/export/ExportRepository.ts`,
    find: "AND lease IS NOT DISTINCT FROM ${lease}::text",
    replace: "AND ${lease}::text IS NOT DISTINCT FROM ${lease}::text",
    tests: exports,
    noticedBy: "is FAILED by nobody who has lost its lease"
  },
  {
    id: "export.other-lease",
    breaks: "A worker that was away writes rows into an export a second time",
    file: `${core}/export/ExportRepository.ts`,
    find: "AND id = ${id} AND lease = ${lease} RETURNING rows",
    replace: "AND id = ${id} AND lease IS DISTINCT FROM ${`${lease}?`} RETURNING rows",
    tests: exports,
    noticedBy: "is whole where a worker that lost its lease comes back"
  },
  {
    id: "export.left-behind",
    breaks: "What a dead worker has written of an export stays in the storage for good",
    file: `${core}/export/ExportWork.ts`,
    find: "if (job.tries > 1) yield* clear(storeId, job.id)",
    replace: "",
    tests: exports,
    noticedBy: "is whole after a worker has died at export.part-stored"
  },
  {
    id: "export.scope",
    breaks: "A key for orders exports the customers",
    file: "packages/handler/src/middleware/ContentScope.ts",
    find: "grants(scopes, required) ?",
    replace: "scopes.length > 0 ?",
    tests: exports,
    noticedBy: "needs the scope of what is exported"
  },
  {
    id: "export.kept",
    breaks: "The file of an export is kept for good",
    file: `${core}/export/ExportWork.ts`,
    find: "yield* Effect.forEach(keys, (key) => objects.remove(key), { concurrency: removersAtOnce, discard: true })",
    replace: "",
    tests: exports,
    noticedBy: "is fetched without a credential for a day, then deleted"
  }
]
