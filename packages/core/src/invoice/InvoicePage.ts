/**
 * An invoice as a page for people: one HTML document without scripts that loads nothing. It prints on A4 and Letter,
 * and reads on a telephone. Everything that merchants and shoppers wrote is escaped.
 */
import { formatMoney } from "../kernel/Money.ts"
import { presentedAmounts } from "../fx/OrderPresentment.ts"
import type { OrderItem, OrderState } from "../order/Order.ts"
import { formatOrderNumber } from "../order/OrderView.ts"
import { defaultLanguage, type StoreContext } from "../store/StoreContext.ts"
import { escapeHtml } from "../template/TemplateRenderer.ts"
import { addedTax, paymentRows, refundRows, taxRows, totalRows } from "./internal/sums.ts"
import { type Words, wordsOf, writtenAmount } from "./internal/words.ts"
import type { InvoiceState } from "./Invoice.ts"

export interface PrintedInvoice {
  readonly store: StoreContext
  readonly order: OrderState
  readonly invoice: InvoiceState
}

/** The only style of a page: its policy names it by its hash. */
export const invoiceStyle =
  "*{box-sizing:border-box}body{font:14px/1.45 system-ui,-apple-system,'Segoe UI',Arial,sans-serif;color:#1f2937;" +
  "background:#fff;margin:2rem auto;max-width:50rem;padding:0 1.25rem}h1{font-size:1.6rem;margin:0}" +
  "h2{font-size:.8125rem;color:#6b7280;font-weight:600;margin:0 0 .25rem}p{margin:0}" +
  "header,.parties{display:flex;justify-content:space-between;gap:2rem;margin-bottom:1.75rem}" +
  ".parties>div{flex:1 1 0;min-width:0}.seller{text-align:right}.lines{overflow-wrap:anywhere}" +
  "dl{display:grid;grid-template-columns:auto 1fr;gap:.1rem .9rem;margin:.6rem 0 0}dt{color:#6b7280}dd{margin:0}" +
  "table{border-collapse:collapse;width:100%;margin:0 0 1.5rem}th,td{text-align:left;vertical-align:top;" +
  "padding:.4rem .6rem .4rem 0;border-bottom:1px solid #e5e7eb;overflow-wrap:anywhere}" +
  "th{font-size:.8125rem;color:#6b7280;font-weight:600}" +
  ".n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums;padding-right:0;padding-left:.6rem}" +
  ".quiet{color:#6b7280;font-size:.8125rem}.sums{width:auto;min-width:55%;margin-left:auto}" +
  "tr.sum td{border-bottom:0;border-top:2px solid #1f2937;font-weight:700}" +
  ".note{border:1px solid #b91c1c;color:#b91c1c;padding:.5rem .75rem;margin-bottom:1.25rem}" +
  "@media(max-width:34rem){header,.parties{flex-direction:column;gap:1rem}.seller{text-align:left}" +
  ".items thead{display:none}.items tr{display:grid;grid-template-columns:1fr auto;gap:0 .75rem;" +
  "border-bottom:1px solid #e5e7eb;padding:.5rem 0}.items td{border:0;padding:.1rem 0}" +
  ".items td[data-label]::before{content:attr(data-label) ': ';color:#6b7280}.items .n{text-align:right}" +
  ".items td:first-child{grid-column:1/-1}.items td.l{text-align:left;white-space:normal}.sums{width:100%}}" +
  "@page{margin:16mm 15mm}@media print{body{margin:0;padding:0;max-width:none;font-size:11px}" +
  "thead{display:table-header-group}tr,.parties,.sums{break-inside:avoid}h2{break-after:avoid}}"

/** The day of an instant in the store's time zone, written out in the language. */
const dayOf = (at: Date | string, store: StoreContext, { language }: Words): string => {
  const format = (timeZone: string) =>
    new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone }).format(new Date(at))
  try {
    return format(store.timezone)
  } catch {
    return format("UTC")
  }
}

const cell = (text: string, kind = "", label = ""): string =>
  `<td${kind === "" ? "" : ` class="${kind}"`}${label === "" ? "" : ` data-label="${escapeHtml(label)}"`}>` +
  `${escapeHtml(text)}</td>`

const linesOf = (lines: ReadonlyArray<string | null>): string =>
  lines
    .filter((line) => line !== null && line !== "")
    .map((line) => escapeHtml(line))
    .join("<br>")

/** The modifiers and inputs of a line that have a name. */
const detailsOf = ({ modifiers }: OrderItem): ReadonlyArray<string> =>
  modifiers.flatMap((modifier) => {
    const { name, quantity } = (modifier ?? {}) as { readonly name?: unknown; readonly quantity?: unknown }
    if (typeof name !== "string") return []
    return [typeof quantity === "number" && quantity > 1 ? `${quantity} × ${name}` : name]
  })

/** The rates of a line with what they come to. */
const lineTaxes = ({ taxLines }: OrderItem, money: (minor: bigint) => string): string =>
  taxLines
    .map((line) => {
      const { rate, amount } = (line ?? {}) as { readonly rate?: unknown; readonly amount?: unknown }
      return `${String(rate ?? "")} %: ${money(BigInt(String(amount ?? 0)))}`
    })
    .join(", ")

const makePrinter = ({ store, order, invoice }: PrintedInvoice) => {
  const words = wordsOf(order.locale ?? defaultLanguage(store))
  const money = (minor: bigint) => writtenAmount(formatMoney(minor, order.currency), words)
  const day = (at: Date | string) => dayOf(at, store, words)

  const amountRow = (label: string, amount: bigint, kind = "") =>
    `<tr${kind === "" ? "" : ` class="${kind}"`}>${cell(label)}${cell(money(amount), "n")}</tr>`

  const itemRow = (item: OrderItem): string => {
    const quiet = [...(item.sku === null ? [] : [`${words.sku} ${item.sku}`]), ...detailsOf(item)]
    const below = quiet.map((line) => `<br><span class="quiet">${escapeHtml(line)}</span>`).join("")
    const taxes = lineTaxes(item, money)
    return (
      `<tr><td>${escapeHtml(item.name)}${below}</td>${cell(String(item.quantity), "n l", words.quantity)}` +
      `${cell(money(item.unitPrice), "n", words.unitPrice)}${cell(taxes, "n l", taxes === "" ? "" : words.tax)}` +
      `${cell(money(item.subtotal), "n", words.amount)}</tr>`
    )
  }

  const items = (): string => {
    const heads = [words.quantity, words.unitPrice, words.tax, words.amount]
    return (
      `<table class="items"><thead><tr><th scope="col">${words.item}</th>` +
      `${heads.map((head) => `<th scope="col" class="n">${head}</th>`).join("")}</tr></thead>` +
      `<tbody>${order.items.map(itemRow).join("\n")}</tbody></table>`
    )
  }

  const totals = (): string => {
    const rows = totalRows(order, words).map(({ label, amount }) => amountRow(label, amount))
    const included = order.taxAmount - addedTax(order)
    const total = amountRow(`${words.total} (${order.currency})`, order.totalAmount, "sum")
    const note = included === 0n ? "" : amountRow(words.includedTax, included)
    return `<table class="sums"><tbody>${rows.join("\n")}${total}${note}</tbody></table>`
  }

  const taxes = (): string => {
    const rows = taxRows(order, words)
    if (rows.length === 0) return ""
    const body = rows.map(
      ({ label, rate, amount }) =>
        `<tr>${cell(label)}${cell(rate === null ? "" : `${rate} %`, "n")}${cell(money(amount), "n")}</tr>`
    )
    const all = `<tr class="sum">${cell(words.allTax)}<td></td>${cell(money(order.taxAmount), "n")}</tr>`
    const net = `<tr>${cell(words.net)}<td></td>${cell(money(order.totalAmount - order.taxAmount), "n")}</tr>`
    const table = `<table class="taxes"><tbody>${body.join("\n")}${all}${net}</tbody></table>`
    return `<section><h2>${words.taxes}</h2>${table}</section>`
  }

  const payments = (): string => {
    const [paid, refunds] = [paymentRows(order, words), refundRows(order, words)]
    const outstanding = order.totalAmount - order.capturedAmount
    const isOpen = outstanding > 0n && order.status !== "CANCELLED"
    if (paid.length + refunds.length === 0 && !isOpen) return ""
    const body = [...paid, ...refunds].map(({ label, amount, at }) =>
      amountRow(at === null ? label : `${label}, ${day(at)}`, amount)
    )
    const left = isOpen ? amountRow(words.outstanding, outstanding, "sum") : ""
    const kept = refunds.length === 0 ? "" : amountRow(words.kept, order.capturedAmount - order.refundedAmount, "sum")
    const table = `<table><tbody>${body.join("\n")}${kept}${left}</tbody></table>`
    return `<section><h2>${words.payments}</h2>${table}${charged()}</section>`
  }

  /** Where the provider took another currency. */
  const charged = (): string => {
    if (order.presentment === null) return ""
    const { paymentAmount, paymentCurrency } = presentedAmounts(order.presentment)
    const amount = `${writtenAmount(paymentAmount, words)} ${paymentCurrency}`
    return `<p class="quiet">${words.charged}: ${escapeHtml(amount)}</p>`
  }

  const { parties } = invoice
  const number = `${invoice.series}-${invoice.number}`
  const isTest = invoice.series === "TEST"

  const heading = (): string =>
    `<header><div><h1>${words.title}</h1><dl><dt>${words.number}</dt><dd>${escapeHtml(number)}</dd>` +
    `<dt>${words.issued}</dt><dd>${escapeHtml(day(invoice.issuedAt))}</dd>` +
    `<dt>${words.order}</dt><dd>${formatOrderNumber(order.orderNumber)}</dd>` +
    `<dt>${words.ordered}</dt><dd>${escapeHtml(day(order.createdAt))}</dd></dl></div>` +
    `<div class="seller lines"><h2>${words.seller}</h2><p><strong>${escapeHtml(parties.seller.name)}</strong><br>` +
    `${linesOf(parties.seller.address)}</p></div></header>`

  const people = (): string => {
    const billed = parties.billingAddress.length > 0 ? parties.billingAddress : [parties.buyer.name]
    const shipped =
      parties.shippingAddress.length === 0
        ? ""
        : `<div class="lines"><h2>${words.shipTo}</h2><p>${linesOf(parties.shippingAddress)}</p></div>`
    const lines = linesOf([...billed, parties.buyer.email])
    const billTo = lines === "" ? "" : `<div class="lines"><h2>${words.billTo}</h2><p>${lines}</p></div>`
    return `<section class="parties">${billTo}${shipped}</section>`
  }

  const notes = (): string =>
    [isTest ? words.test : "", order.status === "CANCELLED" ? words.cancelled : ""]
      .filter((note) => note !== "")
      .map((note) => `<p class="note">${note}</p>`)
      .join("")

  return (): string => `<!doctype html>
<html lang="${words.language}"><head><meta charset="utf-8"><title>${escapeHtml(`${words.title} ${number}`)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<link rel="icon" href="data:,"><style>${invoiceStyle}</style></head><body>
${notes()}${heading()}
${people()}
${items()}
${totals()}
${taxes()}
${payments()}
<p class="quiet">${words.amountsIn} ${escapeHtml(order.currency)}.</p>
</body></html>
`
}

/** The page, in the order's language; English where it is neither English nor German. */
export const invoicePage = (printed: PrintedInvoice): string => makePrinter(printed)()
