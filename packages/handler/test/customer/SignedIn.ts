/** A shop with customers in it, as a storefront would call it. */
import { CustomerTokens } from "@effect-commerce/core/customer/CustomerTokens"
import { mailTokenContext, mailTokenPurpose } from "@effect-commerce/core/customer/CustomerEvents"
import { RootSecret } from "@effect-commerce/core/crypto/RootSecret"
import { Database } from "@effect-commerce/core/database/Database"
import { Effect } from "effect"
import pg from "pg"
import {
  type CallOptions,
  type Called,
  runWith,
  type TestCommerce,
  type TestStore
} from "../../src/testing/TestCommerce.ts"

export const goodPassword = "Corr3ct-Horse"
export const otherPassword = "N3w-Battery!"

export interface StoredEvent {
  readonly type: string
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads any path of any event
  readonly data: any
}

export interface Shopper {
  readonly id: string
  readonly email: string
  readonly token: string
}

let emails = 0
export const freshEmail = (): string => `ada${++emails}@example.com`

const bearer = (token: string | undefined, options: CallOptions = {}): CallOptions =>
  token === undefined ? options : { ...options, headers: { ...options.headers, authorization: `Bearer ${token}` } }

/** Customers of one channel of a shop. */
export const customersOf = (shop: TestCommerce, store: Pick<TestStore, "storeId" | "channelId" | "apiKey"> = shop) => {
  const run = <A>(effect: Effect.Effect<A, unknown, unknown>): Promise<A> =>
    runWith(shop.commerce, effect as Effect.Effect<A>)
  const vc = `/vc/${store.channelId}`
  const at = `${vc}/customers`
  const as = (token: string | undefined, method: string, path: string, body?: object): Promise<Called> =>
    shop.call(method, path, bearer(token, body === undefined ? {} : { body }))
  const post = (path: string, body: object, token?: string): Promise<Called> => as(token, "POST", `${at}/${path}`, body)
  const register = (body: object = {}) => post("register", { email: freshEmail(), password: goodPassword, ...body })
  /** A customer who has just registered. */
  const signUp = async (body: object = {}): Promise<Shopper> => {
    const made = await register(body)
    if (made.status !== 200) throw new Error(`register: ${made.text}`)
    return { id: made.body.customer.id, email: made.body.customer.email, token: made.body.token }
  }
  const login = (email: string, password = goodPassword) => post("login", { email, password })
  const me = (token?: string, method = "GET", path = "", body?: object) => as(token, method, `${at}/me${path}`, body)
  const admin = (method: string, path: string, body?: object) =>
    shop.call(method, `/v1${path}`, { key: store.apiKey, ...(body === undefined ? {} : { body }) })
  const issue = (id: string, channelId = store.channelId): Promise<string> =>
    run(
      Effect.map(
        Effect.flatMap(CustomerTokens, (tokens) => tokens.issue(store.storeId, channelId, { id, passwordVersion: 1 })),
        ({ token }) => token
      )
    )
  /** A customer without a password, signed in: costs no hash. */
  const known = async (body: object = {}): Promise<Shopper> => {
    const { body: made } = await admin("POST", "/customers", { email: freshEmail(), ...body })
    return { id: made.id, email: made.email, token: await issue(made.id) }
  }

  /** The store's events of some types, in their order. */
  const events = (...types: ReadonlyArray<string>): Promise<ReadonlyArray<StoredEvent>> =>
    run(
      Effect.flatMap(
        Database,
        ({ sql }) =>
          sql<StoredEvent>`SELECT type, data FROM event WHERE store_id = ${store.storeId} AND type = ANY(${types}::text[]) ORDER BY seq`
      )
    )
  const told = async (customerId: string, ...types: ReadonlyArray<string>) =>
    (
      await events(...(types.length === 0 ? ["customer.created", "customer.updated", "customer.deleted"] : types))
    ).filter((event) => event.data.customerId === customerId)
  /** The tokens that mails of a kind carry to a customer, oldest first. */
  const mailed = async (customerId: string, kind: "verification" | "reset"): Promise<ReadonlyArray<string>> => {
    const mails = await told(customerId, kind === "reset" ? "internal.password_reset" : "internal.email_verification")
    return run(
      Effect.map(RootSecret, (secret) =>
        mails.map((mail) => secret.open(mailTokenPurpose, mailTokenContext(store.storeId, customerId), mail.data.token))
      )
    )
  }
  return { vc, at, as, post, register, signUp, login, me, admin, issue, known, events, told, mailed }
}

/** Status and code. */
export const answer = async (promise: Promise<Called>): Promise<readonly [number, string | undefined]> => {
  const { status, body } = await promise
  return [status, body?.code]
}

/** Everything of an error but the moment it happened. */
export const said = async (promise: Promise<Called>): Promise<object> => {
  const { timestamp: _timestamp, ...rest } = (await promise).body
  return rest
}

/** Rows as the owner of the tables sees them. */
export const rowsOf = async (
  shop: TestCommerce,
  text: string,
  values: ReadonlyArray<unknown> = []
): Promise<ReadonlyArray<Record<string, unknown>>> => {
  const client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
  try {
    return (await client.query(text, [...values])).rows
  } finally {
    await client.end()
  }
}
