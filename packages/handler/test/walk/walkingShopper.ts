/**
 * The way from a stranger to a customer who has paid, step by step as a storefront takes it, over any server: the same
 * steps as docs/guides/walk-shopper.md. Beside it the merchant's endpoint, which keeps what is delivered as it came.
 */
import { once } from "node:events"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { PostOffice, Received } from "../../../core/test/email/mailServer.ts"

export interface Answered {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads any path of any answer
  readonly body: any
  readonly text: string
}

/** A store with a test-mode channel, on a server of any kind. `/v1` is called with the store's key. */
export interface Place {
  readonly channelId: string
  readonly call: (
    method: string,
    path: string,
    options?: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  ) => Promise<Answered>
}

/** The storefront's domain, of which a browser's requests and the links in mails tell. */
export const domain = "mugs.example"
const origin = `https://${domain}`

export const until = async <A>(what: string, look: () => A | undefined | Promise<A | undefined>): Promise<A> => {
  const patience = performance.now() + 20_000
  while (performance.now() < patience) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((done) => setTimeout(done, 20))
  }
  throw new Error(`waited in vain for ${what}`)
}

const demand = async (answer: Promise<Answered>, status: number): Promise<Answered["body"]> => {
  const given = await answer
  if (given.status !== status) throw new Error(`expected ${status}, got ${given.status}: ${given.text}`)
  return given.body
}

/** What a browser on the storefront calls, signed in or not. */
export const storefrontOf = (place: Place) => {
  const call = (
    method: string,
    path: string,
    body?: object,
    token?: string,
    more: Readonly<Record<string, string>> = {}
  ) =>
    place.call(method, `/vc/${place.channelId}${path}`, {
      ...(body === undefined ? {} : { body }),
      headers: { origin, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...more }
    })
  return { call, demand: (status: number, ...request: Parameters<typeof call>) => demand(call(...request), status) }
}

/** The newest mail of a kind that has come to an address. */
export const mailTo = (office: PostOffice, email: string, subject: RegExp): Promise<Received> =>
  until(`a mail ${subject} to ${email}`, () =>
    office.mails.findLast((mail) => mail.envelopeTo.includes(email) && subject.test(mail.subject ?? ""))
  )

/** The token of the one link in a mail that leads to this page of the storefront. */
export const tokenIn = (mail: Received, page: string): string => {
  const links = [...(mail.text ?? "").matchAll(/https?:\/\/\S+/g)].map(([link]) => new URL(link))
  const [link, ...more] = links.filter((one) => one.origin === origin && one.pathname === page)
  if (link === undefined || more.length > 0) throw new Error(`expected one link to ${page}: ${mail.text}`)
  return link.searchParams.get("token") ?? ""
}

/**
 * The merchant opens the shop: a domain, customers who must confirm their address, an endpoint for orders. Answers the
 * signing secret.
 */
export const openForBusiness = async (place: Place, endpoint: string): Promise<string> => {
  await demand(place.call("PATCH", "/v1/store", { body: { customerVerification: "required" } }), 200)
  await demand(place.call("PATCH", `/v1/sales-channels/${place.channelId}`, { body: { domain } }), 200)
  const made = await demand(
    place.call("POST", "/v1/webhook-subscriptions", {
      body: { url: endpoint, events: ["order.created", "order.paid"] }
    }),
    201
  )
  return made.secret
}

export interface Walker {
  readonly email: string
  readonly password: string
  readonly productId: string
}

/** From nothing to a checkout that can be paid. */
export const walkToCheckout = async (place: Place, office: PostOffice, { email, password, productId }: Walker) => {
  const { demand: ask, call } = storefrontOf(place)
  const guest = await ask(201, "POST", "/cart")
  await ask(200, "POST", `/cart/${guest.id}/items`, { productId, quantity: 2 })

  const registered = await ask(200, "POST", "/customers/register", {
    email,
    password,
    firstName: "Ada",
    lastName: "Byron"
  })
  const early = await ask(200, "POST", "/customers/login", { email, password })
  const verification = await mailTo(office, email, /^Confirm your e-mail address/)
  const mailed = tokenIn(verification, "/verify-email")
  await ask(200, "POST", "/customers/verify-email", { token: mailed })
  const again = await call("POST", "/customers/verify-email", { token: mailed })
  const { token } = await ask(200, "POST", "/customers/login", { email, password })

  const merged = await ask(200, "POST", "/cart/merge", { sessionToken: guest.sessionToken }, token)
  const checkout = await ask(201, "POST", "/checkout", { cartId: merged.id }, token)
  const at = `/checkout/${checkout.id}`
  const shippingAddress = {
    firstName: "Ada",
    lastName: "Byron",
    line1: "1 Main St",
    city: "Town",
    region: "CA",
    postalCode: "94105",
    country: "US"
  }
  await ask(200, "PATCH", `${at}/customer`, { email, firstName: "Ada", lastName: "Byron" }, token)
  await ask(200, "PATCH", `${at}/shipping`, { shippingAddress }, token)
  const complete = (key: string) =>
    call("POST", `${at}/complete`, { paymentMethod: "test", paymentReference: "approve" }, token, {
      "idempotency-key": key
    })
  return {
    guest,
    registered,
    early,
    verification,
    mailed,
    again,
    token,
    merged,
    checkoutId: checkout.id as string,
    complete
  }
}

export interface Delivered {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads any path of any event
  readonly event: any
}

/** The merchant's endpoint. */
export const openEndpoint = async () => {
  const delivered: Array<Delivered> = []
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const body = Buffer.concat(chunks)
      delivered.push({ headers: request.headers, body, event: JSON.parse(body.toString("utf8")) })
      response.end("ok")
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const delivery = (type: string): Promise<Delivered> =>
    until(type, () => delivered.find(({ event }) => event.type === type))
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${port}/orders`, delivered, delivery, close }
}
