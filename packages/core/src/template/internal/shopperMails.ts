/** The default mails to shoppers, except those about an order (orderMails.ts). */
import type { EmailType } from "../EmailType.ts"
import type { TemplateParts } from "../TemplateRenderer.ts"
import type { MailKit } from "./mailBlocks.ts"

type Mails = Partial<Record<EmailType, TemplateParts>>

/** Mails that somebody asked for, of their account. */
const accountMails = ({ say, mail, hello, paragraph, note, button, pageWithToken }: MailKit) =>
  ({
    EMAIL_VERIFICATION: {
      subject: say(
        "Confirm your e-mail address for {{storeName}}",
        "Bestätigen Sie Ihre E-Mail-Adresse für {{storeName}}"
      ),
      ...mail(say("Confirm your e-mail address", "Bestätigen Sie Ihre E-Mail-Adresse"), [
        hello,
        paragraph(
          say(
            "Please confirm that this address is yours, and belongs to your account at {{storeName}}.",
            "bitte bestätigen Sie, dass diese Adresse Ihnen gehört und zu Ihrem Kundenkonto bei {{storeName}}."
          )
        ),
        pageWithToken(say("Confirm address", "Adresse bestätigen"), "verificationUrl"),
        paragraph(say("This works once, within a day.", "Das geht einmal, innerhalb eines Tages.")),
        note(
          say(
            "You did not open an account? Then ignore this mail: nothing happens without you.",
            "Sie haben kein Kundenkonto eröffnet? Dann ignorieren Sie diese E-Mail: Ohne Sie geschieht nichts."
          )
        )
      ])
    },
    PASSWORD_RESET: {
      subject: say("Choose a new password for {{storeName}}", "Wählen Sie ein neues Passwort für {{storeName}}"),
      ...mail(say("Choose a new password", "Neues Passwort wählen"), [
        hello,
        paragraph(
          say(
            "Somebody, most likely you, asked for a new password for your account at {{storeName}}.",
            "jemand, vermutlich Sie selbst, hat ein neues Passwort für Ihr Kundenkonto bei {{storeName}} angefordert."
          )
        ),
        pageWithToken(say("Choose a new password", "Neues Passwort wählen"), "resetUrl"),
        paragraph(say("This works once, within an hour.", "Das geht einmal, innerhalb einer Stunde.")),
        note(
          say(
            "It was not you? Then ignore this mail: your password stays as it is.",
            "Sie waren das nicht? Dann ignorieren Sie diese E-Mail: Ihr Passwort bleibt, wie es ist."
          )
        )
      ])
    },
    ORDERS_LINKED: {
      subject: say(
        "Your earlier orders are now in your account",
        "Ihre früheren Bestellungen sind jetzt in Ihrem Kundenkonto"
      ),
      ...mail(say("Your earlier orders are in your account", "Ihre früheren Bestellungen sind in Ihrem Kundenkonto"), [
        hello,
        paragraph(
          say(
            "Orders that were placed with this address before you had an account at {{storeName}}: {{orderCount}}. " +
              "You now see them there.",
            "Bestellungen, die mit dieser Adresse aufgegeben wurden, bevor Sie ein Kundenkonto bei {{storeName}} " +
              "hatten: {{orderCount}}. Sie sehen sie jetzt dort."
          )
        ),
        button(say("See your orders", "Bestellungen ansehen"), "accountUrl")
      ])
    }
  }) satisfies Mails

/** Mails about something in the shop, and about news of it. */
const shopMails = (kit: MailKit) => {
  const { say, mail, hello, paragraph, note, when, button, itemList, literal, pageWithToken } = kit
  return {
    BACK_IN_STOCK: {
      subject: say("{{productName}} is available again", "{{productName}} ist wieder verfügbar"),
      ...mail(say("It is available again", "Wieder verfügbar"), [
        paragraph(
          say(
            "You asked us to tell you when {{productName}} can be bought again at {{storeName}}. It can.",
            "Sie wollten wissen, wann {{productName}} bei {{storeName}} wieder gekauft werden kann. Das geht jetzt."
          )
        ),
        when("productUrl", button(say("Have a look", "Ansehen"), "productUrl")),
        note(
          say(
            "It is not set aside for you. We write about it this once, and have not put you on any list.",
            "Der Artikel ist nicht für Sie zurückgelegt. Wir schreiben Ihnen dazu nur dieses eine Mal und haben Sie " +
              "auf keine Liste gesetzt."
          )
        )
      ])
    },
    CART_ABANDONED: {
      subject: say("You left something at {{storeName}}", "Sie haben bei {{storeName}} etwas zurückgelassen"),
      ...mail(say("Your cart is still here", "Ihr Warenkorb ist noch da"), [
        hello,
        paragraph(say("You left these things in your cart:", "diese Artikel liegen noch in Ihrem Warenkorb:")),
        itemList,
        button(say("Back to your cart", "Zum Warenkorb"), "cartUrl"),
        note(
          say(
            "Things in a cart are not set aside: they may sell out.",
            "Artikel im Warenkorb sind nicht zurückgelegt: Sie können ausverkauft werden."
          )
        ),
        unsubscribeLine({ say, when, note })
      ])
    },
    NEWSLETTER_CONFIRMATION: {
      subject: say(
        "Confirm your sign-up for news of {{storeName}}",
        "Bestätigen Sie Ihre Anmeldung für Neuigkeiten von {{storeName}}"
      ),
      ...mail(say("Confirm your sign-up", "Bestätigen Sie Ihre Anmeldung"), [
        paragraph(
          say(
            "Please confirm that you want news of {{storeName}} at this address.",
            "Bitte bestätigen Sie, dass Sie an dieser Adresse Neuigkeiten von {{storeName}} erhalten möchten."
          )
        ),
        pageWithToken(say("Confirm sign-up", "Anmeldung bestätigen"), "confirmationUrl"),
        paragraph(say("The link works for seven days.", "Der Link gilt sieben Tage.")),
        note(
          say(
            "You did not sign up? Then ignore this mail: nothing happens without you.",
            "Sie haben sich nicht angemeldet? Dann ignorieren Sie diese E-Mail: Ohne Sie geschieht nichts."
          )
        )
      ])
    },
    NEWSLETTER_WELCOME: {
      subject: say("Your coupon for {{storeName}}", "Ihr Gutschein für {{storeName}}"),
      ...mail(say("Thank you for signing up", "Danke für Ihre Anmeldung"), [
        paragraph(
          say(
            "Here is your coupon for {{storeName}}. Enter this code in your cart:",
            "Hier ist Ihr Gutschein für {{storeName}}. Geben Sie diesen Code im Warenkorb ein:"
          )
        ),
        literal("couponCode"),
        when("expiresAt", paragraph(say("It can be used until {{expiresAt}}.", "Er gilt bis zum {{expiresAt}}."))),
        when("shopUrl", button(say("To the shop", "Zum Shop"), "shopUrl")),
        unsubscribeLine({ say, when, note })
      ])
    },
    MARKETING_CAMPAIGN: {
      subject: "{{campaignSubject}}",
      ...mail(
        "{{campaignHeading}}",
        [
          hello,
          {
            html:
              '<div class="text" style="margin:0 0 16px;font-size:16px;line-height:24px;color:#1f2937;' +
              'white-space:pre-line">{{campaignText}}</div>',
            text: "{{campaignText}}\n",
            lead: "{{campaignText}}"
          },
          when("campaignUrl", button(say("See more", "Mehr ansehen"), "campaignUrl")),
          unsubscribeLine({ say, when, note })
        ],
        say(
          "You receive this mail because you asked for news of {{storeName}}.",
          "Sie erhalten diese E-Mail, weil Sie Neuigkeiten von {{storeName}} gewünscht haben."
        )
      )
    }
  } satisfies Mails
}

/** How to receive no such mail any more. */
const unsubscribeLine = ({ say, when, note }: Pick<MailKit, "say" | "when" | "note">) => {
  const { html, text } = note(say("Unsubscribe: {{unsubscribeUrl}}", "Abmelden: {{unsubscribeUrl}}"))
  const link = `<a class="link" href="{{unsubscribeUrl}}" style="color:#1d4ed8">${say("Unsubscribe", "Abmelden")}</a>`
  return when("unsubscribeUrl", { html: html.replace(/>[^<]*<\/p>/, `>${link}</p>`), text })
}

const inquiryMails = ({ say, mail, hello, paragraph, quote }: MailKit) =>
  ({
    INQUIRY_REPLY_CUSTOMER: {
      subject: say("Re: {{inquirySubject}}", "AW: {{inquirySubject}}"),
      ...mail(say("An answer to your question", "Eine Antwort auf Ihre Frage"), [
        hello,
        paragraph(say("{{storeName}} has answered your question:", "{{storeName}} hat Ihre Frage beantwortet:")),
        quote("reply"),
        paragraph(say("You wrote:", "Sie schrieben:")),
        quote("message")
      ])
    },
    INQUIRY_CONFIRMATION_CUSTOMER: {
      subject: say("We have received your question: {{inquirySubject}}", "Ihre Frage ist da: {{inquirySubject}}"),
      ...mail(say("We have received your question", "Ihre Frage ist bei uns angekommen"), [
        hello,
        paragraph(
          say(
            "Thank you for writing to {{storeName}}. We will answer as soon as we can. You wrote:",
            "danke für Ihre Nachricht an {{storeName}}. Wir antworten, sobald wir können. Sie schrieben:"
          )
        ),
        quote("message")
      ])
    }
  }) satisfies Mails

export const shopperMails = (kit: MailKit) => ({ ...accountMails(kit), ...shopMails(kit), ...inquiryMails(kit) })
