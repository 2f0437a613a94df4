/** Example data of each default template, which is also the list of names that a template of that kind may use. */
import type { EmailType } from "../EmailType.ts"
import { taxLabelIn } from "../LocalisedView.ts"
import type { View } from "../TemplateRenderer.ts"
import { type Say, sayIn, type TemplateLanguage } from "./mailWords.ts"

const customer = { customerName: "Ada Byron", customerEmail: "ada@example.com" }

const orderIn = (say: Say, language: TemplateLanguage) => ({
  ...customer,
  orderId: "ord_01k9example",
  orderNumber: "#1001",
  orderDate: say("21 November 2026", "21. November 2026"),
  items: [
    {
      name: say("Enamel mug, blue", "Emaillebecher, blau"),
      sku: "MUG-BLUE",
      modifiers: say("Gift wrap", "Geschenkpapier"),
      quantity: 2,
      unitPrice: "12.50",
      totalPrice: "25.00"
    },
    {
      name: say("Linen towel", "Leinentuch"),
      sku: null,
      modifiers: null,
      quantity: 1,
      unitPrice: "18.00",
      totalPrice: "18.00"
    }
  ],
  currency: say("USD", "EUR"),
  subtotal: "43.00",
  discountTotal: "4.30",
  shippingAmount: "5.00",
  shippingMethod: say("Standard", "Standardversand"),
  surchargeTotal: null,
  taxLabel: taxLabelIn(language, false),
  taxAmount: "3.10",
  totalAmount: "46.80",
  status: "PENDING",
  financialStatus: "pending",
  paymentMethod: "manual",
  notes: say("Please leave it with the neighbours.", "Bitte bei den Nachbarn abgeben."),
  shippingAddress: {
    lines: [
      "Ada Byron",
      say("1 Main St", "Lindenallee 1"),
      say("San Francisco, CA 94105", "80331 München"),
      say("US", "DE")
    ]
  },
  trackingNumber: "1Z999AA10123456784",
  trackingUrl: "https://carrier.example/track/1Z999AA10123456784",
  carrier: "UPS"
})

const invitation = {
  inviterName: "Grace Hopper",
  role: "staff",
  token: "TOKEN",
  path: "/dashboard/invitation?token=TOKEN",
  invitationUrl: "https://shop.example/dashboard/invitation?token=TOKEN"
}
const concernedIn = (say: Say) => [
  { name: say("Enamel mug, blue", "Emaillebecher, blau"), sku: "MUG-BLUE", quantity: 2 }
]
const inquiryIn = (say: Say) => ({
  ...customer,
  inquirySubject: say("Is the mug dishwasher safe?", "Ist der Becher spülmaschinenfest?"),
  message: say("Hello,\nI would like to know before I order.", "Guten Tag,\ndas wüsste ich gern, bevor ich bestelle.")
})

/** Variables about the store; every template may use them. */
export const sampleStore: View = {
  storeName: "Example Store",
  storeUrl: "https://shop.example",
  footerAddress: "Example Store Ltd\n1 High Street, London",
  replyTo: "help@shop.example"
}

const unsubscribeUrl = "https://shop.example/api/unsubscribe/TOKEN"

const aboutOrders = (say: Say, order: ReturnType<typeof orderIn>) => ({
  ORDER_CONFIRMATION: order,
  ORDER_SHIPPED: { ...order, concernedItems: concernedIn(say) },
  ORDER_CANCELLED: { ...order, reason: say("out of stock", "nicht mehr lieferbar") },
  ORDER_COMPLETED: { ...order, concernedItems: concernedIn(say) },
  ORDER_REFUNDED: {
    ...order,
    refundAmount: "25.00",
    reason: say("returned", "zurückgeschickt"),
    concernedItems: concernedIn(say)
  },
  ORDER_NOTE: {
    ...order,
    note: say(
      "The blue mugs arrive on Monday.\nWe ship all at once then.",
      "Die blauen Becher kommen am Montag.\nDann verschicken wir alles zusammen."
    )
  },
  NEW_ORDER_ADMIN: order,
  DRAFT_INVOICE: {
    ...order,
    orderId: null,
    orderNumber: null,
    status: null,
    financialStatus: null,
    subject: null,
    message: say(
      "Here is what we talked about.\nIt holds until the end of the month.",
      "Das haben wir besprochen.\nEs gilt bis zum Ende des Monats."
    ),
    expiresAt: say("21 December 2026", "21. Dezember 2026"),
    token: "TOKEN",
    path: "/checkout/invoice?token=TOKEN",
    invoiceUrl: "https://shop.example/checkout/invoice?token=TOKEN"
  },
  NEW_CUSTOMER: customer
})

const ofTheShop = (say: Say, order: ReturnType<typeof orderIn>) => ({
  LOW_STOCK_ALERT: {
    productName: say("Enamel mug, blue", "Emaillebecher, blau"),
    sku: "MUG-BLUE",
    available: 3,
    threshold: 5
  },
  WEBHOOK_CIRCUIT_OPEN: {
    webhookUrl: "https://erp.example/hooks",
    webhookHost: "erp.example",
    openedAt: say("21 November 2026, 03:00", "21. November 2026, 03:00"),
    failureCount: 10,
    lastError: "HTTP 500"
  },
  ORDER_ATTENTION: {
    orderId: order.orderId,
    orderNumber: order.orderNumber,
    currency: order.currency,
    concernedAmount: order.totalAmount,
    provider: "stripe",
    reason: "fraudulent",
    dueAt: say("28 November 2026", "28. November 2026"),
    refundFailed: null,
    paymentFailed: null,
    disputeOpened: true,
    disputeWon: null,
    disputeLost: null
  },
  BACK_IN_STOCK: {
    productName: say("Enamel mug, blue", "Emaillebecher, blau"),
    path: "/products/enamel-mug",
    productUrl: "https://shop.example/products/enamel-mug"
  },
  CART_ABANDONED: {
    ...customer,
    items: order.items.map(({ name, quantity }) => ({ name, quantity })),
    cartUrl: "https://shop.example/cart?token=TOKEN",
    unsubscribeUrl
  },
  EMAIL_VERIFICATION: {
    ...customer,
    token: "TOKEN",
    path: "/verify-email?token=TOKEN",
    verificationUrl: "https://shop.example/verify-email?token=TOKEN"
  },
  NEWSLETTER_CONFIRMATION: {
    customerEmail: "ada@example.com",
    token: "TOKEN",
    path: "/newsletter/confirm?token=TOKEN",
    confirmationUrl: "https://shop.example/newsletter/confirm?token=TOKEN"
  },
  NEWSLETTER_WELCOME: {
    customerEmail: "ada@example.com",
    couponCode: "NEWS7KQ2M4XDPA",
    expiresAt: say("21 December 2026", "21. Dezember 2026"),
    shopUrl: "https://shop.example",
    unsubscribeUrl
  }
})

const ofPeople = (say: Say, inquiry: ReturnType<typeof inquiryIn>) => ({
  TEAM_INVITATION: invitation,
  ORDERS_LINKED: { ...customer, orderCount: 3, accountUrl: "https://shop.example/account" },
  STORE_INVITATION: invitation,
  STORE_ROLE_CHANGED: { role: "admin", previousRole: "staff" },
  STORE_DELETED: { deletedAt: say("21 November 2026", "21. November 2026"), deletedBy: "Grace Hopper" },
  EXPORT_COMPLETE: { resource: "orders", rowCount: 1280, downloadUrl: "https://shop.example/exports/1" },
  SCHEDULED_BACKUP_SUCCESS: { finishedAt: say("21 November 2026, 03:00", "21. November 2026, 03:00"), size: "12 MB" },
  SCHEDULED_BACKUP_FAILED: {
    failedAt: say("21 November 2026, 03:00", "21. November 2026, 03:00"),
    error: say("the storage is full", "der Speicher ist voll")
  },
  CAMPAIGN_SCHEDULE_FAILED: {
    campaignName: say("Winter news", "Neues im Winter"),
    scheduledFor: say("21 November 2026, 09:00", "21. November 2026, 09:00"),
    error: say("no recipients", "keine Empfänger")
  },
  PASSWORD_RESET: {
    ...customer,
    token: "TOKEN",
    path: "/reset-password?token=TOKEN",
    resetUrl: "https://shop.example/reset-password?token=TOKEN"
  },
  INQUIRY_NEW_ADMIN: inquiry,
  INQUIRY_REPLY_CUSTOMER: { ...inquiry, reply: say("Yes, on every programme.", "Ja, in jedem Programm.") },
  INQUIRY_CONFIRMATION_CUSTOMER: inquiry,
  MARKETING_CAMPAIGN: {
    ...customer,
    campaignSubject: say("New in November", "Neu im November"),
    campaignHeading: say("New in November", "Neu im November"),
    campaignText: say("The winter mugs are here.", "Die Winterbecher sind da."),
    campaignUrl: "https://shop.example/winter",
    unsubscribeUrl
  }
})

export const sampleViewsIn = (language: TemplateLanguage): Readonly<Record<EmailType, View>> => {
  const say = sayIn(language)
  const order = orderIn(say, language)
  return { ...aboutOrders(say, order), ...ofTheShop(say, order), ...ofPeople(say, inquiryIn(say)) }
}
