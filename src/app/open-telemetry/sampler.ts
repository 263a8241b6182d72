import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler as PartSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace'
import type { TelemetrySettings } from '../installation/environment.ts'

/** Chooses the requests that are traced, as `OTEL_TRACES_SAMPLER` and its argument say. */
export function samplerOf({ sampler, sampledPart }: Pick<TelemetrySettings, 'sampler' | 'sampledPart'>): Sampler {
  const roots = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new PartSampler(sampledPart),
  } as const
  switch (sampler) {
    case 'always_on':
    case 'always_off':
    case 'traceidratio':
      return roots[sampler]()
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: roots.always_on() })
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: roots.always_off() })
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: roots.traceidratio() })
  }
}
