/** One operation of the API document. */
import type { Json, Parameter } from "./DocumentedParameters.ts"

export interface Operation {
  readonly tags: ReadonlyArray<string>
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly headers?: Json; readonly content?: Content }>
  >
}
export interface Body {
  readonly schema: Json
  /** What the route declares. */
  readonly example?: unknown
  /** The sample has a name, because type generators write a lone `example` above each body. */
  readonly examples?: { readonly sample: { readonly value: unknown } }
}
export type Content = Readonly<Record<string, Body>>
