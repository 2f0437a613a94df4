/**
 * An answer for whoever still waits for it. As `fetch` does, it is refused with the signal's reason at once; the work
 * behind it is ended by itself.
 */
export const untilAborted = <A>(signal: AbortSignal, answer: () => Promise<A>): Promise<A> => {
  if (signal.aborted) return Promise.reject(signal.reason)
  return new Promise<A>((resolve, reject) => {
    const leave = () => reject(signal.reason)
    signal.addEventListener("abort", leave, { once: true })
    answer()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", leave))
  })
}
