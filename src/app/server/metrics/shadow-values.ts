import type { Snapshot } from '../../../gateway/snapshot.ts'
import type { Value } from '../../../telemetry/figures.ts'

/**
 * The series of all rules in shadow, which begin with 0, so that their first step is one; and one for each upstream. What was
 * counted is added to them.
 */
export function shadowValues({ upstreamsById, modelsByName }: Snapshot): readonly Value[] {
  const ofTargets = [...modelsByName.values()].flatMap(({ name, targets }) =>
    targets.flatMap(({ upstreamId, model, shadow = [] }) => {
      const upstream = upstreamsById.get(upstreamId)?.upstream.name
      return upstream === undefined ? [] : shadow.flatMap((rule) => series([rule, upstream, '', name, model]))
    }),
  )
  const ofUpstreams = [...upstreamsById.values()].flatMap(({ upstream: { name, credentials } }) => [
    ...series(['spend_per_day', name, '', '', '']),
    ...credentials.flatMap((each) => (each.shadow ?? []).flatMap((rule) => series([rule, name, each.name, '', '']))),
  ])
  return [...ofUpstreams, ...ofTargets]
}

function series(labels: readonly string[]): readonly Value[] {
  return [
    { of: 'shadowRefusals', labels, value: 0 },
    { of: 'shadowRefusedAt', labels, value: 0 },
  ]
}
