/** Faults in charges and their changes: what is asked of a provider, when it is looked at, what its answer does. */
import type { Fault } from "../plantedFaults.ts"

const test = (name: string) => [`packages/core/test/charge/${name}.test.ts`]
const noticeTest = (name: string) => [`packages/core/test/notice/${name}.test.ts`]
const room = "packages/core/src/charge"
const outcomes = `${room}/OperationOutcomes.ts`
const operations = `${room}/ProviderOperations.ts`
const rows = `${room}/ProviderOperationRepository.ts`
const schedule = `${room}/OperationScheduleRepository.ts`
const checks = `${room}/internal/operationChecks.ts`
const unwanted = `${room}/internal/unwantedMoney.ts`
const notices = "packages/core/src/notice/PaymentNotices.ts"

const begun: ReadonlyArray<Fault> = [
  {
    id: "charge.two-clicks",
    breaks: "Two clicks on refund send back more than was captured",
    file: operations,
    find: "yield* operations.lockCharge(storeId, charge.id)",
    replace: "",
    tests: test("RefundsAtOnce.race"),
    noticedBy: "at once never exceed what was captured"
  },
  {
    id: "charge.under-way-forgotten",
    breaks: "A refund that the bank has not made yet can be asked for a second time",
    file: rows,
    find: "(o.state IN ('calling', 'pending') OR",
    replace: "(o.state = 'calling' OR",
    tests: test("ChargeBooks.pg"),
    noticedBy: "until then it counts as under way"
  },
  {
    id: "charge.done-unbooked",
    breaks: "A refund that was just made, and is not in the books of its charge yet, can be asked for a second time",
    file: rows,
    find: "OR (o.state = 'succeeded' AND NOT ${isBooked})",
    replace: "",
    tests: test("RefundsAtOnce.race"),
    noticedBy: "that are done count until the books of the charge have them"
  }
]

const settled: ReadonlyArray<Fault> = [
  {
    id: "charge.mismatch-booked",
    breaks: "A charge in another currency pays an order",
    file: outcomes,
    find: `if (operation.kind === "authorize" && (isOtherThan(operation, charge) || isTooLong(charge))) {`,
    replace: `if (operation.kind !== "authorize" && (isOtherThan(operation, charge) || isTooLong(charge))) {`,
    tests: test("NeglectedPayments.pg"),
    noticedBy: "nothing of it is booked: another currency"
  },
  {
    id: "charge.old-answer-applied",
    breaks: "An answer that was overtaken takes refunds out of the books again",
    file: outcomes,
    find: "(locked) => (locked?.looks === operation.looks ? locked : undefined)",
    replace: "(locked) => locked",
    tests: test("ChargeBooks.pg"),
    noticedBy: "from an answer that was given before another one was applied"
  },
  {
    id: "charge.books-only-up",
    breaks: "A refund that the bank has sent back stays in the books",
    file: rows,
    find: "refunded = CASE o.kind WHEN 'authorize' THEN least(${sums.refunded}, ${sums.captured}, o.amount)",
    replace: "refunded = CASE o.kind WHEN 'authorize' THEN greatest(o.refunded, least(${sums.refunded}, o.amount))",
    tests: test("ChargeBooks.pg"),
    noticedBy: "when a refund that was made comes back weeks later"
  },
  {
    id: "charge.left-behind",
    breaks: "A process that dies right after a refund leaves the charge's books as they were, for good",
    file: outcomes,
    find: ": operations.lookAtCharge(store.id, operation.id, new Date(now + policy.outcomeLease))",
    replace: ": Effect.void",
    tests: test("ChangesOnce.pg"),
    noticedBy: "also where the process died right after it was settled"
  },
  {
    id: "charge.own-refund-unknown",
    breaks: "The notice of our own refund does not settle it",
    file: `${room}/ChargeLooks.ts`,
    find: "if (!isOtherThan(operation, charge)) yield* settleRefunds(store, operation, charge)",
    replace: "",
    tests: test("RefundsAtOnce.race"),
    noticedBy: "before our answer comes"
  }
]

const recovered: ReadonlyArray<Fault> = [
  {
    id: "charge.asked-blindly",
    breaks: "A refund is made twice because the provider has forgotten its key",
    file: checks,
    find: "if (age < provider.keyLifetime) return yield* askAgain(checked)",
    replace: "if (age >= 0) return yield* askAgain(checked)",
    tests: test("ChangesOnce.pg"),
    noticedBy: "never asked for once the key's lifetime is over"
  },
  {
    id: "charge.asked-instead-of-looked-up",
    breaks: "A change whose answer was lost is asked for again instead of looked up",
    file: checks,
    find: `case "Done": yield* settle(checked, { _tag: "Answered", charge: found.success.charge }) return true`,
    replace: `case "Done": return yield* askAgain(checked)`,
    tests: test("ChangesOnce.pg"),
    noticedBy: "is not done again although the provider has forgotten the key: a refund"
  },
  {
    id: "charge.answer-not-kept",
    breaks: "A crash after the provider's answer leaves nothing to settle by while the provider is down",
    file: operations,
    find: "operations.answered(storeId, id, asked, encodeAnswer(outcome))",
    replace: "Effect.void",
    tests: test("ChangesOnce.pg"),
    noticedBy: "is settled with the stored answer after a crash"
  },
  {
    id: "charge.failed-handler-asks-again",
    breaks: "A provider is asked about a charge again and again while a handler of ours fails",
    file: operations,
    find: "(Cause.hasInterruptsOnly(cause) ? Effect.void : kept)",
    replace: "(Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.void)",
    tests: test("ChangesOnce.pg"),
    noticedBy: "whose room fails is settled from the answer"
  },
  {
    id: "charge.absent-too-soon",
    breaks: "A payment that is still on its way counts as never made, and the shopper pays twice",
    file: checks,
    find: "if (age < settling)",
    replace: "if (age < 0)",
    tests: test("AbsentCharges.pg"),
    noticedBy: "is looked at right when the provider's settling time is over"
  },
  {
    id: "charge.absent-for-good",
    breaks: "Money that arrives hours after it was looked for in vain is never found",
    file: checks,
    find: "policy.absentAgain.find((at) => at > age)",
    replace: "policy.absentAgain.find((at) => at < 0)",
    tests: test("AbsentCharges.pg"),
    noticedBy: "after a day is late money"
  },
  {
    id: "charge.silent-deadline",
    breaks: "Units stay reserved for a shopper for as long as the provider is down",
    file: checks,
    find: `checked.operation.state === "awaiting_shopper" ? stillOpen(checked, reason)`,
    replace: `checked.operation.state === "pending" ? stillOpen(checked, reason)`,
    tests: test("AwaitedCharges.pg"),
    noticedBy: "is given up although the provider is silent"
  },
  {
    id: "charge.asked-at-each-return",
    breaks: "Every shopper who comes back makes us ask the provider, however often they reload",
    file: rows,
    find: "AND id = ${id} AND state = 'awaiting_shopper' AND updated_at <= ${since} RETURNING 1",
    replace: "AND id = ${id} AND state = 'awaiting_shopper' AND ${since}::timestamptz IS NOT NULL RETURNING 1",
    tests: test("AwaitedCharges.pg"),
    noticedBy: "the provider is asked once in two seconds"
  }
]

const watched: ReadonlyArray<Fault> = [
  {
    id: "charge.expiry-missed",
    breaks: "Goods are packed for a reservation that lapsed hours ago",
    file: "packages/core/src/payment/watchedAt.ts",
    find: "lapses > now ? Math.min(now + wait, lapses + 1_000) : now + wait",
    replace: "now + wait",
    tests: test("WatchedCharges.pg"),
    noticedBy: "is looked at right after the reservation lapses"
  },
  {
    id: "charge.trouble-unreported",
    breaks: "A refund that the provider has lost is reported to nobody",
    file: schedule,
    find: "AND check_at IS NOT NULL AND open_since <= ${since}",
    replace: "AND check_at IS NOT NULL AND state = 'calling' AND open_since <= ${since}",
    tests: test("NeglectedPayments.pg"),
    noticedBy: "is reported where it is a pending refund that the provider has lost"
  },
  {
    id: "charge.circuit-closed",
    breaks: "A provider that is down is asked for everything at once, all the time",
    file: "packages/core/src/payment/ProviderTurns.ts",
    find: "if (unanswered < enough) return slots - underWay",
    replace: "if (unanswered >= 0) return slots - underWay",
    tests: test("Neighbours.pg"),
    noticedBy: "is asked ever less often"
  }
]

const noticed: ReadonlyArray<Fault> = [
  {
    id: "notice.unknown-applied",
    breaks: "A notice that comes before its charge is known counts as dealt with, and the money is missed",
    file: notices,
    find: `if (charge === undefined) return { _tag: "Open" as const,`,
    replace: `if (charge === undefined) return { _tag: "Applied" as const,`,
    tests: noticeTest("KeptNotices.pg"),
    noticedBy: "stays open, is asked about less and less often"
  },
  {
    id: "charge.notice-elsewhere",
    breaks:
      "A notice that comes to the address of another provider of the store stays open for ever, and enough of them " +
      "keep everybody's out",
    file: notices,
    find: "if ((yield* looks.find(storeId, key)) !== undefined) return { storeId, chargeKey: key }",
    replace:
      "if ((yield* looks.find(storeId, key))?.providerId === account.providerId) return { storeId, chargeKey: key }",
    tests: noticeTest("KeptNotices.pg"),
    noticedBy: "where it came to the address of another"
  },
  {
    id: "notice.second-swallowed",
    breaks: "A notice without a name that comes again while the first is looked at is lost",
    file: "packages/core/src/notice/ProviderNoticeRepository.ts",
    find: "WHERE ${isRepeatable} RETURNING",
    replace: "WHERE ${isRepeatable} AND n.state <> 'open' RETURNING",
    tests: noticeTest("PaymentNotices.pg"),
    noticedBy: "that comes again while the first is being looked at"
  }
]

const late: ReadonlyArray<Fault> = [
  {
    id: "charge.late-order-voided",
    breaks: "Money that is reserved after the shop had given up makes an order, and is then voided",
    file: rows,
    find: "WHEN ${to} = 'succeeded' AND o.state <> 'succeeded' THEN NULL",
    replace: "",
    tests: test("LateTruth.pg"),
    noticedBy: "stays reserved for its order"
  },
  {
    id: "charge.void-believed",
    breaks: "A company that voids later has answered, and nobody looks whether it did",
    file: unwanted,
    find: 'if (typeof charge === "string" || released === undefined || released.releasedAt === null) return',
    replace: `if (typeof charge === "string" || released === undefined || released.releasedAt === null) return
      if (isUnreleased(charge)) return yield* postponeUntil(store, released, null, null)`,
    tests: test("LateTruth.pg"),
    noticedBy: "is voided until the company says that it is"
  },
  {
    id: "charge.void-refused-reported",
    breaks: "Each checkout that was left and whose charge never arrived calls for a person",
    file: unwanted,
    find: "return yield* releaseForGood(checked, operation, true)",
    replace: "return yield* releaseForGood(checked, operation, false)",
    tests: test("LateTruth.pg"),
    noticedBy: "cannot be found calls for nobody"
  },
  {
    id: "charge.followed-for-ever",
    breaks: "A room that fails to follow its charge is asked at every pass, and nobody hears of it",
    file: checks,
    find: 'operation.state !== "succeeded" &&',
    replace: "",
    tests: test("LateTruth.pg"),
    noticedBy: "to follow a charge that it has accepted is asked less and less often"
  },
  {
    id: "charge.slots-late",
    breaks: "Two passes at once ask a company for more than its share",
    file: "packages/core/src/charge/PaymentRecovery.ts",
    find: `const ids = yield* Effect.onError(claim, () => Effect.sync(() => turns.giveBack(whose, room)))
      turns.giveBack(whose, room - ids.length)`,
    replace: `turns.giveBack(whose, room)
      const ids = yield* claim
      turns.begin(whose, ids.length)`,
    tests: test("Neighbours.pg"),
    noticedBy: "is asked for eight charges of a store at a time"
  },
  {
    id: "charge.unwanted-asked-often",
    breaks: "A company is asked every few minutes, for weeks, about what only time brings",
    file: `${room}/internal/postponing.ts`,
    find: "? yield* nextWatchAfter(policy, operation.checks, false)",
    replace: "? yield* nextCheckAfter(policy, operation.checks)",
    tests: test("SlowCompanies.pg"),
    noticedBy: "is asked about a charge that nobody wants"
  },
  {
    id: "charge.pending-asked-often",
    breaks: "A company is asked every minute about a refund that its bank takes days for",
    file: outcomes,
    find: 'operation.state === "pending" ? operation.checks : 0',
    replace: "0",
    tests: test("SlowCompanies.pg"),
    noticedBy: "is asked about a refund that it says is done"
  },
  {
    id: "charge.pending-told-again",
    breaks: "Each look at a charge settles its pending refund anew, and puts off its own look",
    file: `${room}/ChargeLooks.ts`,
    find: "status !== undefined && status !== change.state",
    replace: "status !== undefined",
    tests: test("SlowCompanies.pg"),
    noticedBy: "keeps the schedule of a pending refund"
  }
]

export const chargeFaults: ReadonlyArray<Fault> = [...begun, ...settled, ...recovered, ...watched, ...noticed, ...late]
