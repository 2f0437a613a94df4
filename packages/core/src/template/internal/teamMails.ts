/** The default mails to the people of a store about their invitations and roles, and about the store itself. */
import type { EmailType } from "../EmailType.ts"
import type { TemplateParts } from "../TemplateRenderer.ts"
import type { MailKit } from "./mailBlocks.ts"

export const teamMails = ({ say, mail, paragraph, pageWithToken, note }: MailKit) => {
  const unknownSender = note(
    say(
      "You do not know the sender? Then ignore this mail.",
      "Sie kennen die absendende Person nicht? Dann ignorieren Sie diese E-Mail."
    )
  )
  const dashboard = say("the dashboard", "das Dashboard")
  return {
    TEAM_INVITATION: {
      subject: say("{{inviterName}} invites you to {{storeName}}", "{{inviterName}} lädt Sie zu {{storeName}} ein"),
      ...mail(say("You are invited", "Sie sind eingeladen"), [
        paragraph(
          say(
            "{{inviterName}} invites you to work on {{storeName}}. Your role: {{roleLabel}}.",
            "{{inviterName}} lädt Sie ein, an {{storeName}} mitzuarbeiten. Ihre Rolle: {{roleLabel}}."
          )
        ),
        pageWithToken(say("Accept the invitation", "Einladung annehmen"), "invitationUrl", dashboard),
        unknownSender
      ])
    },
    STORE_INVITATION: {
      subject: say(
        "{{inviterName}} invites you to the store {{storeName}}",
        "{{inviterName}} lädt Sie in den Shop {{storeName}} ein"
      ),
      ...mail(say("You are invited to a store", "Sie sind in einen Shop eingeladen"), [
        paragraph(
          say(
            "{{inviterName}} has opened the store {{storeName}} to you. Your role: {{roleLabel}}.",
            "{{inviterName}} hat Ihnen den Shop {{storeName}} geöffnet. Ihre Rolle: {{roleLabel}}."
          )
        ),
        pageWithToken(say("Open the store", "Shop öffnen"), "invitationUrl", dashboard),
        unknownSender
      ])
    },
    STORE_ROLE_CHANGED: {
      subject: say("Your role at {{storeName}} has changed", "Ihre Rolle bei {{storeName}} hat sich geändert"),
      ...mail(say("Your role has changed", "Ihre Rolle hat sich geändert"), [
        paragraph(
          say(
            "Your role at {{storeName}} was {{previousRoleLabel}} and is now {{roleLabel}}.",
            "Ihre Rolle bei {{storeName}} war {{previousRoleLabel}} und ist jetzt {{roleLabel}}."
          )
        )
      ])
    },
    STORE_DELETED: {
      subject: say("The store {{storeName}} was deleted", "Der Shop {{storeName}} wurde gelöscht"),
      ...mail(say("A store was deleted", "Ein Shop wurde gelöscht"), [
        paragraph(
          say(
            "The store {{storeName}} was deleted on {{deletedAt}}{{#deletedBy}} by {{deletedBy}}{{/deletedBy}}. Its " +
              "data can no longer be reached.",
            "Der Shop {{storeName}} wurde am {{deletedAt}}{{#deletedBy}} von {{deletedBy}}{{/deletedBy}} gelöscht. " +
              "Seine Daten sind nicht mehr erreichbar."
          )
        )
      ])
    }
  } satisfies Partial<Record<EmailType, TemplateParts>>
}
