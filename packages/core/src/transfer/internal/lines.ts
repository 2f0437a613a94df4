/** Cuts bytes into lines of a bounded length, however they arrive. */
import { ImportRefused } from "../TransferErrors.ts"

const newline = 0x0a

export class Lines {
  readonly #longest: number
  /** What has come of the line that is not complete. */
  #begun: Array<Uint8Array> = []
  #length = 0
  #count = 0

  constructor(longest: number) {
    this.#longest = longest
  }

  /** The number of the last line, from 1. */
  get count(): number {
    return this.#count
  }

  /** The lines that are complete now, without their ends, one after the other. Throws ImportRefused. */
  *take(chunk: Uint8Array): Generator<Buffer> {
    let from = 0
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      this.#add(chunk.subarray(from, at))
      const line = Buffer.concat(this.#begun)
      this.#begun = []
      this.#length = 0
      this.#count += 1
      from = at + 1
      yield line
    }
    this.#add(chunk.subarray(from))
  }

  /** Whether the last line has no end. */
  get isOpen(): boolean {
    return this.#length > 0
  }

  #add(piece: Uint8Array): void {
    this.#length += piece.length
    if (this.#length > this.#longest)
      throw new ImportRefused({
        reason: `line ${this.#count + 1} is longer than ${this.#longest} bytes, which no line of an export is`
      })
    // A stream may use the memory of a chunk again.
    if (piece.length > 0) this.#begun.push(piece.slice())
  }
}
