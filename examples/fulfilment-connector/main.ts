/**
 * Starts the connector with a warehouse that sends everything at once.
 *
 *   SHOP=http://127.0.0.1:4000 ADMIN_KEY=svc_… npx node examples/fulfilment-connector/main.ts
 */
import { startConnector } from "./connector.ts"

const { SHOP: shop = "http://127.0.0.1:4000", ADMIN_KEY: adminKey = "" } = process.env
const port = 4_100
const connector = await startConnector({
  shop,
  adminKey,
  publicUrl: process.env["PUBLIC_URL"] ?? `http://127.0.0.1:${port}`,
  port,
  warehouse: { send: async (parcel) => ({ carrier: "Example Post", tracking: `EP-${parcel}` }) }
})
process.stdout.write(`${connector.installationId} listens on port ${port}\n`)
process.once("SIGTERM", () => void connector.stop())
process.once("SIGINT", () => void connector.stop())
