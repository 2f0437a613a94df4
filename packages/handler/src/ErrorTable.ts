/**
 * The one table from an error's tag to its code, message and details. Core knows no HTTP; this is where its errors get
 * a status. Each room brings the rows of its own errors.
 */
import { cartErrors } from "./cart/cartErrors.ts"
import { modifierErrors } from "./modifier/modifierErrors.ts"
import { productErrors } from "./product/productErrors.ts"
import { taxonomyErrors } from "./taxonomy/taxonomyErrors.ts"
import { metafieldErrors } from "./metafield/metafieldErrors.ts"
import { checkoutErrors } from "./checkout/checkoutErrors.ts"
import { customerErrors } from "./customer/customerErrors.ts"
import { emailErrors } from "./email/emailErrors.ts"
import { identityErrors } from "./identity/identityErrors.ts"
import { inventoryErrors } from "./inventory/inventoryErrors.ts"
import { mediaErrors } from "./media/mediaErrors.ts"
import { orderErrors } from "./order/orderErrors.ts"
import { reviewErrors } from "./review/reviewErrors.ts"
import { shippingErrors } from "./shipping/shippingErrors.ts"
import { storeErrors } from "./store/storeErrors.ts"
import { taxErrors } from "./tax/taxErrors.ts"
import { webhookErrors } from "./webhook/webhookErrors.ts"
import { pipelineErrors } from "./middleware/pipelineErrors.ts"

export const errorTable = {
  ...pipelineErrors,
  ...storeErrors,
  ...identityErrors,
  ...mediaErrors,
  ...taxonomyErrors,
  ...metafieldErrors,
  ...modifierErrors,
  ...productErrors,
  ...cartErrors,
  ...inventoryErrors,
  ...checkoutErrors,
  ...orderErrors,
  ...customerErrors,
  ...reviewErrors,
  ...emailErrors,
  ...taxErrors,
  ...shippingErrors,
  ...webhookErrors
}
