/** The address at which this machine reaches a server with these settings. */
import type { Settings } from "./Settings.ts"

/** The host as a URL has it; a host that means every address becomes one that this machine can reach. */
export const inUrl = (host: string): string => (host.includes(":") ? `[${host}]` : host)
const reachedAt = (host: string): string => (host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : inUrl(host))

export const originOf = ({ host }: Pick<Settings, "host">, port: number): string => `http://${reachedAt(host)}:${port}`
