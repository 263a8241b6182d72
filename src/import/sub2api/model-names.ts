/** The name by which a price is found: sub2api compares them in small letters, and of Claude's takes a dot for a dash. */
export function priceKey(name: string): string {
  const small = name.trim().toLowerCase()
  return small.startsWith('claude-') ? small.replaceAll('.', '-') : small
}

export function isPattern(name: string): boolean {
  return name.includes('*')
}

/** Whether a name is the one that is written, or begins as a pattern with `*` at its end says. */
export function fits(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name
}

/** A map of names to names, of which some stand for all that begin so. */
export type NameMap = readonly (readonly [from: string, to: string])[]

/** What an account makes of a name: its own entry, else that of the longest pattern. undefined: it does not serve it. */
export function mappedBy(map: NameMap, name: string): string | undefined {
  const exact = map.find(([from]) => from === name)
  if (exact !== undefined) return exact[1]
  const patterns = map.filter(([from]) => isPattern(from) && fits(from, name))
  const [longest] = patterns.toSorted(([a], [b]) => b.length - a.length || (a < b ? -1 : 1))
  return longest?.[1]
}

/** What a channel makes of a name, in whatever letters it is written: its own entry, else that of the first pattern. */
export function renamedBy(map: NameMap, name: string): string {
  const small = name.toLowerCase()
  const entry =
    map.find(([from]) => !isPattern(from) && from.toLowerCase() === small) ??
    map.find(([from]) => isPattern(from) && fits(from.toLowerCase(), small))
  return entry?.[1] ?? name
}

/** The names of a JSON object's entries that are texts. */
export function nameMap(entries: readonly (readonly [string, unknown])[]): NameMap {
  return entries.flatMap(([from, to]) => (typeof to === 'string' && to !== '' ? [[from, to] as const] : []))
}
