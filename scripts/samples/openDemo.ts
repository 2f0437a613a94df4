/**
 * The demo store of `commerce serve --demo` on a database of its own, at a fixed moment, called through `fetch`: what
 * the samples of the API document are recorded from.
 */
import { keptMailbox } from "@effect-commerce/core/smtp/MailTransport"
import { memoryObjectStore } from "@effect-commerce/core/testing/MemoryObjectStore"
import * as TestDatabase from "@effect-commerce/core/testing/TestDatabase"
import { createCommerce } from "@effect-commerce/handler/createCommerce"
import { drawPictures, firstRun, runIn } from "../../packages/cli/src/firstRun.ts"

const origin = "https://commerce.example"
/** In it the store is filled, and calls begin with the next. */
export const seededHour = "2026-03-02T09"
const seeded = Date.parse(`${seededHour}:00:00.000Z`)
const begin = seeded + 3_600_000
/** What is called within one such step is recorded as of its beginning, however long it takes. */
const stepMillis = 120_000

export interface Sent {
  readonly method: string
  /** Below /api. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

export const openDemo = async () => {
  const database = await TestDatabase.open()
  const commerce = await createCommerce({
    database: { connection: database.connection },
    secret: TestDatabase.testSecret,
    rateLimit: { perMinute: "off" },
    testClock: true,
    mail: { transport: keptMailbox("no-reply@commerce.example") },
    media: { store: memoryObjectStore() }
  })
  let steps = 0
  const send = async ({ method, path, headers, body }: Sent): Promise<unknown> => {
    const request = new Request(`${origin}/api${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const response = await commerce.fetch(request, { clientAddress: "127.0.0.1" })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text)
  }
  const setClock = (to: number) =>
    send({ method: "POST", path: "/test/clock", headers: {}, body: { now: new Date(to).toISOString() } })
  /** Calls at the beginning of the next step. */
  const call = async (sent: Sent): Promise<unknown> => {
    await setClock(begin + stepMillis * steps++)
    return send(sent)
  }
  await setClock(seeded)
  const { made } = await firstRun({ databaseUrl: undefined }, commerce, { demo: true, say: () => {} })
  if (made === undefined) throw new Error("the database is not empty")
  // What is recorded stands on the first page.
  await runIn(commerce, drawPictures(origin, 1))
  const close = async () => {
    await commerce.close()
    await database.close()
  }
  return { ...made, call, close }
}
