/** How long a pure function takes, in one process: microseconds of a call, the median of several rounds. */
import { median } from "../measure.ts"

export interface Evaluator<Question> {
  readonly name: string
  readonly evaluate: (question: Question) => unknown
  readonly questions: ReadonlyArray<Question>
}

const roundMilliseconds = 200
const rounds = 7

/** Asks each question in turn until the round is over. */
const oneRound = <Question>({ evaluate, questions }: Evaluator<Question>): number => {
  const began = performance.now()
  let asked = 0
  let elapsed = 0
  do {
    for (const question of questions) {
      evaluate(question)
      asked++
      if (asked % 16 === 0 && performance.now() - began > roundMilliseconds) break
    }
    elapsed = performance.now() - began
  } while (elapsed < roundMilliseconds)
  return (elapsed * 1_000) / asked
}

/** The first round of each warms it up; the evaluators take turns, so that a slow moment concerns all of them. */
export const microseconds = <Question>(
  evaluators: ReadonlyArray<Evaluator<Question>>
): Readonly<Record<string, number>> => {
  const taken = new Map<string, Array<number>>(evaluators.map(({ name }) => [name, []]))
  for (let round = 0; round <= rounds; round++)
    for (const evaluator of evaluators) {
      const time = oneRound(evaluator)
      if (round > 0) taken.get(evaluator.name)?.push(time)
    }
  return Object.fromEntries([...taken].map(([name, times]) => [name, median(times)]))
}
