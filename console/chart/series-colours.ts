/**
 * Seven colours for series, of one hue in both themes, and a pale grey for the rest. Each stands off the paper by 3:1, and
 * any two stay apart for readers with red, green or blue blindness (at least 0.09 in OKLab).
 */
const SERIES = [
  'light-dark(oklch(0.651 0.106 205), oklch(0.909 0.094 205))',
  'light-dark(oklch(0.673 0.175 48), oklch(0.848 0.091 48))',
  'light-dark(oklch(0.673 0.182 293), oklch(0.768 0.094 293))',
  'light-dark(oklch(0.448 0.141 139), oklch(0.705 0.2 139))',
  'light-dark(oklch(0.55 0.2 6), oklch(0.601 0.195 6))',
  'light-dark(oklch(0.515 0.2 269), oklch(0.624 0.2 269))',
  'light-dark(oklch(0.441 0.168 317), oklch(0.542 0.167 317))',
] as const

const REST = 'light-dark(oklch(0.8 0.01 220), oklch(0.42 0.012 220))'

/** How many colours there are. */
export const SLOTS = SERIES.length

/** Names whose colour is remembered. */
export const MOST_KNOWN = 500

/**
 * A colour for each name of a chart: the one that it got when it was first seen, or else one that fewest others have, from
 * its own hash on. `known`: what was given earlier, which learns the new ones: a name keeps its colour whatever stands
 * beside it. At most as many names as there are colours.
 */
export function slotsOf(names: readonly string[], known: Map<string, number>): readonly number[] {
  const slots = new Map<string, number>()
  for (const name of names) {
    const preferred = known.get(name)
    if (preferred !== undefined) slots.set(name, freeSlot(preferred, slots, new Map()))
  }
  for (const name of names) {
    if (slots.has(name)) continue
    const slot = freeSlot(hashOf(name), slots, known)
    slots.set(name, slot)
    if (known.size < MOST_KNOWN) known.set(name, slot)
  }
  return names.map((name) => slots.get(name) ?? 0)
}

/** Chooses, among the colours that this chart has not used yet, the one that fewest known names have; between equal ones the next from `preferred` on. */
function freeSlot(preferred: number, given: ReadonlyMap<string, number>, known: ReadonlyMap<string, number>): number {
  const taken = new Set(given.values())
  const holders = Array.from({ length: SLOTS }, () => 0)
  for (const slot of known.values()) holders[slot % SLOTS] = (holders[slot % SLOTS] ?? 0) + 1
  const order = Array.from({ length: SLOTS }, (_, index) => (preferred + index) % SLOTS)
  const free = order.filter((slot) => !taken.has(slot))
  return free.sort((a, b) => (holders[a] ?? 0) - (holders[b] ?? 0))[0] ?? preferred % SLOTS
}

/** FNV-1a over the name's code units. */
export function hashOf(name: string): number {
  let hash = 0x81_1c_9d_c5
  for (let index = 0; index < name.length; index += 1) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01_00_01_93)
  return hash >>> 0
}

/** What the slots of `slotsOf` look like, as CSS; null: the rest. */
export function seriesColour(slot: number | null): string {
  return slot === null ? REST : (SERIES[slot % SERIES.length] ?? REST)
}
