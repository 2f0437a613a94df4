/** The words of an invoice, in the languages it is printed in; any other language gets English. */

const en = {
  language: "en",
  title: "Invoice",
  test: "Test: this order was placed on a sales channel in test mode. This is no invoice.",
  cancelled: "This order was cancelled.",
  number: "Invoice number",
  issued: "Date of issue",
  ordered: "Date of the order",
  order: "Order",
  seller: "Seller",
  billTo: "Bill to",
  shipTo: "Ship to",
  item: "Item",
  quantity: "Quantity",
  unitPrice: "Unit price",
  tax: "Tax",
  amount: "Amount",
  sku: "SKU",
  subtotal: "Subtotal",
  discount: "Discount",
  shipping: "Shipping",
  pickup: "Pickup",
  surcharge: "Surcharge",
  addedTax: "Tax",
  total: "Total",
  includedTax: "Tax contained in the prices",
  taxes: "Tax by rate",
  rate: "Rate",
  net: "Net amount",
  statedTax: "Tax as stated with the order",
  allTax: "All tax",
  payments: "Payments",
  outstanding: "Outstanding",
  refund: "Refund",
  kept: "Paid after refunds",
  charged: "Charged by the payment provider",
  amountsIn: "All amounts are in",
  methods: {
    manual: "Payment",
    cash: "Cash",
    bank_transfer: "Bank transfer",
    gift_card: "Gift card",
    loyalty: "Points",
    free: "Free"
  } as Readonly<Record<string, string>>
}
export type Words = typeof en

const de: Words = {
  language: "de",
  title: "Rechnung",
  test: "Test: Diese Bestellung kam über einen Verkaufskanal im Testmodus. Dies ist keine Rechnung.",
  cancelled: "Diese Bestellung wurde storniert.",
  number: "Rechnungsnummer",
  issued: "Rechnungsdatum",
  ordered: "Bestelldatum",
  order: "Bestellung",
  seller: "Verkäufer",
  billTo: "Rechnung an",
  shipTo: "Lieferung an",
  item: "Artikel",
  quantity: "Menge",
  unitPrice: "Einzelpreis",
  tax: "Steuer",
  amount: "Betrag",
  sku: "Art.-Nr.",
  subtotal: "Zwischensumme",
  discount: "Rabatt",
  shipping: "Versand",
  pickup: "Abholung",
  surcharge: "Zuschlag",
  addedTax: "Steuer",
  total: "Gesamtbetrag",
  includedTax: "In den Preisen enthaltene Steuer",
  taxes: "Steuer nach Sätzen",
  rate: "Satz",
  net: "Nettobetrag",
  statedTax: "Steuer laut Bestellung",
  allTax: "Steuer gesamt",
  payments: "Zahlungen",
  outstanding: "Offener Betrag",
  refund: "Erstattung",
  kept: "Bezahlt nach Erstattungen",
  charged: "Vom Zahlungsanbieter abgebucht",
  amountsIn: "Alle Beträge in",
  methods: {
    manual: "Zahlung",
    cash: "Bar",
    bank_transfer: "Überweisung",
    gift_card: "Geschenkkarte",
    loyalty: "Punkte",
    free: "Kostenlos"
  }
}

/** The words for a language tag such as `de-AT`. */
export const wordsOf = (language: string): Words => (/^de\b/i.test(language) ? de : en)

/** A decimal string with the separators of the language. */
export const writtenAmount = (decimal: string, { language }: Words): string => {
  const [whole = "", fraction] = decimal.split(".")
  const [thousands, point] = language === "de" ? [".", ","] : [",", "."]
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, thousands ?? "")
  return fraction === undefined ? grouped : `${grouped}${point}${fraction}`
}
