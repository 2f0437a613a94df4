/**
 * Puts the link to its invoice into every order that an endpoint answers with, so that no endpoint can forget it: the
 * success schema says which answers are orders.
 */
import { Invoices, type InvoicedOrder } from "@effect-commerce/core/invoice/Invoices"
import { Effect, SchemaAST } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"

type Handler = (request: never) => Effect.Effect<unknown, unknown, unknown>

interface Built {
  readonly handlers: Map<string, { readonly endpoint: HttpApiEndpoint.Top; readonly handler: Handler }>
}

const fieldOf = (ast: SchemaAST.AST, field: string): SchemaAST.AST | undefined =>
  SchemaAST.isObjects(ast) ? ast.propertySignatures.find(({ name }) => name === field)?.type : undefined

const isOrder = (ast: SchemaAST.AST | undefined): boolean =>
  ast !== undefined && fieldOf(ast, "invoiceUrl") !== undefined

const isPage = (ast: SchemaAST.AST): boolean => {
  const rows = fieldOf(ast, "data")
  return rows !== undefined && SchemaAST.isArrays(rows) && isOrder(rows.rest[0])
}

/** Whether an endpoint answers with an order (a draft order is one as well), or with a page of them. */
export const ordersAnswered = ({ success }: Pick<HttpApiEndpoint.Top, "success">): "one" | "page" | undefined => {
  const answers = [...success].map(({ ast }) => ast)
  if (answers.some(isOrder)) return "one"
  return answers.some(isPage) ? "page" : undefined
}

/** Wraps the handlers of the endpoints whose answers are orders. */
export const putInvoiceLinks = Effect.fnUntraced(function* ({ handlers }: Built) {
  for (const [name, runtime] of handlers) {
    const answered = ordersAnswered(runtime.endpoint)
    if (answered === undefined) continue
    const { linking } = yield* Invoices
    const linked = Effect.fnUntraced(function* (answer: unknown) {
      const link = yield* linking
      if (answered === "one") return link(answer as InvoicedOrder)
      const page = answer as { readonly data: ReadonlyArray<InvoicedOrder> }
      return { ...page, data: page.data.map(link) }
    })
    handlers.set(name, { ...runtime, handler: (request) => Effect.flatMap(runtime.handler(request), linked) })
  }
})
