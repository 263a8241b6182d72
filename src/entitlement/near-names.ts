/** Names longer than this are cut before they are compared, so that comparing stays cheap. */
const COMPARED_CHARACTERS = 64
const COMPARED_NAMES = 300
const SUGGESTIONS = 3

/** The names most like `wanted`, best first, at most three; empty when none is like it. */
export function nearNames(wanted: string, names: readonly string[]): readonly string[] {
  const target = plain(wanted)
  return names
    .slice(0, COMPARED_NAMES)
    .flatMap((name) => {
      const candidate = plain(name)
      const allowed = Math.max(2, Math.floor(name.length / 3))
      if (Math.abs(candidate.length - target.length) > allowed) return []
      const distance = distanceOf(target, candidate)
      return distance <= allowed ? [{ name, distance }] : []
    })
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

let previous = new Uint16Array(COMPARED_CHARACTERS + 1)
let current = new Uint16Array(COMPARED_CHARACTERS + 1)

/** Levenshtein's edit distance. */
function distanceOf(a: string, b: string): number {
  for (let j = 0; j <= b.length; j++) previous[j] = j
  for (let i = 1; i <= a.length; i++) {
    current[0] = i
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1)
      current[j] = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, substitution)
    }
    ;[previous, current] = [current, previous]
  }
  return previous[b.length] ?? 0
}
