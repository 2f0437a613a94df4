/** A command that cannot be carried out, in one line for the person who gave it: exit code 1. */
export class Refused extends Error {
  override readonly name = "Refused"
}

/** Wrong usage of a command: exit code 2. */
export class WrongUsage extends Error {
  override readonly name = "WrongUsage"
}
