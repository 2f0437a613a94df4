/**
 * A response that stops waiting when the signal aborts. Like `fetch` it rejects with the signal's reason at once; the
 * work behind it ends by itself.
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
