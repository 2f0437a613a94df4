/** The default mails to buyers about their order. */
import type { EmailType } from "../EmailType.ts"
import type { TemplateParts } from "../TemplateRenderer.ts"
import type { MailKit } from "./mailBlocks.ts"

const answerable = ({ say, when, note }: MailKit) =>
  when(
    "replyTo",
    note(
      say(
        "Questions? Reply to this mail and name your order number.",
        "Fragen? Antworten Sie auf diese E-Mail und nennen Sie Ihre Bestellnummer."
      )
    )
  )

const invoiced = (kit: MailKit) => {
  const { say, mail, hello, paragraph, when, quote, orderTable, pageWithToken, note } = kit
  return {
    DRAFT_INVOICE: {
      subject: say(
        "{{#subject}}{{subject}}{{/subject}}{{^subject}}Your invoice from {{storeName}}{{/subject}}",
        "{{#subject}}{{subject}}{{/subject}}{{^subject}}Ihre Rechnung von {{storeName}}{{/subject}}"
      ),
      ...mail(say("Your invoice", "Ihre Rechnung"), [
        hello,
        when("message", quote("message")),
        paragraph(say("This is what we have put together for you:", "das haben wir für Sie zusammengestellt:")),
        orderTable,
        pageWithToken(say("Pay the invoice", "Rechnung bezahlen"), "invoiceUrl"),
        paragraph(
          say(
            "It can be paid until {{expiresAt}}, at these prices.",
            "Sie können sie bis zum {{expiresAt}} zu diesen Preisen bezahlen."
          )
        ),
        when("replyTo", note(say("Questions? Reply to this mail.", "Fragen? Antworten Sie auf diese E-Mail.")))
      ])
    }
  } satisfies Partial<Record<EmailType, TemplateParts>>
}

const reasonOf = ({ say, when, paragraph }: MailKit) =>
  when("reason", paragraph(say("Reason: {{reason}}", "Grund: {{reason}}")))

const onTheWay = (kit: MailKit) => {
  const { say, mail, hello, paragraph, when, button, orderTable, shippingAddress } = kit
  return {
    ORDER_CONFIRMATION: {
      subject: say("Your order {{orderNumber}} at {{storeName}}", "Ihre Bestellung {{orderNumber}} bei {{storeName}}"),
      ...mail(say("Thank you for your order", "Danke für Ihre Bestellung"), [
        hello,
        paragraph(
          say(
            "We have received your order {{orderNumber}} of {{orderDate}}. Here is what you ordered:",
            "wir haben Ihre Bestellung {{orderNumber}} vom {{orderDate}} erhalten. Das haben Sie bestellt:"
          )
        ),
        orderTable,
        shippingAddress,
        answerable(kit)
      ])
    },
    ORDER_SHIPPED: {
      subject: say("Your order {{orderNumber}} is on its way", "Ihre Bestellung {{orderNumber}} ist unterwegs"),
      ...mail(say("Your order is on its way", "Ihre Bestellung ist unterwegs"), [
        hello,
        paragraph(
          say(
            "We have sent your order {{orderNumber}}{{#carrier}} with {{carrier}}{{/carrier}}.",
            "wir haben Ihre Bestellung {{orderNumber}}{{#carrier}} mit {{carrier}}{{/carrier}} verschickt."
          )
        ),
        when(
          "trackingNumber",
          paragraph(say("Tracking number: {{trackingNumber}}", "Sendungsnummer: {{trackingNumber}}"))
        ),
        when("trackingUrl", button(say("Follow your parcel", "Sendung verfolgen"), "trackingUrl")),
        orderTable,
        shippingAddress
      ])
    },
    ORDER_COMPLETED: {
      subject: say("Your order {{orderNumber}} is complete", "Ihre Bestellung {{orderNumber}} ist abgeschlossen"),
      ...mail(say("Your order is complete", "Ihre Bestellung ist abgeschlossen"), [
        hello,
        paragraph(
          say(
            "Everything you ordered with {{orderNumber}} has been delivered. We hope you like it.",
            "alles, was Sie mit {{orderNumber}} bestellt haben, ist geliefert. Wir hoffen, es gefällt Ihnen."
          )
        ),
        orderTable,
        when(
          "replyTo",
          kit.note(
            say(
              "Is anything missing or not as it should be? Reply to this mail and we will put it right.",
              "Fehlt etwas, oder ist etwas nicht in Ordnung? Antworten Sie auf diese E-Mail, und wir kümmern uns darum."
            )
          )
        )
      ])
    }
  } satisfies Partial<Record<EmailType, TemplateParts>>
}

const changed = (kit: MailKit) => {
  const { say, mail, hello, paragraph, note, quote, orderTable } = kit
  return {
    ORDER_CANCELLED: {
      subject: say("Your order {{orderNumber}} was cancelled", "Ihre Bestellung {{orderNumber}} wurde storniert"),
      ...mail(say("Your order was cancelled", "Ihre Bestellung wurde storniert"), [
        hello,
        paragraph(
          say(
            "Your order {{orderNumber}} was cancelled and will not be delivered.",
            "Ihre Bestellung {{orderNumber}} wurde storniert und wird nicht geliefert."
          )
        ),
        reasonOf(kit),
        orderTable,
        answerable(kit)
      ])
    },
    ORDER_REFUNDED: {
      subject: say("Refund for your order {{orderNumber}}", "Erstattung für Ihre Bestellung {{orderNumber}}"),
      ...mail(say("Your refund is on its way", "Ihre Erstattung ist unterwegs"), [
        hello,
        paragraph(
          say(
            "We have refunded {{refundAmountFormatted}} for your order {{orderNumber}}.",
            "wir haben {{refundAmountFormatted}} für Ihre Bestellung {{orderNumber}} erstattet."
          )
        ),
        reasonOf(kit),
        note(
          say(
            "Banks need some working days to show a refund on your account.",
            "Banken brauchen einige Werktage, bis eine Erstattung auf Ihrem Konto zu sehen ist."
          )
        )
      ])
    },
    ORDER_NOTE: {
      subject: say("A note on your order {{orderNumber}}", "Eine Nachricht zu Ihrer Bestellung {{orderNumber}}"),
      ...mail(say("A note on your order", "Eine Nachricht zu Ihrer Bestellung"), [
        hello,
        paragraph(
          say(
            "{{storeName}} has written to you about your order {{orderNumber}}:",
            "{{storeName}} hat Ihnen zu Ihrer Bestellung {{orderNumber}} geschrieben:"
          )
        ),
        quote("note")
      ])
    }
  } satisfies Partial<Record<EmailType, TemplateParts>>
}

export const orderMails = (kit: MailKit) => ({ ...invoiced(kit), ...onTheWay(kit), ...changed(kit) })
