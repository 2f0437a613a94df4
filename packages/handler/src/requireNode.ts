/**
 * Imported before anything else: if Node is too old, the import fails with one sentence that says so, and not somewhere
 * inside a dependency.
 */
import { nodeProblem } from "@effect-commerce/core/kernel/NodeVersion"

const problem = nodeProblem(process.versions.node)
if (problem !== undefined) {
  const error = new Error(`effect-commerce ${problem}`)
  error.stack = error.message
  throw error
}
