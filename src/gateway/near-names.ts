/** Names longer than this are cut before they are compared, so that comparing stays cheap. */
const COMPARED_CHARACTERS = 64
const COMPARED_NAMES = 500
const SUGGESTIONS = 3

/** The names most like `wanted`, best first, at most three; empty when none is like it. */
export function nearNames(wanted: string, names: readonly string[]): readonly string[] {
  const target = plain(wanted)
  return names
    .slice(0, COMPARED_NAMES)
    .map((name) => ({ name, distance: distanceOf(target, plain(name)) }))
    .filter(({ name, distance }) => distance <= Math.max(2, Math.floor(name.length / 3)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, SUGGESTIONS)
    .map(({ name }) => name)
}

/** Case, provider prefix and punctuation are what people get wrong most. */
function plain(name: string): string {
  const withoutProvider = name.slice(name.lastIndexOf('/') + 1)
  return withoutProvider
    .toLowerCase()
    .replace(/[._\s]/g, '-')
    .slice(0, COMPARED_CHARACTERS)
}

/** Levenshtein's edit distance. */
function distanceOf(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      current.push(Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, substitution))
    }
    previous = current
  }
  return previous[b.length] ?? Infinity
}
