/** Example data of each default template, which is also the list of names that a template of that kind may use. */
import type { EmailType } from "../EmailType.ts"
import type { View } from "../TemplateRenderer.ts"

const customer = { customerName: "Ada Byron", customerEmail: "ada@example.com" }

const order = {
  ...customer,
  orderId: "ord_01k9example",
  orderNumber: "#1001",
  orderDate: "21 November 2026",
  items: [
    {
      name: "Enamel mug, blue",
      sku: "MUG-BLUE",
      modifiers: "Gift wrap",
      quantity: 2,
      unitPrice: "12.50",
      totalPrice: "25.00"
    },
    { name: "Linen towel", sku: null, modifiers: null, quantity: 1, unitPrice: "18.00", totalPrice: "18.00" }
  ],
  currency: "USD",
  subtotal: "43.00",
  discountTotal: "4.30",
  shippingAmount: "5.00",
  shippingMethod: "Standard",
  surchargeTotal: null,
  taxLabel: "Tax",
  taxAmount: "3.10",
  totalAmount: "46.80",
  status: "PENDING",
  financialStatus: "pending",
  paymentMethod: "manual",
  notes: "Please leave it with the neighbours.",
  shippingAddress: { lines: ["Ada Byron", "1 Main St", "San Francisco, CA 94105", "US"] },
  trackingNumber: "1Z999AA10123456784",
  trackingUrl: "https://carrier.example/track/1Z999AA10123456784",
  carrier: "UPS"
}
const invitation = {
  inviterName: "Grace Hopper",
  role: "staff",
  invitationUrl: "https://shop.example/invitation?token=TOKEN"
}
const inquiry = {
  ...customer,
  inquirySubject: "Is the mug dishwasher safe?",
  message: "Hello,\nI would like to know before I order."
}

/** Variables about the store; every template may use them. */
export const sampleStore: View = {
  storeName: "Example Store",
  storeUrl: "https://shop.example",
  footerAddress: "Example Store Ltd\n1 High Street, London",
  replyTo: "help@shop.example"
}

export const sampleViews: Readonly<Record<EmailType, View>> = {
  ORDER_CONFIRMATION: order,
  ORDER_SHIPPED: order,
  ORDER_CANCELLED: { ...order, reason: "out of stock" },
  ORDER_COMPLETED: order,
  ORDER_REFUNDED: { ...order, refundAmount: "25.00", reason: "returned" },
  ORDER_NOTE: { ...order, note: "The blue mugs arrive on Monday.\nWe ship all at once then." },
  NEW_ORDER_ADMIN: order,
  DRAFT_INVOICE: {
    ...order,
    orderId: null,
    orderNumber: null,
    status: null,
    financialStatus: null,
    subject: null,
    message: "Here is what we talked about.\nIt holds until the end of the month.",
    expiresAt: "21 December 2026",
    token: "TOKEN",
    path: "/checkout/invoice?token=TOKEN",
    invoiceUrl: "https://shop.example/checkout/invoice?token=TOKEN"
  },
  NEW_CUSTOMER: customer,
  LOW_STOCK_ALERT: { productName: "Enamel mug, blue", sku: "MUG-BLUE", available: 3, threshold: 5 },
  WEBHOOK_CIRCUIT_OPEN: {
    webhookUrl: "https://erp.example/hooks",
    webhookHost: "erp.example",
    openedAt: "21 November 2026, 03:00",
    failureCount: 10,
    lastError: "HTTP 500"
  },
  BACK_IN_STOCK: {
    productName: "Enamel mug, blue",
    path: "/products/enamel-mug",
    productUrl: "https://shop.example/products/enamel-mug"
  },
  CART_ABANDONED: { ...customer, items: order.items, cartUrl: "https://shop.example/cart?token=TOKEN" },
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
    expiresAt: "21 December 2026",
    shopUrl: "https://shop.example"
  },
  TEAM_INVITATION: invitation,
  ORDERS_LINKED: { ...customer, orderCount: 3, accountUrl: "https://shop.example/account" },
  STORE_INVITATION: invitation,
  STORE_ROLE_CHANGED: { role: "admin", previousRole: "staff" },
  STORE_DELETED: { deletedAt: "21 November 2026", deletedBy: "Grace Hopper" },
  EXPORT_COMPLETE: { resource: "orders", rowCount: 1280, downloadUrl: "https://shop.example/exports/1" },
  SCHEDULED_BACKUP_SUCCESS: { finishedAt: "21 November 2026, 03:00", size: "12 MB" },
  SCHEDULED_BACKUP_FAILED: { failedAt: "21 November 2026, 03:00", error: "the storage is full" },
  CAMPAIGN_SCHEDULE_FAILED: {
    campaignName: "Winter news",
    scheduledFor: "21 November 2026, 09:00",
    error: "no recipients"
  },
  PASSWORD_RESET: {
    ...customer,
    token: "TOKEN",
    path: "/reset-password?token=TOKEN",
    resetUrl: "https://shop.example/reset-password?token=TOKEN"
  },
  INQUIRY_NEW_ADMIN: inquiry,
  INQUIRY_REPLY_CUSTOMER: { ...inquiry, reply: "Yes, on every programme." },
  INQUIRY_CONFIRMATION_CUSTOMER: inquiry,
  MARKETING_CAMPAIGN: {
    ...customer,
    campaignSubject: "New in November",
    campaignHeading: "New in November",
    campaignText: "The winter mugs are here.",
    campaignUrl: "https://shop.example/winter",
    unsubscribeUrl: "https://shop.example/unsubscribe?token=TOKEN"
  }
}
