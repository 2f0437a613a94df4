/**
 * Every row whose version is judged before a use case runs (RowVersions). A room lists its own in its `<Room>Room.ts`;
 * a route names one with `row`. What is not here is judged by its use case (Precondition), such as a cart or a
 * checkout.
 */
import { customerRows } from "./customer/CustomerRoom.ts"
import { emailRows } from "./email/EmailRoom.ts"
import { identityRows } from "./identity/IdentityRoom.ts"
import { mediaRows } from "./media/MediaRoom.ts"
import { modifierRows } from "./modifier/ModifierRoom.ts"
import { orderRows } from "./order/OrderRows.ts"
import { productRows } from "./product/ProductRoom.ts"
import { reviewRows } from "./review/ReviewRoom.ts"
import { shippingRows } from "./shipping/ShippingRoom.ts"
import { storeRows } from "./store/StoreRoom.ts"
import { taxonomyRows } from "./taxonomy/TaxonomyRoom.ts"
import { taxRows } from "./tax/TaxRoom.ts"
import { webhookRows } from "./webhook/WebhookRoom.ts"

export const versionedRows = {
  ...storeRows,
  ...identityRows,
  ...mediaRows,
  ...taxonomyRows,
  ...modifierRows,
  ...productRows,
  ...customerRows,
  ...taxRows,
  ...shippingRows,
  ...orderRows,
  ...reviewRows,
  ...emailRows,
  ...webhookRows
}

export type VersionedResource = keyof typeof versionedRows
