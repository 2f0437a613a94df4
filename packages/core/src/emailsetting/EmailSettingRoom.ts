/** The settings of mails, and the row that If-Match is checked against. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { MailSettings } from "./MailSettings.ts"
import { OwnerView } from "./OwnerView.ts"

export const emailSettingRoom = {
  layer: MailSettings.layer.pipe(Layer.provideMerge(OwnerView.layer)),
  rows: { emailSettings: { table: "email_settings", single: true, lockFirst: "store" } }
} as const satisfies Room
