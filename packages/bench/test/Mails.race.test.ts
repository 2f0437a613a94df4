import { afterAll, expect, it } from "vitest"
import { openMailSink } from "../src/proof/MailSink.ts"
import { proveMailLoss } from "../src/proof/mailLoss.ts"
import { openInProcess } from "./inProcess.ts"
import { provingOn } from "./proving.ts"

const sink = await openMailSink()
afterAll(() => sink.close())
const prove = provingOn(() => openInProcess({ smtpUrl: sink.url }))

it("every order is confirmed, and a mail that arrives twice is the same mail, when servers are killed while they send", async () => {
  const { counts, violations, seed } = await prove((run) => proveMailLoss(run, { rounds: 2, orders: 12, sink }))
  expect({ seed, violations }).toEqual({ seed, violations: [] })
  expect(counts["kills"]).toBeGreaterThanOrEqual(2)
  expect(counts["arrived"]).toBe(counts["orders"])
})
