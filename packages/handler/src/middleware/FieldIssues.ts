/**
 * What a schema found wrong with a request, field by field. Only the first mistakes are told: a body of a megabyte may
 * hold half a million, and an answer that named each of them would be thirty times as large as what was sent.
 */
import { formatIssue } from "@effect-commerce/core/kernel/IssueWords"
import type { SchemaIssue } from "effect"
import { mostFields } from "./pipelineErrors.ts"

const partsOf = (issue: SchemaIssue.Issue): ReadonlyArray<SchemaIssue.Issue> =>
  issue._tag === "Composite" || issue._tag === "AnyOf" ? issue.issues : []

/** Collects until `found` is full; the tree is walked no further than that. */
const collect = (issue: SchemaIssue.Issue, path: ReadonlyArray<PropertyKey>, found: Map<string, string>): void => {
  if (issue._tag === "Pointer") return collect(issue.issue, [...path, ...issue.path], found)
  const parts = partsOf(issue)
  for (const part of parts) {
    if (found.size >= mostFields) return
    collect(part, path, found)
  }
  if (parts.length > 0) return
  for (const { path: below = [], message } of formatIssue(issue).issues) {
    const field = [...path, ...below.map((part) => (typeof part === "object" ? part.key : part))].map(String).join(".")
    if (!found.has(field)) found.set(field, message)
  }
}

/** Field (`items.0.quantity`) to a sentence; what concerns the whole is under `whole`. */
export const issuesByField = (issue: SchemaIssue.Issue, whole: string): Readonly<Record<string, string>> => {
  const found = new Map<string, string>()
  collect(issue, [], found)
  return Object.fromEntries([...found].map(([field, message]) => [field === "" ? whole : field, message]))
}
