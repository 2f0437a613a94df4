/** The calls of Stripe's API that the provider makes, over emulated books. */
import type { StripeBooks } from "./StripeBooks.ts"
import { type EmulatedDispute, type EmulatedRefund, invalid, shownIntent } from "./StripeObjects.ts"

/** Parameters as the API takes them, in brackets: `metadata[order]=1&expand[0]=latest_charge`. */
export type Params = ReadonlyMap<string, string>

export const paramsOf = (text: string): Params => new Map(new URLSearchParams(text).entries())

const record = (params: Params, field: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...params].flatMap(([name, value]) =>
      name.startsWith(`${field}[`) ? [[name.slice(field.length + 1, -1), value] as const] : []
    )
  )

const expands = (params: Params): boolean =>
  [...params].some(([name, value]) => name.startsWith("expand[") && value.endsWith("latest_charge"))

const whole = (params: Params, name: string): number | undefined => {
  const value = params.get(name)
  if (value === undefined) return undefined
  if (!/^[1-9]\d*$/.test(value))
    throw invalid(`Invalid positive integer: ${value}`, { code: "parameter_invalid_integer", param: name })
  return Number(value)
}

const needed = <A>(name: string, value: A | undefined): A => {
  if (value === undefined) throw invalid(`Missing required param: ${name}.`, { code: "parameter_missing", param: name })
  return value
}

/** Whole units alone, or a last digit of 0: as Stripe documents them. */
const steps: ReadonlyArray<readonly [RegExp, number]> = [
  [/^(isk|ugx)$/, 100],
  [/^(bhd|jod|kwd|omr|tnd)$/, 10]
]

const amountOf = (params: Params): { readonly amount: number; readonly currency: string } => {
  const amount = needed("amount", whole(params, "amount"))
  const currency = needed("currency", params.get("currency"))
  if (!/^[a-z]{3}$/.test(currency)) throw invalid(`Invalid currency: ${currency}`, { param: "currency" })
  const step = steps.find(([which]) => which.test(currency))?.[1] ?? 1
  if (amount === 0 || amount > 99_999_999) throw invalid("Invalid amount.", { code: "amount_too_large" })
  if (amount % step !== 0)
    throw invalid(`Invalid amount. It must be divisible by ${step}.`, {
      code: "invalid_charge_amount_no_decimal_compatible"
    })
  return { amount, currency }
}

/** The newest first, a page at a time. */
const page = <A extends { readonly id: string }>(url: string, all: ReadonlyArray<A>, params: Params) => {
  const after = params.get("starting_after")
  const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
  const limit = whole(params, "limit") ?? 10
  return { object: "list", url, data: all.slice(from, from + limit), has_more: all.length > from + limit }
}

const searched = /^metadata\['(\w+)'\]:'((?:[^'\\]|\\.)*)'$/

export interface EmulatedCall {
  readonly method: string
  readonly path: string
  readonly params: Params
}

export interface CallContext {
  readonly books: StripeBooks
  readonly account: string
  /** Unix seconds until which search has indexed; undefined: the account has no search. */
  readonly searchedUntil: number | undefined
}

/** The newest first, as search and lists have them. */
const searchIntents = ({ params }: EmulatedCall, { books, searchedUntil }: CallContext): object => {
  const [, field = "", value = ""] = searched.exec(params.get("query") ?? "") ?? []
  if (searchedUntil === undefined || field === "") throw invalid("Search is not available for this account.")
  const wanted = value.replaceAll(/\\(.)/g, "$1")
  const data = books
    .all()
    .filter(({ created, metadata }) => created <= searchedUntil && metadata[field] === wanted)
    .map((intent) => shownIntent(intent, expands(params)))
  return { object: "search_result", url: "/v1/payment_intents/search", data, has_more: false, next_page: null }
}

const listIntents = ({ params }: EmulatedCall, { books }: CallContext): object => {
  const since = whole(params, "created[gte]") ?? 0
  const recent = books.all().filter(({ created }) => created >= since)
  const listed = page("/v1/payment_intents", recent, params)
  return { ...listed, data: listed.data.map((intent) => shownIntent(intent, expands(params))) }
}

const readIntents = (call: EmulatedCall, id: string, context: CallContext): object => {
  if (id === "search") return searchIntents(call, context)
  return id === "" ? listIntents(call, context) : shownIntent(context.books.get(id), expands(call.params))
}

const openIntent = (params: Params, books: StripeBooks) =>
  books.open({
    ...amountOf(params),
    capture_method: params.get("capture_method") ?? "automatic_async",
    metadata: record(params, "metadata"),
    isRedirecting: params.get("automatic_payment_methods[allow_redirects]") !== "never"
  })

const changeIntent = ({ method, path, params }: EmulatedCall, id: string, books: StripeBooks) => {
  switch (path.split("/")[4]) {
    case "confirm": {
      const given = params.get("payment_method") ?? params.get("confirmation_token")
      return books.confirm(id, needed("payment_method", given), params.get("return_url"))
    }
    case "capture":
      return books.capture(id, whole(params, "amount_to_capture"), record(params, "metadata"))
    case "cancel":
      return books.cancel(id, params.get("cancellation_reason") ?? null)
    default:
      throw invalid(`Unrecognized request URL (${method}: ${path}).`, {}, 404)
  }
}

const intentCalls = (call: EmulatedCall, context: CallContext): object => {
  const id = call.path.split("/")[3] ?? ""
  if (call.method === "GET") return readIntents(call, id, context)
  const { params } = call
  const intent = id === "" ? openIntent(params, context.books) : changeIntent(call, id, context.books)
  return shownIntent(intent, expands(params))
}

const listOf = (
  params: Params,
  url: string,
  of: (id: string) => ReadonlyArray<EmulatedRefund | EmulatedDispute>
): object => page(url, of(needed("payment_intent", params.get("payment_intent"))), params)

/** The answer, or an EmulatedFailure. */
export const answerCall = (call: EmulatedCall, context: CallContext): object => {
  const { method, path, params } = call
  const { books, account } = context
  const resource = path.split("/")[2] ?? ""
  switch (`${method} ${resource}`) {
    case "GET account":
      return { id: account, object: "account" }
    case "GET payment_intents":
    case "POST payment_intents":
      return intentCalls(call, context)
    case "GET refunds":
      return listOf(params, "/v1/refunds", books.refundsOf)
    case "GET disputes":
      return listOf(params, "/v1/disputes", books.disputesOf)
    case "POST refunds": {
      const id = needed("payment_intent", params.get("payment_intent"))
      return books.refund(id, whole(params, "amount"), record(params, "metadata"))
    }
    default:
      throw invalid(`Unrecognized request URL (${method}: ${path}).`, {}, 404)
  }
}
