/** What is different between two versions of the API, one line for each difference, and whether it breaks programs. */
import { type Change, compareSchemas, type Comparison, type Verdict, type Way } from "./compareSchemas.ts"
import {
  type Answer,
  type Body,
  type Contract,
  errorSchema,
  type Json,
  type Operation,
  type Parameter
} from "./contract.ts"

type Named<A> = Readonly<Record<string, A>>

/** Calls `gone`, `come` or `kept` for each name. */
const pairs = <A>(
  before: Named<A>,
  after: Named<A>,
  calls: {
    readonly gone: (name: string) => void
    readonly come: (name: string, value: A) => void
    readonly kept: (name: string, was: A, is: A) => void
  }
): void => {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[name], after[name]]
    if (is === undefined) calls.gone(name)
    else if (was === undefined) calls.come(name, is)
    else calls.kept(name, was, is)
  }
}

const compareContent = (before: Named<Json>, after: Named<Json>, way: Way, at: string, comparison: Comparison): void =>
  pairs(before, after, {
    gone: (type) => comparison.report("BREAKING", at, `no longer ${type}`),
    come: (type) => comparison.report(way === "request" ? "added" : "BREAKING", at, `also ${type}`),
    kept: (_type, was, is) => compareSchemas(was, is, way, at, comparison)
  })

const compareParameters = (
  before: Named<Parameter>,
  after: Named<Parameter>,
  at: string,
  comparison: Comparison
): void =>
  pairs(before, after, {
    gone: (name) => comparison.report("BREAKING", `${at} ${name}`, "is no longer taken"),
    come: (name, { required }) =>
      comparison.report(required ? "BREAKING" : "added", `${at} ${name}`, required ? "is new and required" : "is new"),
    kept: (name, was, is) => {
      if (was.required !== is.required)
        comparison.report(
          is.required ? "BREAKING" : "changed",
          `${at} ${name}`,
          is.required ? "is required now" : "may be missing now"
        )
      compareSchemas(was.schema, is.schema, "request", `${at} ${name}`, comparison)
    }
  })

const compareBodies = (before: Body | null, after: Body | null, at: string, comparison: Comparison): void => {
  const place = `${at} body`
  if (before === null && after === null) return
  if (after === null) return comparison.report("BREAKING", place, "is no longer taken")
  if (before === null) {
    const what = after.required ? "is new and required" : "is new"
    return comparison.report(after.required ? "BREAKING" : "added", place, what)
  }
  if (before.required !== after.required)
    comparison.report(
      after.required ? "BREAKING" : "changed",
      place,
      after.required ? "is required now" : "may be missing now"
    )
  compareContent(before.content, after.content, "request", place, comparison)
}

const compareAnswer = (before: Answer, after: Answer, at: string, comparison: Comparison): void => {
  if (before.content !== undefined && after.content !== undefined)
    compareContent(before.content, after.content, "answer", at, comparison)
  pairs(before.headers ?? {}, after.headers ?? {}, {
    gone: (name) => comparison.report("BREAKING", `${at} header ${name}`, "is no longer there"),
    come: (name) => comparison.report("added", `${at} header ${name}`, "is new"),
    kept: (name, was, is) => compareSchemas(was, is, "answer", `${at} header ${name}`, comparison)
  })
  const [old, now] = [before.codes ?? [], after.codes ?? []]
  for (const code of old) {
    if (now.includes(code)) compareSchemas(errorSchema(code), errorSchema(code), "answer", at, comparison)
    else comparison.report("BREAKING", at, `no longer the code ${code}`)
  }
  for (const code of now.filter((one) => !old.includes(one))) comparison.report("added", at, `also the code ${code}`)
}

const isRefusal = (status: string): boolean => Number(status) >= 400

const compareAnswers = (before: Named<Answer>, after: Named<Answer>, at: string, comparison: Comparison): void =>
  pairs(before, after, {
    gone: (status) => comparison.report("BREAKING", `${at} ${status}`, "is no longer answered"),
    come: (status) => comparison.report(isRefusal(status) ? "added" : "BREAKING", `${at} ${status}`, "is answered now"),
    kept: (status, was, is) => compareAnswer(was, is, `${at} ${status}`, comparison)
  })

/** `orders:read or customers:read`: each opens the route. */
const scopesOf = (scope: string | null): ReadonlyArray<string> => (scope === null ? [] : scope.split(" or "))

const compareAccess = (before: Operation, after: Operation, at: string, { report }: Comparison): void => {
  for (const name of ["scope", "appScope"] as const) {
    const [old, now] = [scopesOf(before[name]), scopesOf(after[name])]
    if (before[name] === after[name]) continue
    // Who has what was enough is refused, unless the route asks for nothing now.
    const breaks = now.length > 0 && (old.length === 0 ? name === "scope" : old.some((one) => !now.includes(one)))
    report(breaks ? "BREAKING" : "changed", at, `${name} is ${after[name] ?? "none"}, was ${before[name] ?? "none"}`)
  }
  for (const one of before.security.filter((given) => !after.security.includes(given)))
    report("BREAKING", at, `no longer the credential ${one}`)
  for (const one of after.security.filter((given) => !before.security.includes(given)))
    report(before.security.length === 0 ? "BREAKING" : "added", at, `also the credential ${one}`)
  if (before.idempotency !== after.idempotency)
    report(
      before.idempotency === "none" && after.idempotency === "optional" ? "added" : "BREAKING",
      at,
      `Idempotency-Key is ${after.idempotency}, was ${before.idempotency}`
    )
}

const compareOperations = (before: Operation, after: Operation, at: string, comparison: Comparison): void => {
  compareAccess(before, after, at, comparison)
  compareParameters(before.parameters, after.parameters, at, comparison)
  compareBodies(before.body, after.body, at, comparison)
  compareAnswers(before.answers, after.answers, at, comparison)
}

/** A line that is another without a difference that is named is one itself: nothing changes unseen. */
const reportOtherwise = <A>(before: Named<A>, after: Named<A>, places: ReadonlyArray<string>, comparison: Comparison) =>
  pairs(before, after, {
    gone: () => undefined,
    come: () => undefined,
    kept: (name, was, is) => {
      const isNamed = places.some((at) => at === name || at.startsWith(`${name} `))
      if (!isNamed && JSON.stringify(was) !== JSON.stringify(is))
        comparison.report("changed", name, "is written otherwise")
    }
  })

const order: ReadonlyArray<Verdict> = ["BREAKING", "changed", "added"]

export const compareContracts = (before: Contract, after: Contract): ReadonlyArray<Change> => {
  const changes = new Map<string, Change>()
  const comparison: Comparison = {
    before: before.schemas,
    after: after.schemas,
    seen: new Set(),
    report: (verdict, at, what) => void changes.set(`${verdict} ${at} ${what}`, { verdict, at, what })
  }
  pairs(before.operations, after.operations, {
    gone: (name) => comparison.report("BREAKING", name, "is no longer there"),
    come: (name) => comparison.report("added", name, "is new"),
    kept: (name, was, is) => compareOperations(was, is, name, comparison)
  })
  // Types that are made of the document are called after the schemas.
  for (const name of Object.keys(before.schemas))
    if (after.schemas[name] === undefined) comparison.report("changed", name, "is no name of a schema any more")
  const places = [...changes.values()].map(({ at }) => at)
  reportOtherwise(before.operations, after.operations, places, comparison)
  reportOtherwise(before.schemas, after.schemas, places, comparison)
  return [...changes.values()].toSorted(
    (a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict) || (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)
  )
}

export const lineOf = ({ verdict, at, what }: Change): string => `${verdict.padEnd(8)} ${at}: ${what}`
