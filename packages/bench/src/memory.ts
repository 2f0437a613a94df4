import type { ChildProcess } from "node:child_process"
import { residentMemory } from "./processes.ts"

/** Looks at a process's memory from now on; the function that it returns ends that, with the most that was seen, in MB. */
export const watchMemory = (child: ChildProcess): (() => number) => {
  let most = 0
  const look = () => {
    most = Math.max(most, residentMemory(child) ?? Number.NaN)
  }
  look()
  const timer = setInterval(look, 200)
  return () => {
    clearInterval(timer)
    look()
    return most
  }
}
