/**
 * What endpoints declare of their failures, for the document and the typed client. The wire has one writer,
 * Envelope.ts; this file loads no server code, so that a client is built from the declarations alone.
 */
import { Schema, SchemaTransformation } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { codes } from "./Codes.ts"
import { rowOf } from "./ErrorTable.ts"

const envelope = (status: number, code: Schema.Top & { readonly Type: string; readonly Encoded: string }) =>
  Schema.Struct({
    statusCode: Schema.Literal(status),
    code,
    message: Schema.String,
    details: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
    timestamp: Schema.String,
    path: Schema.String
  })

interface ErrorClass {
  readonly identifier: string
  readonly prototype: unknown
}
type InstanceOf<C> = C extends { readonly prototype: infer I } ? I : never
type Declared<Errors extends ReadonlyArray<ErrorClass>> = {
  readonly [K in keyof Errors]: Schema.Codec<InstanceOf<Errors[K]>, unknown>
}

/** The schemas of an endpoint's own errors: the core class inside, the envelope with its literal code on the wire. */
export const fails = <const Errors extends ReadonlyArray<ErrorClass>>(...errors: Errors): Declared<Errors> =>
  errors.map((error) => {
    const row = rowOf(error.identifier)
    if (row === undefined) throw new Error(`${error.identifier} has no row in the error table`)
    const status = codes[row.code]
    const wire = envelope(status, Schema.Literal(row.code))
    return wire.pipe(
      Schema.decodeTo(
        Schema.Unknown,
        SchemaTransformation.transform<unknown, typeof wire.Type>({
          decode: (body) => ({ _tag: error.identifier, ...body.details }),
          encode: () => ({ statusCode: status, code: row.code, message: "", timestamp: "", path: "" })
        })
      ),
      HttpApiSchema.status(status)
    )
  }) as unknown as Declared<Errors>

/** What the pipeline may answer on any route, one schema per status. */
export const refusalSchemas = [...new Set(Object.values(codes))].map((status) =>
  envelope(status, Schema.String).pipe(HttpApiSchema.status(status))
)
