/** The bytes a command is given: of a file, or of standard input, which may come piece by piece. */
import { readFile } from "node:fs/promises"
import { buffer } from "node:stream/consumers"

/** Without `file`, standard input up to its end. Rejects with the system's error. */
export const readInput = (file: string | undefined): Promise<Uint8Array> =>
  file === undefined ? buffer(process.stdin) : readFile(file)
