/**
 * Every row whose version is judged before a use case runs (RowVersions). A room lists its own in its `<Room>Room.ts`;
 * a route names one with `row`. What is not here is judged by its use case (Precondition), such as a cart or a
 * checkout.
 */
import { catalogRows } from "./product/CatalogRoom.ts"
import { customerRows } from "./customer/CustomerRoom.ts"
import { emailRows } from "./email/EmailRoom.ts"
import { identityRows } from "./identity/IdentityRoom.ts"
import { mediaRows } from "./media/MediaRoom.ts"
import { orderRows } from "./order/OrderRows.ts"
import { reviewRows } from "./review/ReviewRoom.ts"
import { shippingRows } from "./shipping/ShippingRoom.ts"
import { storeRows } from "./store/StoreRoom.ts"
import { taxRows } from "./tax/TaxRoom.ts"
import { webhookRows } from "./webhook/WebhookRoom.ts"

export const versionedRows = {
  ...storeRows,
  ...identityRows,
  ...mediaRows,
  ...catalogRows,
  ...customerRows,
  ...taxRows,
  ...shippingRows,
  ...orderRows,
  ...reviewRows,
  ...emailRows,
  ...webhookRows
}

export type VersionedResource = keyof typeof versionedRows
