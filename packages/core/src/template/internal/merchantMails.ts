/** The default mails to merchants about what happens in their store; teamMails.ts has those about people and stores. */
import type { EmailType } from "../EmailType.ts"
import type { TemplateParts } from "../TemplateRenderer.ts"
import type { MailKit } from "./mailBlocks.ts"

type Mails = Partial<Record<EmailType, TemplateParts>>

const customerNamed =
  "{{#customerName}}{{customerName}} ({{customerEmail}}){{/customerName}}" +
  "{{^customerName}}{{customerEmail}}{{/customerName}}"

const ofShoppers = ({ say, mail, paragraph, orderTable, shippingAddress, when, quote }: MailKit) =>
  ({
    NEW_ORDER_ADMIN: {
      subject: say(
        "New order {{orderNumber}}: {{totalAmountFormatted}}",
        "Neue Bestellung {{orderNumber}}: {{totalAmountFormatted}}"
      ),
      ...mail(say("A new order", "Eine neue Bestellung"), [
        paragraph(
          say(
            "{{storeName}} has received order {{orderNumber}}{{#customerName}} from " +
              "{{customerName}}{{/customerName}}{{#customerEmail}} ({{customerEmail}}){{/customerEmail}}.",
            "{{storeName}} hat die Bestellung {{orderNumber}}{{#customerName}} von " +
              "{{customerName}}{{/customerName}}{{#customerEmail}} ({{customerEmail}}){{/customerEmail}} erhalten."
          )
        ),
        paragraph(
          say(
            "Payment: {{financialStatusLabel}}{{#paymentMethod}} ({{paymentMethod}}){{/paymentMethod}}",
            "Zahlung: {{financialStatusLabel}}{{#paymentMethod}} ({{paymentMethod}}){{/paymentMethod}}"
          )
        ),
        orderTable,
        shippingAddress,
        when("notes", paragraph(say("The customer's note:", "Anmerkung der Kundin oder des Kunden:")), quote("notes"))
      ])
    },
    NEW_CUSTOMER: {
      subject: say("New customer at {{storeName}}", "Neues Kundenkonto bei {{storeName}}"),
      ...mail(say("A new customer", "Ein neues Kundenkonto"), [
        paragraph(
          say(
            `${customerNamed} has opened an account at {{storeName}}.`,
            `${customerNamed} hat ein Kundenkonto bei {{storeName}} eröffnet.`
          )
        )
      ])
    },
    INQUIRY_NEW_ADMIN: {
      subject: say("New question: {{inquirySubject}}", "Neue Frage: {{inquirySubject}}"),
      ...mail(say("A new question", "Eine neue Frage"), [
        paragraph(
          say(`${customerNamed} has written to {{storeName}}:`, `${customerNamed} hat an {{storeName}} geschrieben:`)
        ),
        quote("message")
      ])
    }
  }) satisfies Mails

const ofMoney = ({ say, mail, paragraph, when }: MailKit) => {
  const because = "{{#reason}} ({{reason}}){{/reason}}"
  return {
    ORDER_ATTENTION: {
      subject: say("Order {{orderNumber}} needs you", "Bestellung {{orderNumber}} braucht Sie"),
      ...mail(say("An order needs you", "Eine Bestellung braucht Sie"), [
        when(
          "refundFailed",
          paragraph(
            say(
              "A refund of {{concernedAmountFormatted}} for order {{orderNumber}} has failed: the money is at " +
                "{{provider}}, and the customer has not got it. You can refund it again.",
              "Eine Erstattung von {{concernedAmountFormatted}} zur Bestellung {{orderNumber}} ist gescheitert: Das " +
                "Geld ist bei {{provider}}, die Kundschaft hat es nicht. Sie können es noch einmal erstatten."
            )
          )
        ),
        when(
          "paymentFailed",
          paragraph(
            say(
              "The payment of {{concernedAmountFormatted}} for order {{orderNumber}} by {{provider}} has " +
                `failed${because}. The order is placed and not paid.`,
              "Die Zahlung von {{concernedAmountFormatted}} zur Bestellung {{orderNumber}} über {{provider}} ist " +
                `gescheitert${because}. Die Bestellung ist aufgegeben und nicht bezahlt.`
            )
          )
        ),
        when(
          "disputeOpened",
          paragraph(
            say(
              "The customer's bank claims {{concernedAmountFormatted}} of order {{orderNumber}} back" +
                `${because}. Answer it at {{provider}}{{#dueAt}} by {{dueAt}}{{/dueAt}}.`,
              "Die Bank der Kundschaft fordert {{concernedAmountFormatted}} der Bestellung {{orderNumber}} " +
                `zurück${because}. Antworten Sie bei {{provider}}{{#dueAt}} bis zum {{dueAt}}{{/dueAt}}.`
            )
          )
        ),
        when(
          "disputeWon",
          paragraph(
            say(
              "The dispute about {{concernedAmountFormatted}} of order {{orderNumber}} was decided for you: you keep " +
                "the money.",
              "Über die Rückforderung von {{concernedAmountFormatted}} zur Bestellung {{orderNumber}} wurde für " +
                "Sie entschieden: Sie behalten das Geld."
            )
          )
        ),
        when(
          "disputeLost",
          paragraph(
            say(
              "The dispute about {{concernedAmountFormatted}} of order {{orderNumber}} was decided for the customer: " +
                "the money goes back to their bank.",
              "Über die Rückforderung von {{concernedAmountFormatted}} zur Bestellung {{orderNumber}} wurde für " +
                "die Kundschaft entschieden: Das Geld geht an ihre Bank zurück."
            )
          )
        )
      ])
    }
  } satisfies Mails
}

const ofOperation = ({ say, mail, paragraph, button }: MailKit) =>
  ({
    LOW_STOCK_ALERT: {
      subject: say("Low stock: {{productName}}", "Bestand wird knapp: {{productName}}"),
      ...mail(say("Running low", "Der Bestand wird knapp"), [
        paragraph(
          say(
            "{{productName}}{{#sku}} ({{sku}}){{/sku}} is running low: {{available}} left. You asked to be told at " +
              "{{threshold}}.",
            "{{productName}}{{#sku}} ({{sku}}){{/sku}} wird knapp: noch {{available}} vorhanden. Sie wollten ab " +
              "{{threshold}} benachrichtigt werden."
          )
        )
      ])
    },
    WEBHOOK_CIRCUIT_OPEN: {
      subject: say("Webhooks to {{webhookHost}} are suspended", "Webhooks an {{webhookHost}} sind ausgesetzt"),
      ...mail(say("Your endpoint receives no events", "Ihr Endpunkt erhält keine Ereignisse"), [
        paragraph(
          say(
            "{{storeName}} could not deliver events to {{webhookUrl}}: {{failureCount}} attempts in a row have " +
              "failed. The last error: {{lastError}}.",
            "{{storeName}} konnte keine Ereignisse an {{webhookUrl}} zustellen: {{failureCount}} Versuche " +
              "hintereinander sind gescheitert. Der letzte Fehler: {{lastError}}."
          )
        ),
        paragraph(
          say(
            "Sending has been suspended since {{openedAt}}. An hour later the next event is tried; as soon as one is " +
              "accepted, sending goes on. Events that happen until then are not sent again.",
            "Der Versand ist seit {{openedAt}} ausgesetzt. Eine Stunde danach wird das nächste Ereignis versucht; " +
              "sobald eines angenommen wird, geht der Versand weiter. Ereignisse bis dahin werden nicht nachgesendet."
          )
        ),
        paragraph(
          say(
            "They are in the feed of events for 30 days. Read them with GET /api/v1/events?after= and the id of the " +
              "last event that your endpoint has handled.",
            "Sie stehen 30 Tage lang in der Liste der Ereignisse: GET /api/v1/events?after= mit der Id des letzten " +
              "Ereignisses, das Ihr Endpunkt verarbeitet hat."
          )
        )
      ])
    },
    EXPORT_COMPLETE: {
      subject: say("Your export of {{resourceLabel}} is ready", "Ihr Export ist fertig: {{resourceLabel}}"),
      ...mail(say("Your export is ready", "Ihr Export ist fertig"), [
        paragraph(
          say(
            "The export of {{resourceLabel}} from {{storeName}} has finished. Rows: {{rowCount}}.",
            "Der Export aus {{storeName}} ist fertig. Inhalt: {{resourceLabel}}, Zeilen: {{rowCount}}."
          )
        ),
        button(say("Download", "Herunterladen"), "downloadUrl")
      ])
    },
    SCHEDULED_BACKUP_SUCCESS: {
      subject: say("Backup of {{storeName}} done", "Sicherung von {{storeName}} abgeschlossen"),
      ...mail(say("Backup done", "Sicherung abgeschlossen"), [
        paragraph(
          say(
            "The scheduled backup of {{storeName}} finished on {{finishedAt}}. Size: {{size}}.",
            "Die geplante Sicherung von {{storeName}} wurde am {{finishedAt}} abgeschlossen. Größe: {{size}}."
          )
        )
      ])
    },
    SCHEDULED_BACKUP_FAILED: {
      subject: say("Backup of {{storeName}} failed", "Sicherung von {{storeName}} fehlgeschlagen"),
      ...mail(say("Backup failed", "Sicherung fehlgeschlagen"), [
        paragraph(
          say(
            "The scheduled backup of {{storeName}} failed on {{failedAt}}: {{error}}",
            "Die geplante Sicherung von {{storeName}} ist am {{failedAt}} fehlgeschlagen: {{error}}"
          )
        ),
        paragraph(say("Earlier backups are not affected.", "Frühere Sicherungen sind nicht betroffen."))
      ])
    },
    CAMPAIGN_SCHEDULE_FAILED: {
      subject: say("The campaign {{campaignName}} was not sent", "Die Kampagne {{campaignName}} wurde nicht versendet"),
      ...mail(say("A campaign was not sent", "Eine Kampagne wurde nicht versendet"), [
        paragraph(
          say(
            "The campaign {{campaignName}} of {{storeName}}, planned for {{scheduledFor}}, was not sent: {{error}}",
            "Die Kampagne {{campaignName}} von {{storeName}}, geplant für {{scheduledFor}}, wurde nicht versendet: " +
              "{{error}}"
          )
        )
      ])
    }
  }) satisfies Mails

export const merchantMails = (kit: MailKit) => ({ ...ofShoppers(kit), ...ofMoney(kit), ...ofOperation(kit) })
