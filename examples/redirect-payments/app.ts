/**
 * A shop that is paid through Florin, the provider of `provider.ts`, and has a page that shoppers come back to.
 *
 *   DATABASE_URL=postgres://… COMMERCE_SECRET=… SHOP_URL=https://… npx node --conditions=source \
 *     examples/redirect-payments/app.ts
 *
 * With FLORIN_API it calls another Florin, such as the one of `emulation.ts`.
 */
import { fileURLToPath } from "node:url"
import { type CommerceOptions, createCommerce } from "@effect-commerce/handler"
import express from "express"
import { florin, type FlorinOptions } from "./provider.ts"

export const openApp = async (options: CommerceOptions, florinOptions: FlorinOptions = {}) => {
  const commerce = await createCommerce({ ...options, payments: { providers: [florin(florinOptions)] } })
  const app = express()
  app.use(commerce.node)
  // The storefront's `returnUrl`. Whether it was paid is not in the URL, which anybody can write: the shop is asked.
  app.get("/thanks/:channel/:checkout", async ({ params: { channel, checkout } }, response) => {
    const asked = new Request(`http://shop/api/vc/${channel}/checkout/${checkout}/payment-status`)
    const { status, orderNumber } = (await (await commerce.fetch(asked)).json()) as Record<string, unknown>
    response.send(
      typeof orderNumber === "string" ? `Thank you: order ${orderNumber}` : `Your payment: ${String(status)}`
    )
  })
  return { app, commerce }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { DATABASE_URL: url = "", COMMERCE_SECRET: secret, SHOP_URL: publicUrl, FLORIN_API: apiBase } = process.env
  const florinOptions = apiBase === undefined ? {} : { apiBase }
  const { app, commerce } = await openApp({ database: { url }, secret, mail: { publicUrl } }, florinOptions)
  const server = app.listen(4000, () => process.stdout.write("http://127.0.0.1:4000/api/health/ready\n"))
  process.once("SIGTERM", () => server.close(() => void commerce.close()))
}
