/** Why a command failed, in one line for the person at the terminal: exit code 1. */
export class Refused extends Error {
  override readonly name = "Refused"
}

/** Wrong usage of a command: exit code 2. */
export class WrongUsage extends Error {
  override readonly name = "WrongUsage"
}
