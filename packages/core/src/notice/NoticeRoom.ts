/** The service of the notice room. Needs the looks of the charge room. */
import type { Room } from "../database/Room.ts"
import { noticeLaws } from "./noticeLaws.ts"
import { PaymentNotices } from "./PaymentNotices.ts"

export const noticeRoom = {
  layer: PaymentNotices.layer,
  laws: noticeLaws
} as const satisfies Room
