/** Every scenario in its full size. */
import { proveAccountTiming } from "./accountTiming.ts"
import { proveAnswers } from "./answers.ts"
import { proveDatabaseCrash } from "./crashDatabase.ts"
import { proveServerCrash } from "./crashServer.ts"
import { proveFaultPoints } from "./faultEverywhere.ts"
import { proveFrozenServer } from "./frozenServer.ts"
import { proveGracefulStop } from "./gracefulStop.ts"
import { proveKeySemantics } from "./keySemantics.ts"
import { proveKeyStorm } from "./keyStorm.ts"
import { proveKits } from "./kits.ts"
import { proveLaws } from "./laws.ts"
import { proveMailLoss } from "./mailLoss.ts"
import { proveMalformed } from "./malformed.ts"
import { proveNeighbours } from "./neighbours.ts"
import { proveOversell } from "./oversell.ts"
import { provePaymentHistories } from "./paymentHistories.ts"
import type { Scenario } from "./Scenario.ts"
import { proveSilentServices } from "./silentServices.ts"
import { proveUpgrade } from "./upgrade.ts"
import { proveWebhookCircuit } from "./webhookCircuit.ts"
import { proveWebhookFaults } from "./webhookFaults.ts"
import { proveWebhookLoss } from "./webhookLoss.ts"

export const scenarios: ReadonlyArray<Scenario> = [
  {
    name: "oversell",
    title: "1,000 buyers at once for 100 units beside another shop, two processes",
    measures: "completing",
    bound: 180,
    run: (run) => proveOversell(run, { buyers: 1_000, units: 100 })
  },
  {
    name: "kits",
    title: "a kit of three components beside its components, 1,000 buyers at once, two processes",
    measures: "completing",
    bound: 240,
    run: (run) => proveKits(run, { buyers: 1_000, units: [900, 700, 400] })
  },
  {
    name: "key-storm",
    title: "one key, 200 times at once, two processes",
    measures: "one request of the storm",
    bound: 180,
    run: (run) => proveKeyStorm(run, { senders: 200, rounds: run.rounds ?? 10 })
  },
  {
    name: "keys",
    title: "what a key means: replays, refusals, a day later, after kills at work",
    measures: "",
    bound: 300,
    run: (run) => proveKeySemantics(run, { kills: run.rounds ?? 12 })
  },
  {
    name: "server-crash",
    title: "servers killed (-9) while shoppers buy, two processes",
    measures: "start after a kill",
    bound: 3_600,
    run: (run) => proveServerCrash(run, { rounds: run.rounds ?? 100, shoppers: 8 })
  },
  {
    name: "database-crash",
    title: "the database killed (-9) while shoppers buy, two processes that go on",
    measures: "first write served after the database took connections",
    bound: 900,
    run: (run) => proveDatabaseCrash(run, { rounds: run.rounds ?? 10, shoppers: 8 })
  },
  {
    name: "frozen-server",
    title: "a server stopped in the middle of purchases (SIGSTOP) while another sells the same product",
    measures: "completing beside a frozen server",
    bound: 600,
    run: (run) => proveFrozenServer(run, { rounds: run.rounds ?? 10, shoppers: 6 })
  },
  {
    name: "graceful-stop",
    title: "servers told to end (SIGTERM) under load: every request that was begun is answered, none is reset",
    measures: "from SIGTERM to the end of the process",
    bound: 900,
    run: (run) => proveGracefulStop(run, { tries: run.rounds ?? 20, clients: 50 })
  },
  {
    name: "fault-points",
    title: "every fault point on every way to buy: killed, thrown at, its connections dropped",
    measures: "from the fault to a settled purchase",
    bound: 1_200,
    run: (run) => proveFaultPoints(run, { everyWay: true })
  },
  {
    name: "payments",
    title: "histories of payments by seed: what can go wrong between shop, shoppers and payment companies",
    measures: "one history",
    bound: 7_200,
    run: (run) => provePaymentHistories(run, { histories: run.rounds ?? 10_000 })
  },
  {
    name: "laws",
    title: "every law of the tests, in random cases beside evaluators written apart",
    measures: "one case of each",
    bound: 3_600,
    run: (run) => proveLaws(run, { cases: 10_000 })
  },
  {
    name: "answers",
    title: "20,000 requests made of the API document, valid and not: each response as documented",
    measures: "one request",
    bound: 3_600,
    run: (run) => proveAnswers(run, { requests: 20_000 })
  },
  {
    name: "malformed",
    title: "10,000 requests that are broken HTTP, one process",
    measures: "health beside them",
    bound: 900,
    run: (run) => proveMalformed(run, { requests: run.rounds ?? 10_000 })
  },
  {
    name: "webhook-faults",
    title: "endpoints that fail in twelve ways: five attempts at 5, 10, 20 and 40 s, and the others hear in time",
    measures: "from a change to a good endpoint",
    bound: 300,
    run: (run) => proveWebhookFaults(run, { each: 3, events: 300 })
  },
  {
    name: "circuit",
    title: "the circuit beside a model of the contract's table, two processes",
    measures: "",
    bound: 300,
    run: (run) => proveWebhookCircuit(run, { commands: run.rounds ?? 60, burst: 16 })
  },
  {
    name: "webhook-loss",
    title: "servers killed (-9) while they deliver, two processes",
    measures: "",
    bound: 600,
    run: (run) => proveWebhookLoss(run, { rounds: run.rounds ?? 20, events: 120 })
  },
  {
    name: "mail-loss",
    title: "servers killed (-9) while they send mails, two processes",
    measures: "",
    bound: 600,
    run: (run) => proveMailLoss(run, { rounds: run.rounds ?? 20, orders: 40 })
  },
  {
    name: "account-timing",
    title: "logins and requests for mails of known and of unknown addresses: medians within 10 %",
    measures: "a login that is refused",
    bound: 600,
    run: (run) => proveAccountTiming(run, { each: run.rounds ?? 200 })
  },
  {
    name: "neighbours",
    title: "ten hostile callers of one store beside a shop of another, one process",
    measures: "a request of the shop beside them",
    bound: 900,
    run: (run) => proveNeighbours(run, { products: 20_000, seconds: run.rounds ?? 60 })
  },
  {
    name: "silent-services",
    title:
      "a store whose storage and whose endpoints say nothing, a hundred of each, beside a shop of another, one process",
    measures: "a request of the shop beside it",
    bound: 600,
    run: (run) => proveSilentServices(run, { each: 100, seconds: run.rounds ?? 40 })
  },
  {
    name: "upgrade",
    title:
      "the server before the newest migrations and this one on one database while shoppers buy, one after the other replaced",
    measures: "start of a server of this version",
    bound: 900,
    run: (run) => proveUpgrade(run, { shoppers: 6, orders: run.rounds ?? 30 })
  }
]
