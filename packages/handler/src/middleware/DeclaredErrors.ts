/**
 * What endpoints declare of their failures, for the document and the typed client. The wire has one writer,
 * Envelope.ts; this file loads no server code, so that a client is built from the declarations alone.
 */
import { Schema, SchemaAST, SchemaTransformation } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { type Code, codes } from "./Codes.ts"
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

const declaredCode = "commerceRefusalCode"

/** The code that a schema made by `fails` answers with. */
export const codeOfDeclared = (schema: Schema.Top): Code | undefined =>
  SchemaAST.resolve(schema.ast)?.[declaredCode] as Code | undefined

/** The schemas of an endpoint's own errors: the core class inside, the envelope with its literal code on the wire. */
export const fails = <const Errors extends ReadonlyArray<ErrorClass>>(...errors: Errors): Declared<Errors> =>
  errors.map((error) => {
    const row = rowOf(error.identifier)
    if (row === undefined) throw new Error(`${error.identifier} has no row in the error table`)
    const status = codes[row.code]
    const wire = envelope(status, Schema.Literal(row.code))
    return wire
      .pipe(
        Schema.decodeTo(
          Schema.Unknown,
          SchemaTransformation.transform<unknown, typeof wire.Type>({
            decode: (body) => ({ _tag: error.identifier, ...body.details }),
            encode: () => ({ statusCode: status, code: row.code, message: "", timestamp: "", path: "" })
          })
        ),
        HttpApiSchema.status(status)
      )
      .annotate({ [declaredCode]: row.code })
  }) as unknown as Declared<Errors>

/** What the pipeline may answer on any route, one schema per status with the codes that have it. */
export const refusalSchemas = [...new Set(Object.values(codes))].map((status) => {
  const ofStatus = (Object.keys(codes) as ReadonlyArray<Code>).filter((code) => codes[code] === status)
  return envelope(status, Schema.Literals(ofStatus)).pipe(HttpApiSchema.status(status))
})
