/**
 * Checks the version of Node. It imports nothing, so that it can run before modules that an older Node cannot load.
 */

export const oldestNode = "22.19"

/** Why a version of Node such as `20.20.2` is not supported, in one line; undefined if it is. */
export const nodeProblem = (version: string): string | undefined => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode.split(".").map(Number)
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined
  return `needs Node ${oldestNode} or newer, and this is ${version}`
}
