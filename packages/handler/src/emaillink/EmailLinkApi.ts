/** Where links of mails lead: to unsubscribe, and, counted, to the page that the mail showed. */
import { EmailLinkUnknown } from "@effect-commerce/core/emaillink/EmailLinkErrors"
import { string } from "@effect-commerce/core/kernel/Fields"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { openRoute, rawRoute } from "../middleware/Policy.ts"
import { emailLinkErrors } from "./emailLinkErrors.ts"

const fails = failsBy(emailLinkErrors)
const token = { token: string("The last part of the link in the mail.") }
const page = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html" }))

/** Bytes of the form of a mail program, with room to spare. */
const mostFormBytes = 16_384

export class EmailLinksGroup extends apiGroup("emailLinks", {
  part: "Public",
  title: "Links of mails",
  description: "Where links of marketing mails lead."
}).add(
  HttpApiEndpoint.get("ask", "/email/unsubscribe/:token", { params: token, success: page }).pipe(
    openRoute({
      summary: "Ask before unsubscribing",
      description: "A page that asks whether to unsubscribe. Opening it changes nothing."
    })
  ),
  HttpApiEndpoint.post("unsubscribe", "/email/unsubscribe/:token", { params: token, success: page }).pipe(
    rawRoute({
      maxBody: mostFormBytes,
      summary: "Unsubscribe",
      description:
        "Ends marketing mails of one store to one address, by the page's button or with one click in the reader's " +
        "mail program (RFC 8058). The response is the same each time, and for a link that is not valid."
    })
  ),
  HttpApiEndpoint.get("follow", "/email/click/:token", {
    params: token,
    success: Schema.Void.pipe(HttpApiSchema.status(302)).annotate({ description: "To the page." }),
    error: fails(EmailLinkUnknown)
  }).pipe(
    openRoute({
      summary: "Follow a link of a mail",
      description: "Counts the click and redirects to the page that the mail showed. A link that is not valid is 404."
    })
  )
) {}

export const emailLinkGroups = [EmailLinksGroup] as const
