/**
 * How endpoints declare their errors, for the document and the typed client. Only Envelope.ts writes errors into
 * responses; this file loads no server code, so that a client is built from the declarations alone.
 */
import { Schema, SchemaAST, SchemaTransformation } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { type Code, codes } from "./Codes.ts"
import type { ErrorRow } from "./ErrorRow.ts"
import { pipelineErrors } from "./pipelineErrors.ts"

const envelope = (status: number, code: Schema.Top & { readonly Type: string; readonly Encoded: string }) =>
  Schema.Struct({
    statusCode: Schema.Literal(status),
    code,
    message: Schema.String,
    details: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
    timestamp: Schema.String,
    path: Schema.String
  })

/** A class of tagged errors. */
export interface ErrorClass<Tag extends string> {
  readonly identifier: string
  readonly prototype: { readonly _tag: Tag }
}
type Declared<Errors extends ReadonlyArray<ErrorClass<string>>> = {
  readonly [K in keyof Errors]: Schema.Codec<Errors[K]["prototype"], unknown>
}
type Tags<Rows> = Rows extends unknown ? Extract<keyof Rows, string> : never

const declaredCode = "commerceErrorCode"

/** The error code of a schema that `fails` made. */
export const codeOfDeclared = (schema: Schema.Top): Code | undefined =>
  SchemaAST.resolve(schema.ast)?.[declaredCode] as Code | undefined

/** The core class inside, the envelope with its literal code on the wire. */
const declared = (tag: string, { code }: { readonly code: Code }) => {
  const status = codes[code]
  const wire = envelope(status, Schema.Literal(code))
  return wire
    .pipe(
      Schema.decodeTo(
        Schema.Unknown,
        SchemaTransformation.transform<unknown, typeof wire.Type>({
          decode: (body) => ({ _tag: tag, ...body.details }),
          encode: () => ({ statusCode: status, code, message: "", timestamp: "", path: "" })
        })
      ),
      HttpApiSchema.status(status)
    )
    .annotate({ [declaredCode]: code })
}

/**
 * Makes the function that declares the errors of endpoints: `fails(TaxRateNotFound)`. `tables` are the rooms' rows of
 * errors that they may fail with; an error without a row in one of them does not compile. The errors of the pipeline
 * are always included.
 */
export const failsBy = <const Tables extends ReadonlyArray<object>>(...tables: Tables) => {
  const rows: Readonly<Record<string, ErrorRow<never>>> = Object.assign({}, pipelineErrors, ...tables)
  type Tag = Tags<Tables[number] | typeof pipelineErrors>
  return <const Errors extends ReadonlyArray<ErrorClass<Tag>>>(...errors: Errors): Declared<Errors> =>
    errors.map(({ identifier }) => {
      const row = rows[identifier]
      if (row === undefined) throw new Error(`${identifier} has no row among the errors of its room`)
      return declared(identifier, row)
    }) as unknown as Declared<Errors>
}

/** The errors that the pipeline may return on any route: one schema per status, with its codes. */
export const refusalSchemas = [...new Set(Object.values(codes))].map((status) => {
  const ofStatus = (Object.keys(codes) as ReadonlyArray<Code>).filter((code) => codes[code] === status)
  return envelope(status, Schema.Literals(ofStatus)).pipe(HttpApiSchema.status(status))
})
