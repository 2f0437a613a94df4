/** The errors of completing a checkout, on both surfaces: those of every room that a completion uses. */
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { cartErrors } from "../cart/cartErrors.ts"
import { checkoutErrors } from "./checkoutErrors.ts"
import { claimErrors } from "../claim/claimErrors.ts"
import { orderErrors } from "../order/orderErrors.ts"
import { paymentErrors } from "../payment/paymentErrors.ts"
import { pricingErrors } from "../pricing/pricingErrors.ts"
import { quotaErrors } from "../quota/quotaErrors.ts"
import { shippingErrors } from "../shipping/shippingErrors.ts"
import { storeErrors } from "../store/storeErrors.ts"

export const checkoutFails = failsBy(
  cartErrors,
  checkoutErrors,
  claimErrors,
  orderErrors,
  paymentErrors,
  pricingErrors,
  quotaErrors,
  shippingErrors,
  storeErrors
)
