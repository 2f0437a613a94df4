/** The base address of an OpenTelemetry collector that takes OTLP over HTTP. */

/** What is wrong with an endpoint, to follow its name; undefined if nothing is. */
export const endpointProblem = (text: string): string | undefined => {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    return "must be a URL that begins with http:// or https://"
  const { username, password, search, hash } = new URL(text)
  if (username !== "" || password !== "") return "must have no user and no password"
  return search === "" && hash === "" ? undefined : "must have no query and no fragment"
}

export type Signal = "traces" | "metrics" | "logs"

/** As the specification of OTLP says: below the base, whatever path it has. */
export const signalUrl = (endpoint: string, signal: Signal): string => `${endpoint.replace(/\/+$/, "")}/v1/${signal}`
