/** The services of the room, and what it declares. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { emailLinkLaws } from "./emailLinkLaws.ts"
import { EmailLinks } from "./EmailLinks.ts"
import { MailLinkTokens } from "./MailLinkTokens.ts"
import { Suppressions } from "./Suppressions.ts"

/** What mails are made with. `base`: the public address of this server's routes; null if it is not known. */
export const emailLinkParts = (base: string | null) => Layer.merge(MailLinkTokens.layer(base), Suppressions.layer)

export const emailLinkRoom = {
  layer: EmailLinks.layer,
  laws: emailLinkLaws
} as const satisfies Room
