/** What the template room brings: the templates of stores, and the rows that If-Match is judged by. */
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
