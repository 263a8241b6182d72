import type { Attributes, HrTime } from '@opentelemetry/api'
import { ValueType } from '@opentelemetry/api'
import { emptyResource } from '@opentelemetry/resources'
import { AggregationTemporality, DataPointType } from '@opentelemetry/sdk-metrics'
import type { CollectionResult, MetricData, MetricDescriptor, MetricProducer } from '@opentelemetry/sdk-metrics'
import { FAMILIES } from '../../telemetry/families.ts'
import type { FamilyName, Figures } from '../../telemetry/figures.ts'
import type { Distribution } from '../../telemetry/histogram.ts'
import { version } from '../installation/version.ts'

/** The metrics of `/metrics` as OpenTelemetry has them, by the same names: they are counted once, and read in both ways. */
export class FiguresProducer implements MetricProducer {
  readonly #from: HrTime
  #gather: (() => Promise<Figures>) | null = null

  /** `startedAtMs`: when the process began, and all counts with it. */
  constructor(startedAtMs: number) {
    this.#from = [Math.floor(startedAtMs / 1_000), Math.round((startedAtMs % 1_000) * 1e6)]
  }

  readFrom(gather: () => Promise<Figures>): void {
    this.#gather = gather
  }

  async collect(): Promise<CollectionResult> {
    const figures = await this.#gather?.()
    const now = Date.now()
    const to: HrTime = [Math.floor(now / 1_000), (now % 1_000) * 1e6]
    const metrics = figures === undefined ? [] : metricsOf(figures, { startTime: this.#from, endTime: to })
    const scope = { name: 'tollgate', version: version() }
    const scopeMetrics = metrics.length === 0 ? [] : [{ scope, metrics }]
    return { resourceMetrics: { resource: emptyResource(), scopeMetrics }, errors: [] }
  }
}

interface FigureSpan {
  readonly startTime: HrTime
  readonly endTime: HrTime
}

function metricsOf({ values, distributions }: Figures, span: FigureSpan): MetricData[] {
  const byName = new Map<FamilyName, { attributes: Attributes; value: number }[]>()
  for (const { of, labels, value } of values) {
    const names = FAMILIES[of].labels
    const attributes = Object.fromEntries(names.map((name, at) => [name, labels[at] ?? '']))
    const points = byName.get(of)
    if (points === undefined) byName.set(of, [{ attributes, value }])
    else points.push({ attributes, value })
  }
  return [
    ...[...byName].map(([of, points]) => valuesAs(of, points, span)),
    ...distributions.map(({ of, distribution }) => histogramAs(of, distribution, span)),
  ]
}

function valuesAs(of: FamilyName, points: { attributes: Attributes; value: number }[], span: FigureSpan): MetricData {
  const common = {
    descriptor: descriptorOf(of),
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPoints: points.map((point) => ({ ...span, ...point })),
  }
  if (FAMILIES[of].type === 'gauge') return { ...common, dataPointType: DataPointType.GAUGE }
  return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true }
}

function histogramAs(of: FamilyName, { bounds, counts, sum }: Distribution, span: FigureSpan): MetricData {
  const count = counts.reduce((total, each) => total + each, 0)
  const value = { buckets: { boundaries: [...bounds], counts: [...counts] }, sum, count }
  return {
    descriptor: descriptorOf(of),
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPointType: DataPointType.HISTOGRAM,
    dataPoints: [{ ...span, attributes: {}, value }],
  }
}

function descriptorOf(of: FamilyName): MetricDescriptor {
  const { name, help: description } = FAMILIES[of]
  return { name, description, unit: unitOf(name), valueType: ValueType.DOUBLE }
}

/** The unit in UCUM, by the end of the name: what counts things has none. */
function unitOf(name: string): string {
  if (/_seconds(?:_total)?$/.test(name)) return 's'
  if (name.endsWith('_bytes')) return 'By'
  return name.endsWith('_usd_total') ? '{USD}' : '1'
}
