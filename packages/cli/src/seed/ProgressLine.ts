type Stream = Pick<NodeJS.WriteStream, "isTTY" | "write">

/** Shows nothing: for work in the background. */
export const unseen: Stream = { isTTY: false, write: () => true }

/** A bar that fills on a terminal, and nothing elsewhere. */
export class ProgressLine {
  readonly #all: number
  readonly #what: string
  readonly #stream: Stream
  #done = 0
  #shown = -1

  /** `what` there are `all` of, such as `products`. */
  constructor(all: number, what: string, stream: Stream = process.stderr) {
    this.#all = all
    this.#what = what
    this.#stream = stream
  }

  /** Starts again at zero: a retried transaction starts from the beginning. */
  restart(): void {
    this.#done = 0
  }

  step(): void {
    this.to(this.#done + 1)
  }

  to(done: number): void {
    this.#done = done
    if (!this.#stream.isTTY) return
    const width = 30
    const filled = Math.min(width, Math.round((this.#done / Math.max(1, this.#all)) * width))
    if (filled === this.#shown && this.#done !== this.#all) return
    this.#shown = filled
    this.#stream.write(
      `\r${"█".repeat(filled)}${"·".repeat(width - filled)} ` +
        `${this.#done}/${this.#all} ${this.#what}${this.#done === this.#all ? "\n" : ""}`
    )
  }
}
