/** The signals by which people and supervisors stop a command that runs until it is stopped. */

const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const

/** Ctrl-C under npm arrives twice, from the terminal and from npm: within this many milliseconds it counts once. */
const sameSignal = 1_000

/** Milliseconds after which the process ends in any case. */
const lastMoment = 9_500

/** Resolves at the first signal, which ends the command in order; a second one ends it at once. */
export const stopAsked = (): Promise<void> =>
  new Promise((done) => {
    let asked: number | undefined
    const stop = () => {
      const now = performance.now()
      if (asked !== undefined) return now - asked < sameSignal ? undefined : process.exit(1)
      asked = now
      setTimeout(() => process.exit(0), lastMoment).unref()
      done()
    }
    for (const signal of signals) process.on(signal, stop)
  })
