/** The code of a system call's error, such as `ENOENT`; the error as text if it has no code. */
export const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : String(cause)
