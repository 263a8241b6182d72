/**
 * How a request is to be served, or was, as far as it decides the price. Names as the settings have them: in small letters.
 * Null: it was not said, or left to the upstream (`auto`).
 */
export interface ServiceTerms {
  /** The class of service: `default` for the plain one, whatever the wire calls it, else `priority`, `flex`, `fast` … */
  readonly tier: string | null
  /** Where the model runs, in Anthropic's `inference_geo`: `default` where that was anywhere, else `us` … */
  readonly geo: string | null
}

/** A class or place that costs the plain price. */
export const PLAIN = 'default'

export const NO_TERMS: ServiceTerms = { tier: null, geo: null }

/** Whether these say nothing that could change a price. */
export function arePlain({ tier, geo }: ServiceTerms): boolean {
  return (tier === null || tier === PLAIN) && (geo === null || geo === PLAIN)
}

/**
 * A class of service as it is written on any wire; null for what leaves the choice to the upstream, and for what names nothing.
 * Google's enumerations are in capitals and may begin with their type (`SERVICE_TIER_FLEX`). `on_demand` is Groq's word.
 */
export function tierNamed(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const name = value.toLowerCase().replace(/^service_tier_/, '')
  if (name === '' || name === 'auto' || name === 'unspecified' || name.length > TERM_CHARACTERS) return null
  return PLAIN_TIERS.has(name) ? PLAIN : name
}

/** A place as it is written on any wire. `not_available` is what Anthropic says of models that know no places. */
export function geoNamed(value: unknown): string | null {
  if (typeof value !== 'string' || value === '' || value.length > TERM_CHARACTERS) return null
  const name = value.toLowerCase()
  return PLAIN_GEOS.has(name) ? PLAIN : name
}

/** The longest name that is kept of a class or place. */
export const TERM_CHARACTERS = 64

const PLAIN_TIERS: ReadonlySet<string> = new Set([PLAIN, 'standard', 'standard_only', 'on_demand'])
const PLAIN_GEOS: ReadonlySet<string> = new Set([PLAIN, 'global', 'not_available'])
