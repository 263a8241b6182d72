/**
 * The name most likely meant by `wrong`, or null when none is near. Near: at most one slip in
 * three characters, a slip being a letter added, left out, changed, or swapped with its neighbour.
 */
export function nearestName(wrong: string, names: Iterable<string>): string | null {
  const lower = wrong.toLowerCase().slice(0, LONGEST)
  let best: string | null = null
  let bestSlips = Math.max(1, Math.floor(lower.length / 3)) + 1
  for (const name of names) {
    const slips = slipsBetween(lower, name.toLowerCase().slice(0, LONGEST))
    if (slips >= bestSlips) continue
    best = name
    bestSlips = slips
  }
  return best
}

/** Writes `; did you mean "x"?` behind what was refused, or nothing. */
export function suggestion(wrong: string, names: Iterable<string>): string {
  const nearest = nearestName(wrong, names)
  return nearest === null ? '' : `; did you mean "${nearest}"?`
}

/** How many names are compared at most to find the nearest: it is for one message. */
const COMPARED_NAMES = 300
const SUGGESTIONS = 3

/** The names of models most like `wanted`, best first, at most three; empty when none is like it. */
export function nearNames(wanted: string, names: readonly string[]): readonly string[] {
  const target = bareModel(wanted)
  return names
    .slice(0, COMPARED_NAMES)
    .flatMap((name) => {
      const candidate = bareModel(name)
      const allowed = Math.max(2, Math.floor(name.length / 3))
      if (Math.abs(candidate.length - target.length) > allowed) return []
      const slips = slipsBetween(target, candidate)
      return slips <= allowed ? [{ name, slips }] : []
    })
    .sort((a, b) => a.slips - b.slips)
    .slice(0, SUGGESTIONS)
    .map(({ name }) => name)
}

/** Case, provider prefix and punctuation are what people get wrong most. */
function bareModel(name: string): string {
  const withoutProvider = name.slice(name.lastIndexOf('/') + 1)
  return withoutProvider
    .toLowerCase()
    .replace(/[._\s]/g, '-')
    .slice(0, LONGEST)
}

// Beyond this, names are compared by their beginning: the work is the product of both lengths.
const LONGEST = 80

/** Optimal string alignment distance. */
function slipsBetween(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let k = 1; k <= b.length; k++) {
      const isSame = a[i - 1] === b[k - 1]
      const isSwapped = i > 1 && k > 1 && a[i - 1] === b[k - 2] && a[i - 2] === b[k - 1]
      row[k] = Math.min(
        (last[k] ?? 0) + 1,
        (row[k - 1] ?? 0) + 1,
        (last[k - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[k - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
