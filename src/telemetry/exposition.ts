import { FAMILIES } from './families.ts'
import type { FamilyName, Figures } from './figures.ts'
import type { Distribution } from './histogram.ts'

/** The text in which metrics are read: Prometheus' own, or OpenMetrics 1.0. */
export type ExpositionFormat = 'prometheus' | 'openmetrics'

export const CONTENT_TYPES: Readonly<Record<ExpositionFormat, string>> = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
}

/** Returns the format that an `Accept` header asks for. Prometheus asks for OpenMetrics by name where it wants it. */
export function formatAsked(accept: string | undefined): ExpositionFormat {
  return /application\/openmetrics-text(?!\s*;[^,]*q=0(?:\.0*)?(?:[,;\s]|$))/i.test(accept ?? '')
    ? 'openmetrics'
    : 'prometheus'
}

/**
 * Writes figures as text. The two formats differ here in three things alone: OpenMetrics names the family of a counter without
 * `_total`, writes whole bounds with a point, and has a last line (prometheus.io, Exposition formats; OpenMetrics 1.0, 2020).
 */
export function exposition(figures: Figures, format: ExpositionFormat): string {
  const lines: string[] = []
  for (const [of, family] of Object.entries(FAMILIES)) {
    const samples = [...valueLines(figures, of as FamilyName), ...distributionLines(figures, of as FamilyName, format)]
    if (samples.length === 0) continue
    const isCounter = family.type === 'counter'
    const name = format === 'openmetrics' && isCounter ? family.name.replace(/_total$/, '') : family.name
    lines.push(`# HELP ${name} ${escapedHelp(family.help)}`, `# TYPE ${name} ${family.type}`, ...samples)
  }
  if (format === 'openmetrics') lines.push('# EOF')
  return lines.join('\n') + '\n'
}

function valueLines({ values }: Figures, of: FamilyName): string[] {
  const { name, labels: names } = FAMILIES[of]
  return values
    .filter((value) => value.of === of)
    .map(({ labels, value }) => `${name}${labelText(names.map((label, at) => [label, labels[at] ?? '']))} ${value}`)
}

function distributionLines({ distributions }: Figures, of: FamilyName, format: ExpositionFormat): string[] {
  return distributions
    .filter((each) => each.of === of)
    .flatMap(({ distribution }) => histogramLines(FAMILIES[of].name, distribution, format))
}

function histogramLines(name: string, { bounds, counts, sum }: Distribution, format: ExpositionFormat): string[] {
  let count = 0
  const buckets = [...bounds, Infinity].map((bound, at) => {
    count += counts[at] ?? 0
    return `${name}_bucket${labelText([['le', boundText(bound, format)]])} ${count}`
  })
  return [...buckets, `${name}_sum ${sum}`, `${name}_count ${count}`]
}

function boundText(bound: number, format: ExpositionFormat): string {
  if (bound === Infinity) return '+Inf'
  return format === 'openmetrics' && Number.isInteger(bound) ? bound.toFixed(1) : String(bound)
}

function labelText(labels: readonly (readonly [name: string, value: string])[]): string {
  if (labels.length === 0) return ''
  return `{${labels.map(([name, value]) => `${name}="${escapedLabel(value)}"`).join(',')}}`
}

function escapedLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

function escapedHelp(help: string): string {
  return help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}
