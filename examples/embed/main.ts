/**
 * A web application that has a shop below `/shop/api`, and pages of its own beside it.
 *
 *   DATABASE_URL=postgres://… COMMERCE_SECRET=… npx node --conditions=source examples/embed/main.ts
 */
import { fileURLToPath } from "node:url"
import { Products } from "@effect-commerce/core/product/Products"
import { ApiKeys } from "@effect-commerce/core/identity/ApiKeys"
import { everyScope } from "@effect-commerce/core/identity/Scope"
import { SalesChannels } from "@effect-commerce/core/store/SalesChannels"
import { Stores } from "@effect-commerce/core/store/Stores"
import { type Commerce, type CommerceOptions, createCommerce } from "@effect-commerce/handler"
import { Effect } from "effect"
import express from "express"

/**
 * Once, by a script of yours: a store, a channel for its pages and a key for its back office. The key is shown here and
 * never again.
 */
export const firstStore = (commerce: Commerce) =>
  Effect.gen(function* () {
    const { id, accountId } = yield* (yield* Stores).create({ name: "Mugs", currency: "USD", country: "US" })
    const channel = yield* (yield* SalesChannels).create(id, { name: "Web shop" })
    const { key } = yield* (yield* ApiKeys).mint({
      accountId,
      storeId: id,
      name: "Back office",
      scopes: everyScope,
      tier: "PRO"
    })
    return { storeId: id, channelId: channel.id, apiKey: key }
  }).pipe(Effect.provideContext(commerce.services), Effect.runPromise)

/** A use case without HTTP. `Stores.context` says for which store; what it refuses is an error with a name. */
export const addMug = (commerce: Commerce, storeId: string) =>
  Effect.gen(function* () {
    const store = yield* (yield* Stores).context(storeId)
    return yield* (yield* Products).create(store, {
      name: "Mug",
      basePrice: "9.00",
      status: "active",
      inventory: { total: 7 }
    })
  }).pipe(Effect.provideContext(commerce.services), Effect.runPromise)

export const openApp = async (options: CommerceOptions) => {
  const commerce = await createCommerce({ ...options, basePath: "/shop/api" })
  const app = express()
  app.use(commerce.node) // before express.json(); every other path goes on to the routes below
  app.get("/", (_request, response) => void response.send("A page of ours"))
  return { app, commerce }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { DATABASE_URL: url = "", COMMERCE_SECRET: secret } = process.env
  const { app, commerce } = await openApp({ database: { url }, secret })
  const { storeId, channelId } = await firstStore(commerce)
  await addMug(commerce, storeId)
  const server = app.listen(4000, () =>
    process.stdout.write(`http://127.0.0.1:4000/shop/api/vc/${channelId}/products\n`)
  )
  process.once("SIGTERM", () => server.close(() => void commerce.close()))
}
