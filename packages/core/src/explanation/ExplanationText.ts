/** An explanation as lines of text, for a terminal. */
import type { ExplanationView } from "./Explanation.ts"
import { missLine, type Row, type Section, sectionsOf, sumText, tendersOf, totalLines } from "./internal/sections.ts"

/** A text, and the amount beside it where it has one. */
interface Line {
  readonly text: string
  readonly amount?: string
}

const line = (text: string): Line => ({ text })
const withAmount = (text: string, amount: string): Line => ({ text, amount })

/** All amounts end in one column, behind the longest text. */
const aligned = (lines: ReadonlyArray<Line>): ReadonlyArray<string> => {
  const priced = lines.filter(({ amount }) => amount !== undefined)
  const width = Math.max(0, ...priced.map(({ text }) => text.length)) + 2
  const amountWidth = Math.max(0, ...priced.map(({ amount = "" }) => amount.length))
  return lines.map(({ text, amount }) =>
    amount === undefined ? text : `${text.padEnd(width)}${amount.padStart(amountWidth)}`
  )
}

const rowLines = ({ what, why, value, rounding, amount }: Row): ReadonlyArray<Line> => {
  const named = why === "" || why === what ? what : `${what}, ${why}`
  return [withAmount(`  ${named}: ${value}${rounding === "" ? "" : `, ${rounding}`}`, amount)]
}

const sectionLines = (section: Section): ReadonlyArray<Line> => {
  const { title, rows, between, sum, total, addsUp } = section
  if (rows.length === 0 && addsUp) return []
  const shared = between.flatMap((row) => rowLines({ ...row, what: `(not added) ${row.what}` }))
  const check = addsUp ? [] : [withAmount(`  ${total.name}, which differs`, total.amount)]
  return [line(""), line(title), ...shared, ...rows.flatMap(rowLines), withAmount(`  = ${total.name}`, sum), ...check]
}

const listed = (title: string, sentences: ReadonlyArray<string>): ReadonlyArray<Line> =>
  sentences.length === 0 ? [] : ["", title, ...sentences.map((sentence) => `  ${sentence}`)].map(line)

export const explanationLines = (view: ExplanationView): ReadonlyArray<string> => {
  const { subject, currency, totals, notApplied, alternatives } = view
  const tenders = tendersOf(view)
  const parts = totalLines(view)
  const sum = sumText(
    parts.map(([, amount]) => amount),
    currency
  )
  const left =
    tenders.length === 0 ? [] : [...tenders.flatMap(rowLines), withAmount("  = Left to pay", totals.amountDue)]
  return aligned([
    line(`${subject.type} ${subject.id}, all amounts in ${currency}`),
    ...sectionsOf(view).flatMap(sectionLines),
    line(""),
    line("Total"),
    ...parts.map(([name, amount]) => withAmount(`  ${name}`, amount)),
    withAmount("  = Total", sum),
    ...left,
    ...listed(
      "What does not apply",
      notApplied.map((miss) => missLine(miss, currency))
    ),
    ...listed(
      "Discounts that were compared",
      alternatives.map(({ sources, total }, i) => {
        const names = sources.map(({ name }) => name).join(" and ")
        return `${names}: total ${total}${i === 0 ? " (applied)" : ""}`
      })
    )
  ])
}
