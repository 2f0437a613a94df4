import { expect, it } from "vitest"
import { moved, placedBy, readStatusChange, statusChange } from "../../src/order/StatusHistory.ts"
import { orderOf } from "../settlement/chargedOrder.ts"

const at = "2026-01-01T00:00:00.000Z"
const key = { type: "key", id: "key_1", name: "erp" } as const
const customer = { type: "customer", id: null, name: null } as const

it("an entry of a release that kept no actor is read as the system's doing", () => {
  expect(readStatusChange({ from: "PENDING", to: "PAID", reason: null, at })).toEqual({
    from: "PENDING",
    to: "PAID",
    reason: null,
    at,
    actor: { type: "system", id: null, name: null },
    source: "service"
  })
})

it("an entry is read as it was written, and one of another shape is left out", () => {
  const change = statusChange("PAID", "SHIPPED", { reason: "packed", actor: key, now: Date.parse(at) })
  expect(change).toEqual({ from: "PAID", to: "SHIPPED", reason: "packed", at, actor: key, source: "service" })
  expect(readStatusChange(JSON.parse(JSON.stringify(change)))).toEqual(change)
  expect(readStatusChange({ from: "PAID", to: "LOST", at })).toBeUndefined()
  expect(readStatusChange(null)).toBeUndefined()
})

it("a move is dated, later than the last change, and says where it came from", () => {
  const order = orderOf({ statusHistory: [statusChange(null, "PENDING", { reason: null, actor: customer, now: 0 })] })
  expect(placedBy(order)).toEqual(customer)
  const after = moved(order, "PAID", { reason: null, actor: customer, now: 0 })
  expect(after.updatedAt.getTime()).toBe(order.updatedAt.getTime() + 1)
  expect(after.statusHistory.at(-1)).toMatchObject({ from: "PENDING", to: "PAID", source: "storefront" })
})
