/** One fault for each law of the books: what makes it, and what the auditor must say of it. */

import { addressPlants } from "./addressPlants.ts"
import { appPlants } from "./appPlants.ts"
import { erasurePlants } from "./erasurePlants.ts"
import { loyaltyPlants } from "./loyaltyPlants.ts"
import { paperPlants } from "./paperPlants.ts"
import { moneyPlants } from "./moneyPlants.ts"
import { orderCarePlants } from "./orderCarePlants.ts"
import { teamPlants } from "./teamPlants.ts"
import { tenantPlants } from "./tenantPlants.ts"
import { refundPlants } from "./refundPlants.ts"

/** Ids of what the shop of the test has done. */
export interface Books {
  readonly store: string
  readonly otherStore: string
  readonly otherChannel: string
  readonly lamp: string
  readonly otherLamp: string
  /** Unpaid: one lamp, 100.00, with 8.50 tax and 5.00 shipping. */
  readonly manual: Sold
  /** Paid through the test provider: two lamps, 222.00, of which 50.00 were given back. */
  readonly paid: Sold
  /** Made by an admin key: one lamp less 10.00, without tax or shipping. */
  readonly admin: Omit<Sold, "checkout" | "cart">
  /** Holds two lamps. */
  readonly heldBy: string
}

export interface Sold {
  readonly order: string
  readonly item: string
  readonly payment: string
  readonly checkout: string
  readonly cart: string
}

export interface Plant {
  readonly law: string
  /** Statements, sent as a superuser whom no foreign key and no row-level security holds. */
  readonly plant: (books: Books) => ReadonlyArray<string>
  readonly told: (books: Books) => {
    readonly id: string
    readonly expected: string | null
    readonly found: string | null
  }
}

const noCheck = (table: string, constraint: string) => `ALTER TABLE ${table} DROP CONSTRAINT ${constraint}`
const newDelivery = `INSERT INTO webhook_delivery (store_id, id, subscription_id, event_id, status, due_at, created_at, finished_at)`
const newDisputes = (store: string, { payment }: Sold, order: string, count: number) =>
  `INSERT INTO dispute (store_id, id, order_id, payment_id, external_id, amount, status, created_at, updated_at)
    SELECT '${store}', 'dsp_' || n, '${order}', '${payment}', 'dp_' || n, 1, 'open', now(), now() FROM generate_series(1, ${count}) n`
const oneEvent = (type: string, books: Books, order = books.manual.order) =>
  `(SELECT id FROM event WHERE store_id = '${books.store}' AND type = '${type}' AND data->>'orderId' = '${order}')`

export const plants: ReadonlyArray<Plant> = [
  ...teamPlants,
  ...appPlants,
  {
    law: "listing.row",
    plant: ({ lamp }) => [`UPDATE product_listing SET name = name || '!' WHERE product_id = '${lamp}'`],
    told: ({ lamp }) => ({ id: lamp, expected: "as the product", found: "otherwise" })
  },
  {
    law: "listing.document",
    plant: ({ lamp }) => [
      `UPDATE product SET updated_at = '2020-01-02T03:04:05.678Z' WHERE id = '${lamp}'`,
      `UPDATE product_listing SET updated_at = '2020-01-02T03:04:05.678Z' WHERE product_id = '${lamp}'`
    ],
    told: ({ lamp }) => ({ id: lamp, expected: "2020-01-02T03:04:05.678Z", found: "another document" })
  },
  {
    law: "listing.buyable",
    plant: ({ lamp }) => [`UPDATE product_listing SET buyable = false WHERE product_id = '${lamp}'`],
    told: ({ lamp }) => ({ id: lamp, expected: "true", found: "false" })
  },
  {
    law: "stock.total",
    plant: ({ lamp }) => [`UPDATE stock SET total = total + 1 WHERE key = '${lamp}'`],
    told: ({ lamp }) => ({ id: lamp, expected: "16", found: "17" })
  },
  {
    law: "media.storage",
    plant: ({ store }) => [`INSERT INTO media_storage (store_id, used_bytes) VALUES ('${store}', 7)`],
    told: ({ store }) => ({ id: store, expected: "0", found: "7" })
  },
  {
    law: "stock.reserved",
    plant: ({ heldBy }) => [`DELETE FROM reservation WHERE holder_id = '${heldBy}'`],
    told: ({ lamp }) => ({ id: lamp, expected: "0", found: "2" })
  },
  {
    law: "stock.floor",
    plant: ({ lamp }) => [
      noCheck("stock", "stock_available_check"),
      `UPDATE stock SET total = 1 WHERE key = '${lamp}'`
    ],
    told: ({ lamp }) => ({ id: lamp, expected: ">= 0", found: "-1" })
  },
  {
    law: "stock.sold",
    plant: ({ paid }) => [`UPDATE stock_movement SET delta = -1 WHERE reference = '${paid.order}'`],
    told: ({ paid, lamp }) => ({ id: `${paid.order} ${lamp}`, expected: "2", found: "1" })
  },
  {
    law: "stock.sale",
    plant: ({ paid }) => [
      `UPDATE stock_movement SET id = 'mov_lost', reference = 'ord_00000000000000000000000000' WHERE reference = '${paid.order}' AND reason = 'sale'`
    ],
    told: () => ({ id: "mov_lost", expected: "ord_00000000000000000000000000", found: null })
  },
  {
    law: "stock.returned",
    plant: ({ store, lamp, manual }) => [
      `INSERT INTO stock_movement (store_id, id, key, product_id, delta, reason, reference, created_at)
        SELECT '${store}', 'mov_twice' || n, '${lamp}', '${lamp}', 1, 'return', '${manual.order}', now() FROM generate_series(1, 2) n`
    ],
    told: ({ manual, lamp }) => ({ id: `${manual.order} ${lamp}`, expected: "<= 0", found: "1" })
  },
  {
    law: "stock.owner",
    plant: ({ store, lamp }) => [
      `INSERT INTO stock (store_id, key, product_id, updated_at) VALUES ('${store}', 'prod_else', '${lamp}', now())`
    ],
    told: ({ lamp }) => ({ id: "prod_else", expected: lamp, found: "prod_else" })
  },
  {
    law: "reservation.holder",
    plant: ({ heldBy }) => [`UPDATE reservation SET holder_id = 'cart_gone' WHERE holder_id = '${heldBy}'`],
    told: ({ lamp }) => ({ id: `cart_gone ${lamp}`, expected: "a cart or checkout", found: null })
  },
  {
    law: "order.line",
    plant: ({ manual }) => [`UPDATE order_item SET unit_price = 10001 WHERE order_id = '${manual.order}'`],
    told: ({ manual }) => ({ id: `${manual.order} ${manual.item}`, expected: "10001", found: "10000" })
  },
  {
    law: "order.line-total",
    plant: ({ manual }) => [`UPDATE order_item SET total = total - 1 WHERE order_id = '${manual.order}'`],
    told: ({ manual }) => ({ id: `${manual.order} ${manual.item}`, expected: "10850", found: "10849" })
  },
  {
    law: "order.modifiers",
    plant: ({ manual }) => [`UPDATE order_item SET base_price = 9000 WHERE order_id = '${manual.order}'`],
    told: ({ manual }) => ({ id: `${manual.order} ${manual.item}`, expected: "9000", found: "10000" })
  },
  {
    law: "order.subtotal",
    plant: ({ manual }) => [`UPDATE orders SET subtotal = 9999 WHERE id = '${manual.order}'`],
    told: ({ manual }) => ({ id: manual.order, expected: "10000", found: "9999" })
  },
  {
    law: "order.discounts",
    plant: ({ admin }) => [`UPDATE orders SET discount_amount = 1001 WHERE id = '${admin.order}'`],
    told: ({ admin }) => ({ id: admin.order, expected: "1000", found: "1001" })
  },
  {
    law: "order.adjusted-lines",
    plant: ({ admin }) => [`UPDATE order_adjustment SET amount = 999 WHERE order_id = '${admin.order}'`],
    told: ({ admin }) => ({ id: `${admin.order} ${admin.item}`, expected: "999", found: "1000" })
  },
  {
    law: "order.adjustments",
    plant: ({ admin }) => [`DELETE FROM order_adjustment WHERE order_id = '${admin.order}'`],
    told: ({ admin }) => ({ id: `${admin.order} discount`, expected: "0", found: "1000" })
  },
  {
    law: "adjustment.order",
    plant: ({ admin }) => [`UPDATE order_adjustment SET order_id = 'ord_gone' WHERE order_id = '${admin.order}'`],
    told: ({ admin }) => ({ id: "ord_gone 0", expected: admin.item, found: null })
  },
  {
    law: "order.tax",
    plant: ({ manual }) => [`UPDATE orders SET tax_amount = 851 WHERE id = '${manual.order}'`],
    told: ({ manual }) => ({ id: manual.order, expected: "850", found: "851" })
  },
  {
    law: "explanation.sums",
    plant: ({ manual }) => [
      `UPDATE orders SET explanation = jsonb_set(explanation, '{explanation,entries,0,amount}', '"100.01"') WHERE id = '${manual.order}'`
    ],
    told: ({ manual }) => ({ id: `${manual.order} prices`, expected: "10000", found: "10001.00" })
  },
  {
    law: "explanation.due",
    plant: ({ manual }) => [
      `UPDATE orders SET explanation = jsonb_set(explanation, '{explanation,totals,amountDue}', '"1.00"') WHERE id = '${manual.order}'`
    ],
    told: ({ manual }) => ({ id: manual.order, expected: "1.00", found: "113.50" })
  },
  {
    law: "checkout.reminded",
    plant: ({ manual }) => [
      `UPDATE checkout SET recovery_email_sent_at = now(), recovery_due_at = now() WHERE id = '${manual.checkout}'`
    ],
    told: ({ manual }) => ({
      id: manual.checkout,
      expected: "left with an address, and done",
      found: "not left, due again"
    })
  },
  {
    law: "cart.reminded-once",
    plant: ({ manual, paid }) => [
      `UPDATE checkout SET cart_id = '${manual.cart}', recovery_email_sent_at = now(), abandoned_at = now()
        WHERE id IN ('${manual.checkout}', '${paid.checkout}')`
    ],
    told: ({ manual }) => ({ id: manual.cart, expected: "1", found: "2" })
  },
  {
    law: "order.total",
    plant: ({ paid }) => [`UPDATE orders SET total_amount = total_amount + 1 WHERE id = '${paid.order}'`],
    told: ({ paid }) => ({ id: paid.order, expected: "22200", found: "22201" })
  },
  {
    law: "order.history",
    plant: ({ manual }) => [`UPDATE orders SET status = 'PROCESSING' WHERE id = '${manual.order}'`],
    told: ({ manual }) => ({ id: manual.order, expected: "PENDING", found: "PROCESSING" })
  },
  {
    law: "order.fulfillment",
    plant: ({ paid }) => [`UPDATE order_item SET fulfilled_quantity = 1 WHERE order_id = '${paid.order}'`],
    told: ({ paid }) => ({ id: paid.order, expected: "partial", found: "unfulfilled" })
  },
  {
    law: "order.number",
    plant: ({ paid }) => [`UPDATE orders SET order_number = 1007 WHERE id = '${paid.order}'`],
    told: ({ admin }) => ({ id: admin.order, expected: "1002", found: "1003" })
  },
  {
    law: "order.counter",
    plant: ({ store }) => [`UPDATE order_counter SET last_number = 1004 WHERE store_id = '${store}'`],
    told: ({ store }) => ({ id: store, expected: "1003", found: "1004" })
  },
  {
    law: "order.month",
    plant: ({ store }) => [`UPDATE order_counter SET month_orders = 2 WHERE store_id = '${store}'`],
    told: ({ store }) => ({ id: store, expected: "3", found: "2" })
  },
  {
    law: "order.counts",
    plant: ({ store }) => [
      `UPDATE order_counter SET by_status = by_status || '{"SHIPPED": 7}' WHERE store_id = '${store}'`
    ],
    told: () => ({ id: "SHIPPED", expected: "0", found: "7" })
  },
  {
    law: "checkout.order",
    plant: ({ manual }) => [`UPDATE orders SET checkout_id = NULL WHERE id = '${manual.order}'`],
    told: ({ manual }) => ({ id: manual.checkout, expected: "1", found: "0" })
  },
  {
    law: "checkout.lines",
    plant: ({ paid }) => [`UPDATE checkout_line SET unit_price = 9000 WHERE checkout_id = '${paid.checkout}'`],
    told: ({ paid }) => ({ id: paid.checkout, expected: "18000 for 2", found: "20000 for 2" })
  },
  {
    law: "cart.converted",
    plant: ({ heldBy }) => [`UPDATE cart SET status = 'CONVERTED' WHERE id = '${heldBy}'`],
    told: ({ heldBy }) => ({ id: heldBy, expected: "a completed checkout", found: null })
  },
  {
    law: "cart.merged",
    plant: ({ heldBy }) => [`UPDATE cart SET status = 'MERGED', merged_into = 'cart_gone' WHERE id = '${heldBy}'`],
    told: ({ heldBy }) => ({ id: heldBy, expected: "cart_gone", found: null })
  },
  {
    law: "order.captured",
    plant: ({ manual }) => [`UPDATE orders SET captured_amount = 1 WHERE id = '${manual.order}'`],
    told: ({ manual }) => ({ id: manual.order, expected: "0", found: "1" })
  },
  {
    law: "order.refunded",
    plant: ({ paid }) => [`UPDATE orders SET refunded_amount = 5001 WHERE id = '${paid.order}'`],
    told: ({ paid }) => ({ id: paid.order, expected: "5000", found: "5001" })
  },
  {
    law: "order.financial-status",
    plant: ({ manual }) => [`UPDATE orders SET financial_status = 'paid' WHERE id = '${manual.order}'`],
    told: ({ manual }) => ({ id: manual.order, expected: "pending", found: "paid" })
  },
  {
    law: "order.payments",
    plant: ({ manual }) => [`UPDATE payment SET amount = 11349 WHERE id = '${manual.payment}'`],
    told: ({ manual }) => ({ id: manual.order, expected: "11350", found: "11349" })
  },
  {
    law: "payment.sums",
    plant: ({ paid }) => [
      noCheck("payment", "payment_amount_check"),
      `UPDATE payment SET refunded = 22201 WHERE id = '${paid.payment}'`
    ],
    told: ({ paid }) => ({
      id: paid.payment,
      expected: "amount 22200 >= captured >= refunded >= 0",
      found: "captured 22200, refunded 22201"
    })
  },
  {
    law: "payment.status",
    plant: ({ paid }) => [`UPDATE payment SET status = 'pending' WHERE id = '${paid.payment}'`],
    told: ({ paid }) => ({ id: paid.payment, expected: "captured", found: "pending" })
  },
  {
    law: "payment.currency",
    plant: ({ manual }) => [`UPDATE payment SET currency = 'EUR' WHERE id = '${manual.payment}'`],
    told: ({ manual }) => ({ id: manual.payment, expected: "USD", found: "EUR" })
  },
  {
    law: "payment.refunds",
    plant: ({ paid }) => [`UPDATE refund SET amount = 4999 WHERE payment_id = '${paid.payment}'`],
    told: ({ paid }) => ({ id: paid.payment, expected: "4999", found: "5000" })
  },
  {
    law: "payment.surplus",
    plant: ({ manual }) => [`UPDATE payment SET surplus = 1 WHERE id = '${manual.payment}'`],
    told: ({ manual }) => ({ id: manual.payment, expected: "11350", found: "0" })
  },
  {
    law: "payment.failure",
    plant: ({ paid }) => [`UPDATE payment SET failure = 'expired' WHERE id = '${paid.payment}'`],
    told: ({ paid }) => ({ id: paid.payment, expected: null, found: "expired" })
  },
  {
    law: "refund.bound",
    plant: ({ paid }) => [
      `INSERT INTO refund (store_id, id, order_id, payment_id, amount, status, type, source, external_id, created_at)
        SELECT store_id, 'ref_' || n, order_id, payment_id, 1, 'failed', type, source, 're_' || n, created_at
        FROM refund, generate_series(1, 500) n WHERE payment_id = '${paid.payment}'`
    ],
    told: ({ paid }) => ({ id: paid.order, expected: "<= 500", found: "501" })
  },
  {
    law: "dispute.bound",
    plant: ({ store, paid }) => [newDisputes(store, paid, paid.order, 101)],
    told: ({ paid }) => ({ id: paid.order, expected: "<= 100", found: "101" })
  },
  {
    law: "dispute.order",
    plant: ({ store, paid, manual }) => [newDisputes(store, paid, manual.order, 1)],
    told: ({ paid, manual }) => ({ id: "dsp_1", expected: paid.order, found: manual.order })
  },
  {
    law: "event.paid",
    plant: (books) => [`DELETE FROM event WHERE id = ${oneEvent("order.paid", books, books.paid.order)}`],
    told: ({ paid }) => ({ id: paid.order, expected: "1", found: "0" })
  },
  {
    law: "refund.order",
    plant: ({ paid, manual }) => [
      `UPDATE refund SET id = 'ref_astray', order_id = '${manual.order}' WHERE payment_id = '${paid.payment}'`
    ],
    told: ({ paid, manual }) => ({ id: "ref_astray", expected: paid.order, found: manual.order })
  },
  {
    law: "operation.order",
    plant: ({ paid }) => [
      `UPDATE provider_operation SET id = 'pop_more', amount = 22201 WHERE subject_id = '${paid.checkout}' AND state = 'succeeded'`
    ],
    told: () => ({ id: "pop_more", expected: "22201 USD", found: "22200 USD" })
  },
  {
    law: "operation.once",
    plant: ({ paid }) => [`UPDATE provider_operation SET state = 'succeeded' WHERE subject_id = '${paid.checkout}'`],
    told: ({ paid }) => ({ id: paid.checkout, expected: "1", found: "2" })
  },
  {
    law: "operation.watched",
    plant: ({ paid }) => [
      `UPDATE provider_operation SET id = 'pop_forgotten', state = 'calling' WHERE subject_id = '${paid.checkout}' AND state = 'succeeded'`
    ],
    told: () => ({ id: "pop_forgotten", expected: "a time", found: "calling" })
  },
  {
    law: "operation.followed",
    plant: ({ paid }) => [
      `UPDATE provider_operation SET id = 'pop_unfollowed', answer = jsonb_set(answer, '{data,charge,refunds}',
          '[{"id": "re_1", "key": null, "amount": "100", "status": "pending"}]')
        WHERE subject_id = '${paid.checkout}' AND state = 'succeeded'`
    ],
    told: () => ({ id: "pop_unfollowed", expected: "a time", found: "captured 22200 of 22200, captured" })
  },
  {
    law: "operation.charge",
    plant: ({ store, paid }) => [
      `INSERT INTO provider_operation (store_id, id, kind, subject_type, subject_id, charge_id, provider, provider_id, state, amount, currency, sent_at, open_since, created_at, updated_at)
        SELECT '${store}', 'pop_else', 'refund', 'order', '${paid.order}', id, provider, provider_id, 'succeeded', 1, 'EUR', now(), now(), now(), now()
        FROM provider_operation WHERE subject_id = '${paid.checkout}' AND state = 'succeeded'`
    ],
    told: () => ({ id: "pop_else", expected: "test USD", found: "test EUR" })
  },
  {
    law: "operation.attention",
    plant: ({ paid }) => [
      `UPDATE provider_operation SET id = 'pop_neglected', attention = 'the provider says 1.00 EUR', attention_at = now()
        WHERE subject_id = '${paid.checkout}' AND state = 'succeeded'`
    ],
    told: () => ({ id: "pop_neglected", expected: null, found: "the provider says 1.00 EUR" })
  },
  {
    law: "provider.notices",
    plant: ({ store }) => [
      `INSERT INTO provider_notice (provider_id, event_id, store_id, body, state, reason, received_at)
        VALUES ('test', 'tev_unreadable', '${store}', '{}', 'set_aside', 'it is no notice', now())`
    ],
    told: () => ({ id: "test tev_unreadable", expected: null, found: "set_aside: it is no notice" })
  },
  {
    law: "checkout.processing",
    plant: ({ manual }) => [`UPDATE checkout SET status = 'PROCESSING' WHERE id = '${manual.checkout}'`],
    told: ({ manual }) => ({ id: manual.checkout, expected: "an open operation", found: null })
  },
  {
    law: "provider.kept",
    plant: ({ paid }) => [
      `UPDATE test_charge SET refunded = 0 WHERE checkout_id = '${paid.checkout}' AND captured > 0`
    ],
    told: ({ paid }) => ({ id: paid.checkout, expected: "22200", found: "17200" })
  },
  {
    law: "provider.once",
    plant: ({ paid }) => [`UPDATE test_charge SET captured = amount WHERE checkout_id = '${paid.checkout}'`],
    told: ({ paid }) => ({ id: paid.checkout, expected: "1", found: "2" })
  },
  {
    law: "event.created",
    plant: (books) => [`DELETE FROM event WHERE id = ${oneEvent("order.created", books, books.paid.order)}`],
    told: ({ paid }) => ({ id: paid.order, expected: "1", found: "0" })
  },
  {
    law: "event.once",
    plant: (books) => [
      `INSERT INTO event (store_id, id, type, data, created_at) SELECT store_id, 'evt_z', type, data, created_at FROM event WHERE id = ${oneEvent("checkout.completed", books)}`
    ],
    told: () => ({ id: "evt_z", expected: "1", found: "2" })
  },
  {
    law: "event.order",
    plant: (books) => [
      `UPDATE event SET id = 'evt_orphan', data = '{"orderId": "ord_gone"}' WHERE id = ${oneEvent("checkout.completed", books)}`
    ],
    told: () => ({ id: "evt_orphan", expected: "ord_gone", found: null })
  },
  {
    law: "event.goods",
    plant: ({ store }) => [
      `UPDATE event SET id = 'evt_goods', data = '{"productId": "prod_gone"}' WHERE id = (SELECT min(id) FROM event WHERE store_id = '${store}' AND type = 'inventory.updated')`
    ],
    told: () => ({ id: "evt_goods", expected: "prod_gone", found: null })
  },
  {
    law: "event.position",
    plant: (books) => [
      `UPDATE event SET relayed_at = now(), position = NULL, id = 'evt_nowhere' WHERE id = ${oneEvent("order.created", books)}`
    ],
    told: () => ({ id: "evt_nowhere", expected: "a position", found: null })
  },
  {
    law: "event.feed",
    plant: (books) => [
      `UPDATE event SET relayed_at = now(), position = 99999, id = CASE type WHEN 'order.created' THEN 'evt_y' ELSE 'evt_z' END
        WHERE data->>'orderId' = '${books.manual.order}' AND type IN ('order.created', 'checkout.completed')`
    ],
    told: () => ({ id: "evt_z", expected: "1", found: "2" })
  },
  {
    law: "idempotency.order",
    plant: () => [
      `UPDATE idempotency SET credential = 'c', body = convert_to('{"orderId":"ord_lost","orderNumber":"#1001"}', 'UTF8') WHERE key = 'manual' AND status = 200`
    ],
    told: () => ({ id: "c manual", expected: "ord_lost", found: null })
  },
  {
    law: "idempotency.lease",
    plant: () => ["UPDATE idempotency SET credential = 'c', claimed_until = expires_at WHERE key = 'manual'"],
    told: () => ({ id: "c manual", expected: "<= 60 s", found: "86400.000000 s" })
  },
  {
    law: "webhook.finished",
    plant: (books) => [
      `${newDelivery} VALUES ('${books.store}', 'whd_1', 'whs_1', ${oneEvent("order.created", books)}, 'delivered', NULL, now(), now())`
    ],
    told: () => ({ id: "whd_1", expected: "finished", found: "finished, delivered after 0" })
  },
  {
    law: "webhook.whole",
    plant: (books) => [
      `${newDelivery} VALUES ('${books.store}', 'whd_1', 'whs_gone', ${oneEvent("order.created", books)}, 'pending', now(), now(), NULL)`
    ],
    told: () => ({ id: "whd_1", expected: "event and subscription", found: "event" })
  },
  {
    law: "webhook.counted",
    plant: ({ store }) => [
      `INSERT INTO webhook_delivery_count (store_id, subscription_id, total) VALUES ('${store}', 'whs_1', 2)`
    ],
    told: () => ({ id: "whs_1", expected: "0", found: "2" })
  },
  {
    law: "import.finished",
    plant: ({ store }) => [`INSERT INTO product_import (store_id, id, created_at) VALUES ('${store}', 'imp_1', now())`],
    told: () => ({ id: "imp_1", expected: "finished", found: "0 waiting, finished never" })
  },
  {
    law: "product.modifier-groups",
    plant: ({ store, lamp }) => [
      `INSERT INTO product_modifier_group (store_id, product_id, id, group_id, position) VALUES ('${store}', '${lamp}', 'modatt_1', 'modgrp_1', 0)`
    ],
    told: ({ lamp }) => ({ id: `${lamp} modatt_1`, expected: "true", found: "false" })
  },
  {
    law: "mail.sealed",
    plant: ({ store }) => [
      `INSERT INTO email_message (store_id, id, event_type, to_address, from_name, from_address, subject, html, plain_text, sealed, status, due_at, created_at, updated_at)
        VALUES ('${store}', 'mail_1', 'PASSWORD_RESET', 'a@example.com', 'S', 's@example.com', 's', '', '', 'secret', 'SENT', now(), now(), now())`
    ],
    told: () => ({ id: "mail_1", expected: null, found: "sealed, SENT" })
  },
  {
    law: "customer.default-address",
    plant: ({ store }) => [
      noCheck("customer_address", "customer_address_store_id_customer_id_excl"),
      `INSERT INTO customer_address (store_id, id, customer_id, is_default, address, created_at, updated_at)
        SELECT '${store}', 'addr_' || n, 'cus_1', true, '{}', now(), now() FROM generate_series(1, 2) n`
    ],
    told: () => ({ id: "cus_1", expected: "1", found: "2" })
  },
  {
    law: "customer.deleted",
    plant: ({ store }) => [
      `INSERT INTO customer (store_id, id, first_name, deleted_at, created_at, updated_at) VALUES ('${store}', 'cust_1', 'Ada', now(), now(), now())`,
      `INSERT INTO customer_address (store_id, id, customer_id, is_default, address, created_at, updated_at)
        VALUES ('${store}', 'addr_1', 'cust_1', true, '{}', now(), now())`
    ],
    told: () => ({ id: "cust_1", expected: "nothing", found: "name, address" })
  },
  {
    law: "review.counted",
    plant: ({ store, lamp }) => [
      `INSERT INTO review (store_id, id, product_id, rating, body, status, verified_purchase, locale, created_at, updated_at)
        SELECT '${store}', 'review_' || n, '${lamp}', n, 'b', CASE n WHEN 3 THEN 'PENDING' ELSE 'APPROVED' END, false, 'en', now(), now()
        FROM generate_series(1, 4) n`,
      `INSERT INTO product_rating (store_id, product_id, stars_1, stars_3) VALUES ('${store}', '${lamp}', 1, 1)`
    ],
    told: ({ lamp }) => ({ id: lamp, expected: "1 1 0 1 0", found: "1 0 1 0 0" })
  },
  {
    law: "review.author",
    plant: ({ store, lamp }) => [
      `INSERT INTO customer (store_id, id, deleted_at, created_at, updated_at) VALUES ('${store}', 'cust_1', now(), now(), now())`,
      `INSERT INTO review (store_id, id, product_id, customer_id, rating, body, status, verified_purchase, locale, created_at, updated_at)
        VALUES ('${store}', 'review_1', '${lamp}', 'cust_1', 5, 'b', 'PENDING', false, 'en', now(), now())`
    ],
    told: () => ({ id: "review_1", expected: null, found: "cust_1" })
  },
  {
    law: "customer.announced",
    plant: ({ store }) => [
      `INSERT INTO customer (store_id, id, email, announced, created_at, updated_at) VALUES ('${store}', 'cust_1', 'a@b.co', true, now(), now())`
    ],
    told: () => ({ id: "cust_1", expected: ">= 1", found: "0" })
  },
  {
    law: "cart.emptied",
    plant: ({ heldBy }) => [`UPDATE cart SET status = 'MERGED' WHERE id = '${heldBy}'`],
    told: ({ heldBy }) => ({ id: heldBy, expected: "0", found: "1" })
  },
  {
    law: "cart.merged-closed",
    plant: ({ manual }) => [
      `UPDATE cart SET status = 'MERGED', merged_into = id WHERE id = '${manual.cart}'`,
      `UPDATE checkout SET status = 'PENDING' WHERE id = '${manual.checkout}'`
    ],
    told: ({ manual }) => ({ id: manual.checkout, expected: "not PENDING", found: "PENDING" })
  },
  ...tenantPlants,
  ...moneyPlants,
  ...refundPlants,
  ...loyaltyPlants,
  ...paperPlants,
  ...erasurePlants,
  ...orderCarePlants,
  ...addressPlants
]
