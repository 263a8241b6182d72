/**
 * Seven hues for series, of nearly one lightness in each theme: petrol, brass, sea, slate, plum, moss, clay. Each stands
 * off the paper by 3:1, and any two stay apart for readers with red, green or blue blindness (at least 0.06 in OKLab).
 */
const HUES = [
  'light-dark(oklch(0.62 0.105 202), oklch(0.78 0.105 202))',
  'light-dark(oklch(0.618 0.11 78), oklch(0.778 0.11 78))',
  'light-dark(oklch(0.54 0.095 166), oklch(0.7 0.095 166))',
  'light-dark(oklch(0.595 0.105 263), oklch(0.755 0.105 263))',
  'light-dark(oklch(0.54 0.099 321), oklch(0.7 0.099 321))',
  'light-dark(oklch(0.62 0.073 141), oklch(0.78 0.073 141))',
  'light-dark(oklch(0.552 0.11 44), oklch(0.712 0.11 44))',
] as const

const GREY = 'light-dark(oklch(0.62 0.012 220), oklch(0.62 0.012 220))'

/** How many hues there are. */
export const HUE_COUNT = HUES.length

/** How a series is filled. */
export interface SeriesFill {
  /** A CSS colour. */
  readonly colour: string
  /** What of it is drawn: all, all but stripes, or lines alone. */
  readonly look: 'plain' | 'striped' | 'hatched'
}

/**
 * A slot for each name: its own hash says which, and of two with one hash the next is taken, in the order of the hashes. So
 * the same names have the same slots, in whichever order they come. Those that there is no hue for have one a second time,
 * striped; more than twice as many have none.
 */
export function slotsOf(names: readonly string[]): ReadonlyMap<string, number> {
  const slots = new Map<string, number>()
  for (const [lap, start] of [0, HUE_COUNT].entries()) {
    const taken = new Set<number>()
    for (const name of names.slice(start, start + HUE_COUNT).toSorted(byHash)) {
      let hue = hashOf(name) % HUE_COUNT
      while (taken.has(hue)) hue = (hue + 1) % HUE_COUNT
      taken.add(hue)
      slots.set(name, lap * HUE_COUNT + hue)
    }
  }
  return slots
}

function byHash(a: string, b: string): number {
  return hashOf(a) - hashOf(b) || (a < b ? -1 : 1)
}

/** FNV-1a over the name's code units. */
function hashOf(name: string): number {
  let hash = 0x81_1c_9d_c5
  for (let index = 0; index < name.length; index += 1) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01_00_01_93)
  return hash >>> 0
}

/** What the slots of `slotsOf` look like; null: the rest. */
export function seriesFill(slot: number | null): SeriesFill {
  if (slot === null) return { colour: GREY, look: 'hatched' }
  return { colour: HUES[slot % HUE_COUNT] ?? GREY, look: slot < HUE_COUNT ? 'plain' : 'striped' }
}

/** The fill as a CSS background, for a legend. */
export function fillBackground({ colour, look }: SeriesFill): string {
  if (look === 'plain') return colour
  const [drawn, left] = look === 'striped' ? ['0 3px', '3px 4.5px'] : ['0 1.5px', '1.5px 4px']
  const gap = look === 'striped' ? 'var(--color-surface)' : `color-mix(in oklab, ${colour} 25%, var(--color-surface))`
  return `repeating-linear-gradient(135deg, ${colour} ${drawn}, ${gap} ${left})`
}
