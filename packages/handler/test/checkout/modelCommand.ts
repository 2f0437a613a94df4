/** A command is done to the model and to the shop; then everything that the shop shows is compared. */
import fc from "fast-check"
import { expectSame, type RealShop } from "./modelShop.ts"
import type { State } from "./modelState.ts"

export type Command = fc.AsyncCommand<State, RealShop>

export const command = (
  name: string,
  check: (state: State) => boolean,
  act: (state: State, real: RealShop) => Promise<void>
): Command => ({
  toString: () => name,
  check: (state) => check(state),
  run: async (state, real) => {
    await act(state, real)
    await expectSame(real, state)
  }
})

/** Which of several is meant: 0 is the newest. */
export const back = fc.constantFrom(0, 0, 0, 1, 1, 2, 3)
export const pick = <A>(list: ReadonlyArray<A>, n: number): A => {
  const found = list.at(-1 - (n % list.length))
  if (found === undefined) throw new Error("There is none")
  return found
}

export const often = <A>(times: number, arbitrary: A): ReadonlyArray<A> =>
  Array.from({ length: times }, () => arbitrary)
