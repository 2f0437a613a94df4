/** The parameters that many paths share, as the API document describes them. */
import { string } from "@effect-commerce/core/kernel/Fields"

/** Of storefront paths. */
export const channelPath = {
  salesChannelId: string("The sales channel that the storefront belongs to.", "vc_01m80xf47r2bsbq05ytyt41mhj")
}

/** Of dashboard and public paths. */
export const storePath = { storeId: string("The store.", "store_01m80xf46ytpaesbq3tpc4sw1t") }
