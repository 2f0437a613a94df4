/** Files that import each other, by way of others too. Imports of types count. */
import { importsOf, isCode, resolved, type Source } from "./sources.ts"

/** Each circle as its files, in the order of the imports. */
export const circlesIn = (sources: ReadonlyArray<Source>): ReadonlyArray<ReadonlyArray<string>> => {
  const byPath = new Map(sources.filter(isCode).map((source) => [source.path, source]))
  const targets = (source: Source) =>
    importsOf(source).flatMap(({ from }) => byPath.get(resolved(source, from) ?? "") ?? [])
  const finished = new Set<string>()
  const circles: Array<ReadonlyArray<string>> = []
  const visit = (source: Source, way: ReadonlyArray<string>): void => {
    const at = way.indexOf(source.path)
    if (at >= 0) return void circles.push(way.slice(at))
    if (finished.has(source.path)) return
    for (const target of targets(source)) visit(target, [...way, source.path])
    finished.add(source.path)
  }
  for (const source of byPath.values()) visit(source, [])
  return circles
}
