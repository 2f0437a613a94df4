/** What all rooms say to the tests over all routes. A room is filled after those whose things it names. */
import { matrix as app } from "../app/matrix.ts"
import { matrix as cart } from "../cart/matrix.ts"
import { matrix as checkout } from "../checkout/matrix.ts"
import { matrix as coupon } from "../coupon/matrix.ts"
import { matrix as checkoutfield } from "../checkoutfield/matrix.ts"
import { matrix as customer } from "../customer/matrix.ts"
import { matrix as draftorder } from "../draftorder/matrix.ts"
import { matrix as email } from "../email/matrix.ts"
import { matrix as emaildomain } from "../emaildomain/matrix.ts"
import { matrix as fx } from "../fx/matrix.ts"
import { matrix as giftcard } from "../giftcard/matrix.ts"
import { matrix as identity } from "../identity/matrix.ts"
import { matrix as inventory } from "../inventory/matrix.ts"
import { matrix as loyalty } from "../loyalty/matrix.ts"
import { matrix as media } from "../media/matrix.ts"
import { matrix as metafield } from "../metafield/matrix.ts"
import { matrix as modifier } from "../modifier/matrix.ts"
import { matrix as newsletter } from "../newsletter/matrix.ts"
import { matrix as oauth } from "../oauth/matrix.ts"
import { matrix as offer } from "../offer/matrix.ts"
import { matrix as exported } from "../export/matrix.ts"
import { matrix as order } from "../order/matrix.ts"
import { matrix as orderedit } from "../orderedit/matrix.ts"
import { matrix as payment } from "../payment/matrix.ts"
import { matrix as product } from "../product/matrix.ts"
import { matrix as promotion } from "../promotion/matrix.ts"
import { matrix as refund } from "../refund/matrix.ts"
import { matrix as review } from "../review/matrix.ts"
import { matrix as shipping } from "../shipping/matrix.ts"
import { matrix as store } from "../store/matrix.ts"
import { matrix as tax } from "../tax/matrix.ts"
import { matrix as taxonomy } from "../taxonomy/matrix.ts"
import { matrix as team } from "../team/matrix.ts"
import { matrix as webhook } from "../webhook/matrix.ts"
import type { Cases, FailingBody, RoomMatrix } from "./RoomMatrix.ts"

export const rooms: ReadonlyArray<RoomMatrix> = [
  store,
  identity,
  media,
  product,
  taxonomy,
  tax,
  shipping,
  fx,
  metafield,
  modifier,
  coupon,
  offer,
  inventory,
  cart,
  customer,
  team,
  oauth,
  loyalty,
  checkout,
  newsletter,
  checkoutfield,
  giftcard,
  order,
  exported,
  draftorder,
  orderedit,
  refund,
  payment,
  promotion,
  review,
  email,
  emaildomain,
  webhook,
  app
]

export const bodies: Readonly<Record<string, object>> = Object.assign({}, ...rooms.map((room) => room.bodies))

export const failingBodies: ReadonlyArray<FailingBody> = rooms.flatMap((room) => room.failingBodies ?? [])

export const idCases: Cases = Object.assign({}, ...rooms.map((room) => room.idCases))

export const allowedIds: Readonly<Record<string, string>> = Object.assign({}, ...rooms.map((room) => room.allowedIds))
