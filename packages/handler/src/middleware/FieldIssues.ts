/**
 * What a schema found wrong with a request, field by field. Only the first errors are reported: a body of a megabyte
 * may have half a million, and a response that named each of them would be thirty times as large as the request.
 */
import { issueWords } from "@effect-commerce/core/body/IssueWords"
import type { SchemaIssue } from "effect"
import { mostFields } from "./pipelineErrors.ts"

/** A sentence for each field (`items.0.quantity`); errors of the whole body are under `whole`. */
export const issuesByField = (issue: SchemaIssue.Issue, whole: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...issueWords(issue, mostFields)].map(([field, words]) => [field === "" ? whole : field, words]))
