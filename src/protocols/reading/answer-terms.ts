import { geoNamed, type ServiceTerms, tierNamed } from '../../core/terms.ts'
import { fieldsOf } from '../json/json-object.ts'

/**
 * How an answer was served, by its own words. Null where it says nothing, as most upstreams that are not the maker's own.
 * OpenAI's wires name the class beside the usage, in each chunk of a stream and in each `response`; the class that is named
 * at the start of a response is `auto`, which says nothing.
 */
export function openaiTerms(fields: { readonly service_tier?: unknown }): ServiceTerms | null {
  const tier = tierNamed(fields.service_tier)
  return tier === null ? null : { tier, geo: null }
}

/**
 * Reads Anthropic's `usage`: `service_tier`, `speed` of models that have a fast mode, and `inference_geo` ("Data residency" and
 * "Fast mode", platform.claude.com, read 2026-11).
 */
export function anthropicTerms(usage: unknown): ServiceTerms | null {
  const { service_tier: named, speed, inference_geo: place } = fieldsOf(usage)
  const tier = speed === 'fast' ? 'fast' : tierNamed(named)
  const geo = geoNamed(place)
  return tier === null && geo === null ? null : { tier, geo }
}

/**
 * Reads Gemini's `usageMetadata`: `serviceTier` (`UsageMetadata` of googleapis/js-genai, "not supported in Vertex AI"), and
 * Vertex AI's `trafficType`.
 */
export function geminiTerms(metadata: unknown): ServiceTerms | null {
  const { serviceTier, trafficType } = fieldsOf(metadata)
  const traffic = typeof trafficType === 'string' ? /^ON_DEMAND(?:_(\w+))?$/.exec(trafficType) : null
  const tier = tierNamed(serviceTier) ?? (traffic === null ? null : tierNamed(traffic[1] ?? 'on_demand'))
  return tier === null ? null : { tier, geo: null }
}

/** What was named last; what is said once holds until something else is said. */
export function laterTerms(past: ServiceTerms | undefined, next: ServiceTerms | null): ServiceTerms | undefined {
  if (next === null) return past
  return past === undefined ? next : { tier: next.tier ?? past.tier, geo: next.geo ?? past.geo }
}
