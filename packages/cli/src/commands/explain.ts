import type { SubjectType } from "@effect-commerce/core/explanation/Explanation"
import { Argument, Command } from "effect/cli"
import { runCommand } from "../runCommand.ts"

const idOf = (what: SubjectType) =>
  Argument.String("id").pipe(Argument.withDescription(`The id of the ${what}, of any store of the installation`))

const explaining = (what: SubjectType, example: string, description: string) =>
  Command.make(what, { id: idOf(what) }, ({ id }) =>
    runCommand(async (settings) => (await import("../explainSubject.ts")).explainSubject(settings, what, id), {
      json: ({ explanation }) => explanation,
      lines: ({ lines }) => lines
    })
  ).pipe(
    Command.withDescription(description),
    Command.withExamples([
      {
        command: `commerce explain ${what} ${example}`,
        description: "A line for each amount, with sums"
      },
      {
        command: `commerce explain ${what} ${example} --json`,
        description: "{ subject, currency, totals, entries, notApplied, alternatives }, as the API answers"
      }
    ])
  )

const order = explaining(
  "order",
  "ord_…",
  "Prints where each amount of an order comes from, as it was when the order was placed: prices, discounts, " +
    "shipping, tax by rate and line, surcharges, what paid for it. An order from before explanations were stored is " +
    "explained by its lines, discounts and taxes. Exits 1 where there is no such order."
)
const checkout = explaining(
  "checkout",
  "chk_…",
  "Prints where each amount of a checkout comes from, at the prices and rules of now. Exits 1 where there is none."
)
const cart = explaining(
  "cart",
  "cart_…",
  "Prints where each amount of a cart comes from, and what does not apply and why. Exits 1 where there is none."
)

export const explain = Command.make("explain").pipe(
  Command.withDescription("Where the amounts of an order, a checkout or a cart come from, to the minor unit."),
  Command.withSubcommands([order, checkout, cart])
)
