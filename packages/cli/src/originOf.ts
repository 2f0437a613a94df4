/** Where this machine reaches a server of these settings. */
import type { Settings } from "./Settings.ts"

/** The host as it stands in a URL, and as this machine reaches it where it stands for every address. */
export const inUrl = (host: string): string => (host.includes(":") ? `[${host}]` : host)
const reachedAt = (host: string): string => (host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : inUrl(host))

export const originOf = ({ host }: Pick<Settings, "host">, port: number): string => `http://${reachedAt(host)}:${port}`
