import type { Finding, SourceFile } from './source-files.ts'

/**
 * Type names that stand in several files of `src`. A name means one thing: who reads `Place` should not have to look which of
 * fourteen it is. The list only shrinks.
 */
export const SEVERAL_LEFT: readonly string[] = []

/** Every further declaration of a type name that another file of the room or of another room has already. */
export function checkTypeNames(sources: readonly SourceFile[], left: readonly string[]): Finding[] {
  const declared = sources.flatMap(({ path, text }) =>
    Array.from(text.matchAll(/^(?:export )?(?:interface|type) (\w+)/gm), ({ 1: name = '', index }) => ({
      name,
      file: path,
      line: text.slice(0, index).split('\n').length,
    })),
  )
  const byName = Map.groupBy(declared, ({ name }) => name)
  const several = Array.from(byName.values()).filter((of) => new Set(of.map(({ file }) => file)).size > 1)
  const names = new Set(several.map(([first]) => first?.name))
  return [
    ...several.flatMap(([first, ...others]) => {
      if (first === undefined || left.includes(first.name)) return []
      return others.map(({ name, file, line }) => ({ file, line, what: `${name} is a type of ${first.file} too` }))
    }),
    ...left.flatMap((name) => {
      return names.has(name)
        ? []
        : [{ file: 'test/architecture/type-names.ts', line: 1, what: `${name} means one thing` }]
    }),
  ]
}
