/** Where a setting comes from: a flag, else the environment, else `commerce.config.json` in the working directory. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Result } from "effect"
import { Refused, WrongUsage } from "./Refused.ts"
import type { Check } from "./settingChecks.ts"

export type Texts = Readonly<Record<string, string | undefined>>

export interface SettingSources {
  /** Flags by the name people type: `--port`. */
  readonly flags: Texts
  /** By variable. */
  readonly environment: Texts
  readonly file: Texts
}

const configName = "commerce.config.json"

/** `COMMERCE_TRUSTED_PROXIES` may be written `trustedProxies` in the file. */
const camelName = (variable: string): string =>
  variable
    .replace(/^COMMERCE_/, "")
    .toLowerCase()
    .replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

const textOf = (value: unknown): string | undefined => {
  if (typeof value === "boolean") return value ? "1" : "0"
  if (typeof value === "string" || typeof value === "number") return String(value)
  return Array.isArray(value) && value.every((item) => typeof item === "string") ? value.join(",") : undefined
}

/**
 * The file's settings by variable. Fails for anything but a JSON object of known settings that are texts, numbers,
 * booleans or lists of texts.
 */
export const readConfigFile = (folder: string, variables: ReadonlyArray<string>): Texts => {
  const path = join(folder, configName)
  if (!existsSync(path)) return {}
  const names = new Map(
    variables.flatMap((variable) => [[variable, variable] as const, [camelName(variable), variable] as const])
  )
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(parsed(path))) {
    const variable = names.get(name)
    if (variable === undefined) throw new Refused(`${configName}: ${name} is not a setting`)
    if (value === null) continue
    const text = textOf(value)
    if (text === undefined)
      throw new Refused(`${configName}: ${name} must be a text, a number, true or false, or a list of texts`)
    texts[variable] = text
  }
  return texts
}

const parsed = (path: string): object => {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"))
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value
  } catch {
    throw new Refused(`${configName}: must be readable and valid JSON`)
  }
  throw new Refused(`${configName}: must be a JSON object of settings`)
}

/**
 * The checked value of a setting, or undefined if it is not set; an empty text counts as not set. A wrong flag is
 * WrongUsage, a wrong setting Refused; the line names where it was set.
 */
export const settingOf = <A>(
  sources: SettingSources,
  variable: string,
  check: Check<A>,
  flag?: string
): A | undefined => {
  const given = flag === undefined ? undefined : sources.flags[flag]
  if (given !== undefined) return Result.getOrThrowWith(check(given), (must) => new WrongUsage(`${flag}: ${must}`))
  const [text, place] = sources.environment[variable]
    ? [sources.environment[variable], variable]
    : [sources.file[variable], `${configName}: ${variable}`]
  if (text === undefined || text === "") return undefined
  return Result.getOrThrowWith(check(text), (must) => new Refused(`${place}: ${must}`))
}
