/**
 * Starts the installed command with its demo store, buys as a storefront does, looks at the order as the merchant,
 * audits the books and stops it.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { demand, runProgram } from "./runProgram.ts"

interface Shop {
  readonly url: string
  readonly channel: string
  readonly key: string
}

type Json = Readonly<Record<string, unknown>>

export const buySomething = async (consumer: string): Promise<ReadonlyArray<string>> => {
  const version = (await runProgram("npx", ["commerce", "--version"], { cwd: consumer })).trim()
  // In a process group of its own, so that npx and what it starts are stopped together.
  const server = spawn("npx", ["commerce", "serve", "--demo", "--port", "0"], {
    cwd: consumer,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true
  })
  const ended = new Promise<number | null>((done) => server.on("close", (code) => done(code)))
  try {
    const shop = await listening(server, ended)
    const order = await purchase(shop)
    await uploadPicture(shop)
    const books = (await runProgram("npx", ["commerce", "audit"], { cwd: consumer })).trim()
    const health = (await runProgram("npx", ["commerce", "doctor", "--json"], { cwd: consumer })).trim()
    demand(health === "[]", `commerce doctor found: ${health}`)
    await stop(server, ended)
    return [`commerce ${version} served its demo store, took order ${order} and made a thumbnail`, books]
  } finally {
    signal(server, "SIGKILL")
  }
}

const listening = (server: ChildProcess, ended: Promise<number | null>): Promise<Shop> =>
  new Promise((done, fail) => {
    let said = ""
    const late = setTimeout(
      () => fail(new Error(`commerce serve does not listen after two minutes:\n${said}`)),
      120_000
    )
    const hear = (chunk: unknown) => {
      said += String(chunk)
      const [, url] = /listening on (\S+)/.exec(said) ?? []
      const [, channel] = /sales channel\s+(vc_\S+)/.exec(said) ?? []
      const [, key] = /admin key\s+(svc_\S+)/.exec(said) ?? []
      if (url === undefined || channel === undefined || key === undefined) return
      clearTimeout(late)
      done({ url, channel, key })
    }
    server.stdout?.on("data", hear)
    server.stderr?.on("data", hear)
    void ended.then((code) => fail(new Error(`commerce serve ended with ${code}:\n${said}`)))
  })

const call = async (
  method: string,
  url: string,
  body?: Json,
  headers: Readonly<Record<string, string>> = {}
): Promise<Json> => {
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...init
  })
  const text = await answer.text()
  demand(answer.ok, `${method} ${new URL(url).pathname} answered ${answer.status}: ${text}`)
  return JSON.parse(text) as Json
}

const rowsOf = (answer: Json, field: string): ReadonlyArray<Json> =>
  Array.isArray(answer[field]) ? (answer[field] as ReadonlyArray<Json>) : []

/** The purchase of the README. */
const purchase = async ({ url, channel, key }: Shop): Promise<string> => {
  const at = `${url}/vc/${channel}`
  const product = rowsOf(await call("GET", `${at}/products?inStock=true&limit=20`), "data").find(
    ({ type }) => type === "SIMPLE"
  )
  demand(product !== undefined, "the demo store has no simple product in stock")
  const cart = await call("POST", `${at}/cart`)
  await call("POST", `${at}/cart/${cart["id"]}/items`, { productId: product["id"], quantity: 2 })
  const { id } = await call("POST", `${at}/checkout`, { cartId: cart["id"] })
  const checkout = `${at}/checkout/${id}`
  await call("PATCH", `${checkout}/customer`, { email: "ada@example.com", firstName: "Ada", lastName: "Byron" })
  const address = { line1: "1 Main St", city: "San Francisco", region: "CA", postalCode: "94105", country: "US" }
  const [rate] = rowsOf(
    await call("PATCH", `${checkout}/shipping`, { shippingAddress: address }),
    "availableShippingRates"
  )
  demand(rate !== undefined, "the demo store offers no shipping to California")
  await call("PATCH", `${checkout}/shipping-method`, { shippingRateId: rate["id"] })
  const placed = await call("POST", `${checkout}/complete`, {}, { "idempotency-key": "pack-check" })
  const order = await call("GET", `${url}/v1/orders/${placed["orderId"]}`, undefined, {
    authorization: `Bearer ${key}`
  })
  demand(
    order["totalAmount"] === placed["total"],
    `the order is of ${order["totalAmount"]}, the shopper was told ${placed["total"]}`
  )
  return `${placed["orderNumber"]} of ${placed["total"]}`
}

/** A PNG of one pixel. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="

/** The installed command finds the program that decodes pictures, and sharp. */
const uploadPicture = async ({ url, key }: Shop): Promise<void> => {
  const form = new FormData()
  form.append("file", new Blob([Buffer.from(pixel, "base64")], { type: "image/png" }), "pixel.png")
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`${url}/v1/media`, { method: "POST", headers, body: form })
  demand(answer.status === 201, `the upload of a picture answered ${answer.status}`)
  const { id } = (await answer.json()) as Json
  // It may come after the response of the upload.
  for (let tries = 0; tries < 60; tries++) {
    if ((await call("GET", `${url}/v1/media/${id}`, undefined, headers))["thumbnailUrl"] !== null) return
    await new Promise((later) => setTimeout(later, 1_000))
  }
  throw new Error("a picture has no thumbnail a minute after its upload")
}

const signal = (server: ChildProcess, name: "SIGTERM" | "SIGKILL"): void => {
  try {
    if (server.pid !== undefined) process.kill(-server.pid, name)
  } catch {
    // It has ended.
  }
}

const stop = async (server: ChildProcess, ended: Promise<number | null>): Promise<void> => {
  signal(server, "SIGTERM")
  const late = new Promise<"late">((done) => setTimeout(() => done("late"), 12_000).unref())
  demand((await Promise.race([ended, late])) !== "late", "commerce serve has not ended 12 s after SIGTERM")
}
