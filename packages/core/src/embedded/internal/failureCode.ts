/** `ENOENT` and the like, of what a system call threw; the whole of it where it has no code. */
export const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : String(cause)
