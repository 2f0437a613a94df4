/**
 * An explanation as a page for people: one HTML document without scripts, which a merchant can print and put before an
 * accountant. Every section shows the sum of its amounts beside the total that it has to come to.
 */
import { escapeHtml } from "../template/TemplateRenderer.ts"
import type { ExplanationView } from "./Explanation.ts"
import { missLine, type Row, type Section, sectionsOf, sumText, tendersOf, totalLines } from "./internal/sections.ts"

const style =
  "body{font:15px/1.45 system-ui,sans-serif;color:#1f2937;background:#fff;margin:2rem auto;max-width:62rem;" +
  "padding:0 1.25rem}h1{font-size:1.5rem;margin:0 0 .25rem}h2{font-size:1.05rem;margin:1.75rem 0 .4rem}" +
  "p{margin:.3rem 0}.wide{table-layout:fixed}" +
  ".wide th:nth-child(1){width:26%}.wide th:nth-child(2){width:17%}" +
  ".wide th:nth-child(4){width:17%}.wide th:nth-child(5){width:11%}" +
  ".quiet{color:#6b7280;font-size:.875rem;overflow-wrap:anywhere}" +
  "table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;" +
  "border-bottom:1px solid #e5e7eb;overflow-wrap:anywhere}th{font-weight:600;color:#6b7280;font-size:.8125rem}" +
  ".n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums;padding-right:0}" +
  "tfoot td{border-bottom:0;border-top:2px solid #1f2937;font-weight:600}.wrong{color:#b91c1c}" +
  "tr.between td{color:#6b7280;font-size:.875rem}li{margin:.2rem 0}" +
  "@media print{body{margin:0;max-width:none;font-size:11px}tr,li{break-inside:avoid}h2{break-after:avoid}}"

const cell = (text: string, kind = ""): string => `<td${kind === "" ? "" : ` class="${kind}"`}>${escapeHtml(text)}</td>`

const rowOf = (row: Row, kind = ""): string => {
  const cells = [cell(row.what), cell(row.why), cell(row.value), cell(row.rounding), cell(row.amount, "n")]
  return `<tr${kind === "" ? "" : ` class="${kind}"`}>${cells.join("")}</tr>`
}

const heads = ["For", "Because of", "How", "Rounding"].map((head) => `<th scope="col">${head}</th>`).join("")

const tableOf = (rows: string, foot: string): string =>
  `<table class="wide"><thead><tr>${heads}<th scope="col" class="n">Amount</th></tr></thead><tbody>${rows}</tbody>` +
  `<tfoot>${foot}</tfoot></table>`

const footOf = (label: string, amount: string): string =>
  `<tr><td colspan="4">${escapeHtml(label)}</td>${cell(amount, "n")}</tr>`

const checked = ({ addsUp, sum, total }: Section): string =>
  addsUp
    ? footOf(`Sum of the amounts above = ${total.name}`, sum)
    : `${footOf("Sum of the amounts above", sum)}${footOf(`${total.name} (the sum differs)`, total.amount)}`

const sectionOf = (section: Section): string => {
  const { title, rows, between } = section
  if (rows.length === 0 && section.addsUp) return ""
  const note =
    between.length === 0
      ? ""
      : `<p class="quiet">The lines in grey are values from which the others were shared out. They are not added.</p>`
  const body = [...between.map((row) => rowOf(row, "between")), ...rows.map((row) => rowOf(row))].join("")
  const kind = section.addsUp ? "" : ' class="wrong"'
  return `<section${kind}><h2>${escapeHtml(title)}</h2>${note}${tableOf(body, checked(section))}</section>`
}

const amountsTable = (lines: ReadonlyArray<readonly [string, string]>, label: string, sum: string): string => {
  const rows = lines.map(([name, amount]) => `<tr>${cell(name)}${cell(amount, "n")}</tr>`).join("")
  return `<table><tbody>${rows}</tbody><tfoot><tr>${cell(label)}${cell(sum, "n")}</tr></tfoot></table>`
}

const totalOf = (view: ExplanationView): string => {
  const { currency, totals } = view
  const lines = totalLines(view)
  const sum = sumText(
    lines.map(([, amount]) => amount),
    currency
  )
  const label = sum === totals.total ? "Total, the sum of the above" : `Total ${totals.total} (the sum differs)`
  return `<section><h2>Total</h2>${amountsTable(lines, label, sum)}</section>${leftOf(view)}`
}

/** What is left after the tenders; nothing where there are none. */
const leftOf = (view: ExplanationView): string => {
  const { currency, totals } = view
  const tenders = tendersOf(view)
  if (tenders.length === 0) return ""
  const lines = [["Total", totals.total] as const, ...tenders.map(({ why, amount }) => [why, amount] as const)]
  const sum = sumText(
    lines.map(([, amount]) => amount),
    currency
  )
  const label = sum === totals.amountDue ? "Left to pay, the sum of the above" : "Left to pay (the sum differs)"
  return `<section><h2>What is left to pay</h2>${amountsTable(lines, label, sum)}</section>`
}

const listOf = (title: string, sentences: ReadonlyArray<string>): string =>
  sentences.length === 0
    ? ""
    : `<section><h2>${title}</h2><ul>${sentences.map((text) => `<li>${escapeHtml(text)}</li>`).join("")}</ul></section>`

/** The page. Everything that merchants and shoppers wrote is escaped. */
export const explanationPage = (view: ExplanationView): string => {
  const { subject, currency, notApplied, alternatives } = view
  const title = `How this ${subject.type} adds up`
  const compared = alternatives.map(
    ({ sources, total }, i) =>
      `${sources.map(({ name }) => name).join(" and ")}: total ${total} ${currency}${i === 0 ? " (applied)" : ""}`
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<style>${style}</style></head><body>
<h1>${escapeHtml(title)}</h1>
<p class="quiet">${escapeHtml(subject.type)} ${escapeHtml(subject.id)}, all amounts in ${escapeHtml(currency)}</p>
${sectionsOf(view).map(sectionOf).join("\n")}
${totalOf(view)}
${listOf(
  "What does not apply",
  notApplied.map((miss) => missLine(miss, currency))
)}
${listOf("Discounts that were compared", compared)}
</body></html>
`
}
