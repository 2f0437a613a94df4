/**
 * Whether the time of a response tells who is a customer: logins and requests for mails, of addresses that have an
 * account and of others, sent in turn so that whatever else the machine does befalls both alike.
 */
import { send } from "./Client.ts"
import { type Outcome, quantile, type Run } from "./Scenario.ts"

export interface AccountTimingSize {
  /** Requests of each kind, for known and for unknown addresses. */
  readonly each: number
}

/** Of the medians: the larger may be this much larger. */
const tolerance = 1.1
const password = "Corr3ct-Horse"
const wrong = "Wr0ng-Battery"

interface Timed {
  readonly known: Array<number>
  readonly unknown: Array<number>
  readonly statuses: Set<number>
}

const judge = (what: string, { known, unknown, statuses }: Timed, note: Run["note"]): ReadonlyArray<string> => {
  const [a, b] = [quantile(known, 0.5), quantile(unknown, 0.5)]
  const ratio = Math.max(a, b) / Math.min(a, b)
  note(`${what}: ${a.toFixed(1)} ms known, ${b.toFixed(1)} ms unknown, ratio ${ratio.toFixed(3)}`)
  return [
    ...(ratio <= tolerance
      ? []
      : [`${what}: the medians of known and unknown addresses are ${ratio.toFixed(2)} apart`]),
    ...(statuses.size === 1 ? [] : [`${what}: answered with ${[...statuses].join(" and ")}`])
  ]
}

export const proveAccountTiming = async (
  { installation, note }: Run,
  { each }: AccountTimingSize
): Promise<Outcome> => {
  const shop = await installation.openShop()
  const [slot] = await installation.openSlots(1)
  if (slot === undefined) throw new Error("no slot")
  await installation.start(slot)
  const post = (path: string, body: object) =>
    send(slot.port, "POST", `/vc/${shop.channelId}/customers/${path}`, { body })
  const emailOf = (i: number) => `known-${i}@example.com`
  for (let i = 0; i < each; i++) {
    const { status } = await post("register", { email: emailOf(i), password })
    if (status !== 200) throw new Error(`the customer was not registered: ${status}`)
  }
  const timed = async (path: string, bodyOf: (email: string) => object): Promise<Timed> => {
    const found: Timed = { known: [], unknown: [], statuses: new Set() }
    const one = async (email: string, times: Array<number>) => {
      const before = performance.now()
      const { status } = await post(path, bodyOf(email))
      times.push(performance.now() - before)
      found.statuses.add(status)
    }
    for (let i = 0; i < each; i++) {
      await one(emailOf(i), found.known)
      await one(`unknown-${i}@example.com`, found.unknown)
    }
    return found
  }
  const login = await timed("login", (email) => ({ email, password: wrong }))
  const forgot = await timed("forgot-password", (email) => ({ email }))
  const resent = await timed("resend-verification", (email) => ({ email }))
  return {
    counts: { ofEach: each },
    latencies: [...login.known, ...login.unknown],
    violations: [
      ...judge("login", login, note),
      ...judge("forgot-password", forgot, note),
      ...judge("resend-verification", resent, note)
    ]
  }
}
