/** The rooms of the server. A new room is added here, its routes in Api.ts and its refusals in ErrorTable.ts. */
import { Effect, Layer } from "effect"
import { cartRoom } from "./cart/CartRoom.ts"
import { checkoutRoom } from "./checkout/CheckoutRoom.ts"
import { customerRoom } from "./customer/CustomerRoom.ts"
import { emailRoom } from "./email/EmailRoom.ts"
import { identityRoom } from "./identity/IdentityRoom.ts"
import { inventoryRoom } from "./inventory/InventoryRoom.ts"
import { mediaRoom } from "./media/MediaRoom.ts"
import { metafieldRoom } from "./metafield/MetafieldRoom.ts"
import { modifierRoom } from "./modifier/ModifierRoom.ts"
import { orderRoom } from "./order/OrderRoom.ts"
import { paymentRoom } from "./payment/PaymentRoom.ts"
import { productRoom } from "./product/ProductRoom.ts"
import { reviewRoom } from "./review/ReviewRoom.ts"
import { shippingRoom } from "./shipping/ShippingRoom.ts"
import { storeRoom } from "./store/StoreRoom.ts"
import { storefrontRoom } from "./storefront/StorefrontRoom.ts"
import { systemRoom } from "./system/SystemRoom.ts"
import { taxRoom } from "./tax/TaxRoom.ts"
import { taxonomyRoom } from "./taxonomy/TaxonomyRoom.ts"
import { webhookRoom } from "./webhook/WebhookRoom.ts"

const rooms = [
  systemRoom,
  storeRoom,
  identityRoom,
  mediaRoom,
  taxonomyRoom,
  metafieldRoom,
  modifierRoom,
  productRoom,
  storefrontRoom,
  inventoryRoom,
  cartRoom,
  checkoutRoom,
  orderRoom,
  paymentRoom,
  customerRoom,
  reviewRoom,
  emailRoom,
  taxRoom,
  shippingRoom,
  webhookRoom
] as const

const [first, ...others] = rooms

/** The handlers of every route. */
export const endpoints = Layer.mergeAll(first.endpoints, ...others.map((room) => room.endpoints))

type Worker = (typeof rooms)[number]["workers"][number]

/** Starts the background work of an instance: short, frequent, idempotent passes, any number of processes at once. */
export const startWorkers = Effect.all(
  rooms.flatMap<Worker>(({ workers }) => workers),
  { discard: true }
)
