/** The settings of mails as other rooms read them, and the row that If-Match is checked against. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { EmailSettingsRepository } from "./EmailSettingsRepository.ts"
import { OwnerView } from "./OwnerView.ts"

export const emailSettingRoom = {
  layer: Layer.mergeAll(EmailSettingsRepository.layer, OwnerView.layer),
  rows: { emailSettings: { table: "email_settings", single: true, lockFirst: "store" } }
} as const satisfies Room
