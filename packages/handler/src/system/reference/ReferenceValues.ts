/**
 * What the samples of the reference page are filled with: ids of a store that this server has, and a key for trying
 * requests. A host decides; `commerce serve --demo` names those of its demo store.
 */
export interface ReferenceValues {
  /** Id of the recorded samples (system/Samples.ts) -> the id to show in its place. */
  readonly ids: Readonly<Record<string, string>>
  /** An admin key that everybody who reads the page may use. Shown on a loopback address alone. */
  readonly apiKey?: string | undefined
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i

/**
 * The values as one request may see them. `host` is its Host header: a page of another site that has its name resolve
 * to this machine (DNS rebinding) sends its own name, and gets no key.
 */
export const valuesFor = (values: ReferenceValues | undefined, host: string | undefined): ReferenceValues => {
  const { ids, apiKey } = values ?? { ids: {} }
  return apiKey !== undefined && loopback.test(host ?? "") ? { ids, apiKey } : { ids }
}
