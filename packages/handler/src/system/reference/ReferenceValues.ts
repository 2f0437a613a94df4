/**
 * What the samples of the reference page are filled with: ids of a store that this server has, and a key for trying
 * requests. A host decides; `commerce serve --demo` names those of its demo store.
 */
import { Context } from "effect"

export interface ReferenceValues {
  /** Id of the recorded samples (`recordedIds`) -> the id to show in its place. */
  readonly ids: Readonly<Record<string, string>>
  /** An admin key that everybody who reads the page on this machine may use; others are not shown it. */
  readonly apiKey?: string | undefined
}

/** The host's values at this moment. */
export const HostReferenceValues = Context.Reference<() => ReferenceValues | undefined>(
  "@effect-commerce/handler/system/reference/HostReferenceValues",
  { defaultValue: () => () => undefined }
)

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i

/**
 * The values as one request may see them. The key is for requests of this machine (`isLocal`) that name it: a page of
 * another site that has its name resolve to this machine (DNS rebinding) sends its own name as Host.
 */
export const valuesFor = (
  values: ReferenceValues | undefined,
  { isLocal, host }: { readonly isLocal: boolean; readonly host: string | undefined }
): ReferenceValues => {
  const { ids, apiKey } = values ?? { ids: {} }
  return apiKey !== undefined && isLocal && loopback.test(host ?? "") ? { ids, apiKey } : { ids }
}
