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
export type Content = Readonly<Record<string, { readonly schema: Json; readonly example?: unknown }>>
