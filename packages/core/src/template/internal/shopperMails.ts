/** The default mails to shoppers, in English. */
import type { EmailType } from "../EmailType.ts"
import type { TemplateParts } from "../TemplateRenderer.ts"
import {
  type Block,
  button,
  literal,
  mailOf,
  note,
  orderTable,
  paragraph,
  quote,
  shippingAddress,
  when,
  without
} from "./mailBlocks.ts"

const hello = paragraph("Hello{{#customerName}} {{customerName}}{{/customerName}},")

/** The page that takes the token: a link if the shop's address is known, otherwise instructions to do it by hand. */
const pageWithToken = (label: string, link: string): Block => {
  const [linked, unlinked] = [
    when(link, button(label, link)),
    without(link, paragraph("Open {{storeName}} in your browser and add this to its address:"), literal("path"))
  ]
  return { html: `${linked.html}\n${unlinked.html}`, text: `${linked.text}\n${unlinked.text}` }
}

export const shopperMails = {
  ORDER_CONFIRMATION: {
    subject: "Your order {{orderNumber}} at {{storeName}}",
    ...mailOf(
      "Thank you for your order",
      hello,
      paragraph("We have received your order {{orderNumber}} of {{orderDate}}. Here is what you ordered:"),
      orderTable,
      shippingAddress,
      when("replyTo", note("Questions? Reply to this mail and name your order number."))
    )
  },
  DRAFT_INVOICE: {
    subject: "{{#subject}}{{subject}}{{/subject}}{{^subject}}Your invoice from {{storeName}}{{/subject}}",
    ...mailOf(
      "Your invoice",
      hello,
      when("message", quote("message")),
      paragraph("This is what we have put together for you:"),
      orderTable,
      pageWithToken("Pay the invoice", "invoiceUrl"),
      paragraph("It can be paid until {{expiresAt}}, at these prices."),
      when("replyTo", note("Questions? Reply to this mail."))
    )
  },
  ORDER_SHIPPED: {
    subject: "Your order {{orderNumber}} is on its way",
    ...mailOf(
      "Your order is on its way",
      hello,
      paragraph("We have sent your order {{orderNumber}}{{#carrier}} with {{carrier}}{{/carrier}}."),
      when("trackingNumber", paragraph("Tracking number: {{trackingNumber}}")),
      when("trackingUrl", button("Follow your parcel", "trackingUrl")),
      orderTable,
      shippingAddress
    )
  },
  ORDER_CANCELLED: {
    subject: "Your order {{orderNumber}} was cancelled",
    ...mailOf(
      "Your order was cancelled",
      hello,
      paragraph("Your order {{orderNumber}} was cancelled and will not be delivered."),
      when("reason", paragraph("Reason: {{reason}}")),
      orderTable
    )
  },
  ORDER_COMPLETED: {
    subject: "Your order {{orderNumber}} is complete",
    ...mailOf(
      "Your order is complete",
      hello,
      paragraph("Everything you ordered with {{orderNumber}} has been delivered. We hope you like it."),
      orderTable,
      when("replyTo", note("Is anything missing or not as it should be? Reply to this mail and we will put it right."))
    )
  },
  ORDER_REFUNDED: {
    subject: "Refund for your order {{orderNumber}}",
    ...mailOf(
      "Your refund is on its way",
      hello,
      paragraph("We have refunded {{refundAmount}} {{currency}} for your order {{orderNumber}}."),
      when("reason", paragraph("Reason: {{reason}}")),
      note("Banks need some working days to show a refund on your account.")
    )
  },
  ORDER_NOTE: {
    subject: "A note on your order {{orderNumber}}",
    ...mailOf(
      "A note on your order",
      hello,
      paragraph("{{storeName}} has written to you about your order {{orderNumber}}:"),
      quote("note")
    )
  },
  BACK_IN_STOCK: {
    subject: "{{productName}} is available again",
    ...mailOf(
      "It is available again",
      paragraph("You asked us to tell you when {{productName}} can be bought again at {{storeName}}. It can."),
      when("productUrl", button("Have a look", "productUrl")),
      note("It is not set aside for you. We write about it this once, and have not put you on any list.")
    )
  },
  CART_ABANDONED: {
    subject: "You left something at {{storeName}}",
    ...mailOf(
      "Your cart is still here",
      hello,
      paragraph("You left these things in your cart:"),
      {
        html:
          `<ul style="margin:0 0 16px;padding-left:20px;font-size:16px;line-height:24px;color:#1f2937">` +
          `{{#items}}<li>{{quantity}} &times; {{name}}</li>{{/items}}</ul>`,
        text: "{{#items}}\n{{quantity}} x {{name}}\n{{/items}}\n"
      },
      button("Back to your cart", "cartUrl"),
      note("Things in a cart are not set aside: they may sell out.")
    )
  },
  EMAIL_VERIFICATION: {
    subject: "Confirm your e-mail address for {{storeName}}",
    ...mailOf(
      "Confirm your e-mail address",
      hello,
      paragraph("Please confirm that this address is yours, and belongs to your account at {{storeName}}."),
      pageWithToken("Confirm address", "verificationUrl"),
      paragraph("This works once, within a day."),
      note("You did not open an account? Then ignore this mail: nothing happens without you.")
    )
  },
  NEWSLETTER_CONFIRMATION: {
    subject: "Confirm your sign-up for news of {{storeName}}",
    ...mailOf(
      "Confirm your sign-up",
      paragraph("Please confirm that you want news of {{storeName}} at this address."),
      pageWithToken("Confirm sign-up", "confirmationUrl"),
      paragraph("The link works for seven days."),
      note("You did not sign up? Then ignore this mail: nothing happens without you.")
    )
  },
  NEWSLETTER_WELCOME: {
    subject: "Your coupon for {{storeName}}",
    ...mailOf(
      "Thank you for signing up",
      paragraph("Here is your coupon for {{storeName}}. Enter this code in your cart:"),
      literal("couponCode"),
      when("expiresAt", paragraph("It can be used until {{expiresAt}}.")),
      when("shopUrl", button("To the shop", "shopUrl"))
    )
  },
  PASSWORD_RESET: {
    subject: "Choose a new password for {{storeName}}",
    ...mailOf(
      "Choose a new password",
      hello,
      paragraph("Somebody, most likely you, asked for a new password for your account at {{storeName}}."),
      pageWithToken("Choose a new password", "resetUrl"),
      paragraph("This works once, within an hour."),
      note("It was not you? Then ignore this mail: your password stays as it is.")
    )
  },
  ORDERS_LINKED: {
    subject: "Your earlier orders are now in your account",
    ...mailOf(
      "Your earlier orders are in your account",
      hello,
      paragraph(
        "We found {{orderCount}} orders placed with this address before you had an account at {{storeName}}. You now " +
          "see them there."
      ),
      button("See your orders", "accountUrl")
    )
  },
  INQUIRY_REPLY_CUSTOMER: {
    subject: "Re: {{inquirySubject}}",
    ...mailOf(
      "An answer to your question",
      hello,
      paragraph("{{storeName}} has answered your question:"),
      quote("reply"),
      paragraph("You wrote:"),
      quote("message")
    )
  },
  INQUIRY_CONFIRMATION_CUSTOMER: {
    subject: "We have received your question: {{inquirySubject}}",
    ...mailOf(
      "We have received your question",
      hello,
      paragraph("Thank you for writing to {{storeName}}. We will answer as soon as we can. You wrote:"),
      quote("message")
    )
  },
  MARKETING_CAMPAIGN: {
    subject: "{{campaignSubject}}",
    ...mailOf(
      "{{campaignHeading}}",
      hello,
      {
        html: `<div style="font-size:16px;line-height:24px;color:#1f2937;white-space:pre-line">{{campaignText}}</div>`,
        text: "{{campaignText}}\n"
      },
      when("campaignUrl", button("See more", "campaignUrl")),
      note("You receive this mail because you asked for news of {{storeName}}. Stop receiving it: {{unsubscribeUrl}}")
    )
  }
} satisfies Partial<Record<EmailType, TemplateParts>>
