/**
 * What a schema found wrong with a request, field by field. Only the first mistakes are told: a body of a megabyte may
 * hold half a million, and an answer that named each of them would be thirty times as large as what was sent.
 */
import { issueWords } from "@effect-commerce/core/body/IssueWords"
import type { SchemaIssue } from "effect"
import { mostFields } from "./pipelineErrors.ts"

/** Field (`items.0.quantity`) to a sentence; what concerns the whole is under `whole`. */
export const issuesByField = (issue: SchemaIssue.Issue, whole: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...issueWords(issue, mostFields)].map(([field, words]) => [field === "" ? whole : field, words]))
