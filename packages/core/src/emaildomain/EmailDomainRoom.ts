/** The services of the e-mail domains, and what the room declares. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { type DnsOptions, DomainRecords } from "./DomainRecords.ts"
import { emailDomainBound } from "./EmailDomain.ts"
import { emailDomainLaws } from "./emailDomainLaws.ts"
import { EmailDomainRepository } from "./EmailDomainRepository.ts"
import { EmailDomains } from "./EmailDomains.ts"

export const emailDomainRoom = {
  /** Needs SenderDomain, which the e-mail room provides. */
  layer: (options: DnsOptions) =>
    EmailDomains.layer.pipe(Layer.provide([EmailDomainRepository.layer, DomainRecords.layer(options)])),
  rows: { emailDomain: { table: "email_domain" } },
  bounds: [emailDomainBound],
  laws: emailDomainLaws
} as const satisfies Room
