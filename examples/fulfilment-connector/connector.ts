/**
 * An app that connects a store with a warehouse: it installs itself, tells the warehouse of products, and ships orders
 * as soon as they are paid. Node's own modules, no framework and nothing of ours.
 *
 * Every step may be repeated: a webhook can arrive twice, and a process can end between two lines.
 */
import { createHmac, timingSafeEqual } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"

export interface ConnectorOptions {
  /** The address of the server, such as https://shop.example. */
  readonly shop: string
  /** A key with installations:*, webhooks:* and orders:write: it looks for what an earlier start has left. */
  readonly adminKey: string
  /** Where the server reaches this program, such as https://connector.example. */
  readonly publicUrl: string
  readonly port: number
  readonly warehouse: Warehouse
}

/** What the connector needs of the warehouse. The same parcel number again is the same parcel. */
export interface Warehouse {
  readonly send: (parcel: string, order: ShopOrder) => Promise<{ readonly carrier: string; readonly tracking: string }>
}

export interface ShopOrder {
  readonly id: string
  readonly orderNumber: string
  readonly items: ReadonlyArray<{ readonly sku: string | null; readonly name: string; readonly quantity: number }>
}
interface ShopEvent {
  readonly id: string
  readonly type: string
  readonly data: {
    readonly order?: ShopOrder
    readonly product?: { readonly id: string; readonly sku: string | null; readonly slug: string }
  }
}
interface Mapping {
  readonly id: string
  readonly externalId: string
  readonly syncStatus: string
}

const platform = "WAREHOUSE"
const appName = "Fulfilment connector"
/** What the server makes of the name: an app is unique by it, whatever the name's capital letters. */
const appId = "fulfilment-connector"
const events = ["product.created", "product.updated", "order.paid"]
const scopes = ["mappings:read", "mappings:write", "config:write"]

/** An error response. */
class Refused extends Error {
  readonly answer: { readonly code: string; readonly details?: Readonly<Record<string, string>> }
  constructor(answer: Refused["answer"]) {
    super(answer.code)
    this.answer = answer
  }
}

/** A request with one credential, which is never logged. */
const caller =
  (shop: string, credential: string) =>
  async <A>(method: string, path: string, body?: object, idempotencyKey?: string): Promise<A> => {
    const response = await fetch(`${shop}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${credential}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const answer = (await response.json()) as A & Refused["answer"]
    if (!response.ok) throw new Refused(answer)
    return answer
  }

type Call = ReturnType<typeof caller>

/** Installs the app, or renews its token where it is installed: the one before is known to nobody any more. */
const install = async (admin: Call): Promise<{ readonly id: string; readonly token: string }> => {
  try {
    return await admin("POST", "/v1/installations", { name: appName, scopes })
  } catch (error) {
    if (!(error instanceof Refused) || error.answer.code !== "ALREADY_INSTALLED") throw error
    const { data } = await admin<{ data: Array<{ id: string; appId: string }> }>("GET", "/v1/installations?limit=100")
    const installed = data.find((one) => one.appId === appId)
    return admin("POST", `/v1/installations/${installed?.id ?? ""}/token`)
  }
}

/** Subscribes, or takes over what a start before has subscribed to with a new secret: it may have ended anyhow. */
const subscribe = async (admin: Call, url: string): Promise<{ readonly id: string; readonly secret: string }> => {
  const path = "/v1/webhook-subscriptions"
  const { data } = await admin<{ data: Array<{ id: string; url: string }> }>("GET", `${path}?limit=100`)
  const left = data.find((one) => one.url === url)
  if (left === undefined) return admin("POST", path, { url, events })
  const { secret } = await admin<{ secret: string }>("POST", `${path}/${left.id}/rotate-secret`)
  return { id: left.id, secret }
}

/** Whether the server has signed these bytes, in the last five minutes. */
const isGenuine = (secret: string, { headers }: IncomingMessage, raw: Buffer): boolean => {
  const timestamp = String(headers["x-svc-timestamp"])
  const given = Buffer.from(String(headers["x-svc-signature"]), "hex")
  const expected = createHmac("sha256", secret).update(`${timestamp}.`).update(raw).digest()
  return (
    Math.abs(Date.now() - Number(timestamp)) <= 300_000 &&
    given.length === expected.length &&
    timingSafeEqual(given, expected)
  )
}

const bytesOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

export const startConnector = async ({ shop, adminKey, publicUrl, port, warehouse }: ConnectorOptions) => {
  const admin = caller(shop, adminKey)
  const { id: installationId, token } = await install(admin)
  const app = caller(shop, token)
  const own = `/v1/installations/${installationId}`
  await app("PUT", `${own}/secrets`, { secrets: { WEBHOOK_URL: publicUrl } })

  const mapProduct = ({ id, sku, slug }: NonNullable<ShopEvent["data"]["product"]>) =>
    app("PUT", `${own}/mappings/upsert`, {
      resourceType: "product",
      internalId: id,
      externalId: sku ?? slug,
      platformCode: platform
    })

  /** The mapping of an order is the parcel's number: the first one that is stored counts, whoever comes later. */
  const parcelOf = async (order: ShopOrder): Promise<Mapping> => {
    const key = { resourceType: "order", internalId: order.id, platformCode: platform }
    try {
      const externalId = `parcel-${order.orderNumber.replace("#", "")}`
      return await app<Mapping>("POST", `${own}/mappings`, { ...key, externalId, syncStatus: "pending" })
    } catch (error) {
      if (!(error instanceof Refused) || error.answer.code !== "CONFLICT") throw error
      return app<Mapping>("GET", `${own}/mappings/${error.answer.details?.["mappingId"]}`)
    }
  }

  const ship = async (order: ShopOrder): Promise<void> => {
    const parcel = await parcelOf(order)
    if (parcel.syncStatus === "synced") return
    const { carrier, tracking } = await warehouse.send(parcel.externalId, order)
    const sent = { carrier, trackingNumber: tracking }
    // Under one key the order is fulfilled once, however often this line runs.
    await admin("POST", `/v1/orders/${order.id}/fulfill`, sent, `ship-${order.id}`)
    const lastSyncedAt = new Date().toISOString()
    await app("PATCH", `${own}/mappings/${parcel.id}`, { syncStatus: "synced", lastSyncedAt, lastSyncError: null })
  }

  const handle = async ({ type, data: { product, order } }: ShopEvent): Promise<void> => {
    if (product !== undefined && type !== "product.deleted") await mapProduct(product)
    if (order !== undefined && type === "order.paid") await ship(order)
  }

  const { id: subscriptionId, secret } = await subscribe(admin, `${publicUrl}/events`)
  // It answers when the work is done: if it fails, the server sends the event again.
  const server = createServer(async (request, response) => {
    const raw = await bytesOf(request)
    if (!isGenuine(secret, request, raw)) return void response.writeHead(401).end()
    try {
      await handle(JSON.parse(raw.toString("utf8")) as ShopEvent)
      response.writeHead(200).end()
    } catch (error) {
      process.stderr.write(`${String(error)}\n`)
      response.writeHead(500).end()
    }
  })
  await new Promise<void>((done) => server.listen(port, done))

  return {
    installationId,
    /** What the warehouse has sent to the app's address at the server, the newest first. */
    scans: async (): Promise<ReadonlyArray<string>> => {
      const { data } = await app<{ data: Array<{ body: string }> }>("GET", `${own}/inbound/parcel.scanned`)
      return data.map(({ body }) => body)
    },
    stop: async (): Promise<void> => {
      await admin("DELETE", `/v1/webhook-subscriptions/${subscriptionId}`)
      await new Promise((done) => server.close(done))
    }
  }
}
