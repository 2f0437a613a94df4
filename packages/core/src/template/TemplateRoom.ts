/** The services of the template room, and the rows that If-Match is checked against. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { emailTemplateBound } from "./EmailTemplate.ts"
import { EmailTemplateRepository } from "./EmailTemplateRepository.ts"
import { EmailTemplates } from "./EmailTemplates.ts"

export const templateRoom = {
  layer: EmailTemplates.layer.pipe(Layer.provide(EmailTemplateRepository.layer)),
  rows: { emailTemplate: { table: "email_template" } },
  bounds: [emailTemplateBound]
} as const satisfies Room
