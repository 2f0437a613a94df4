/**
 * The demo store of `commerce serve --demo` on a database of its own, at a fixed moment, called through `fetch`: what
 * the samples of the API document are recorded from.
 */
import { KeyUses } from "@effect-commerce/core/identity/KeyUses"
import { keptMailbox } from "@effect-commerce/core/smtp/MailTransport"
import { memoryObjectStore } from "@effect-commerce/core/testing/MemoryObjectStore"
import * as TestDatabase from "@effect-commerce/core/testing/TestDatabase"
import { createCommerce } from "@effect-commerce/handler/createCommerce"
import { Clock, Context, Effect } from "effect"
import { drawPictures, firstRun, runIn } from "../../packages/cli/src/firstRun.ts"

const origin = "https://commerce.example"
/** In it the store is filled, and calls begin with the next. */
export const seededHour = "2026-03-02T09"
const seeded = Date.parse(`${seededHour}:00:00.000Z`)
const begin = seeded + 3_600_000
/** What is called within one such step is recorded as of its beginning, however long it takes. */
const stepMillis = 120_000

/** Says no moment twice: what is made in one millisecond has no order in a list, and a sample needs one. */
const withoutRepeats = (clock: Clock.Clock): Clock.Clock => {
  let last = 0
  const next = () => (last = Math.max(last + 1, clock.currentTimeMillisUnsafe()))
  return { ...clock, currentTimeMillisUnsafe: next, currentTimeMillis: Effect.sync(next) }
}

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
  const writeKeyUses = KeyUses.use((uses) => uses.flush) as Effect.Effect<void>
  /** Calls at the beginning of the next step, when the uses of keys until then are written, wherever a minute ends. */
  const call = async (sent: Sent): Promise<unknown> => {
    await setClock(begin + stepMillis * steps++)
    await runIn(commerce, writeKeyUses)
    return send(sent)
  }
  await setClock(seeded)
  const filling = {
    ...commerce,
    services: Context.add(commerce.services, Clock.Clock, withoutRepeats(Context.get(commerce.services, Clock.Clock)))
  }
  const { made } = await firstRun({ databaseUrl: undefined }, filling, { demo: true, say: () => {} })
  if (made === undefined) throw new Error("the database is not empty")
  // What is recorded stands on the first page.
  await runIn(filling, drawPictures(origin, 1))
  const close = async () => {
    await commerce.close()
    await database.close()
  }
  return { ...made, call, close }
}
