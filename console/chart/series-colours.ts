/**
 * Seven colours for series and a grey for the rest. Each stands off the paper by 3:1 in both themes, and any two stay
 * apart for readers with red, green or blue blindness (at least 0.09 in OKLab, neighbours 0.11).
 */
const SERIES = [
  'light-dark(oklch(0.52 0.088 215), oklch(0.72 0.1 210))',
  'light-dark(oklch(0.679 0.162 54), oklch(0.937 0.108 128))',
  'light-dark(oklch(0.455 0.165 279), oklch(0.619 0.17 312))',
  'light-dark(oklch(0.662 0.165 268), oklch(0.589 0.145 56))',
  'light-dark(oklch(0.348 0.124 37), oklch(0.864 0.1 204))',
  'light-dark(oklch(0.496 0.076 119), oklch(0.83 0.17 122))',
  'light-dark(oklch(0.397 0.095 327), oklch(0.711 0.148 20))',
] as const

const REST = 'light-dark(oklch(0.664 0.012 220), oklch(0.505 0.012 220))'

/**
 * A colour for each name of a chart: the one that the name has by itself, or the next that is free. `known`: what was
 * given earlier; a name keeps its colour whatever stands beside it, and the map learns the new ones. At most as many
 * names as there are colours.
 */
export function slotsOf(names: readonly string[], known: Map<string, number>): readonly number[] {
  const taken = new Set<number>()
  const slots = new Map<string, number>()
  const give = (name: string, wish: number): void => {
    let slot = wish % SERIES.length
    for (let tries = 0; taken.has(slot) && tries < SERIES.length; tries += 1) slot = (slot + 1) % SERIES.length
    taken.add(slot)
    slots.set(name, slot)
  }
  const fresh = names.filter((name) => !known.has(name))
  for (const name of names) if (known.has(name)) give(name, known.get(name) ?? 0)
  for (const name of fresh) give(name, hashOf(name))
  for (const name of fresh) if (known.size < MOST_KNOWN) known.set(name, slots.get(name) ?? 0)
  return names.map((name) => slots.get(name) ?? 0)
}

/** Names whose colour is remembered while the page is open. */
const MOST_KNOWN = 1_000

/** FNV-1a over the name's code units. */
function hashOf(name: string): number {
  let hash = 0x81_1c_9d_c5
  for (let index = 0; index < name.length; index += 1) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01_00_01_93)
  return hash >>> 0
}

/** What the slots of `slotsOf` look like, as CSS; null: the rest. */
export function seriesColour(slot: number | null): string {
  return slot === null ? REST : (SERIES[slot % SERIES.length] ?? REST)
}
