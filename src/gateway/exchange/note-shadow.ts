import { rulesOf, shadowRefusals } from '../choice/shadow-refusals.ts'
import type { Sending } from './attempt.ts'
import type { ExchangeContext } from './context.ts'
import type { RouteNotes } from './route-notes.ts'

/** Notes which rules in shadow speak against an attempt, before it counts there itself: so one that is enforced would see it. */
export function noteShadow(
  { prepared, parts }: ExchangeContext,
  { candidate, inUse }: Sending,
  { notes, now }: { readonly notes: RouteNotes; readonly now: number },
): void {
  const refusals = shadowRefusals(candidate, prepared.chosen, now)
  if (refusals.length === 0) return
  notes.shadowed(candidate, rulesOf(refusals))
  parts.figures.refusedInShadow(
    {
      upstream: inUse.upstream.name,
      credential: candidate.credentialName ?? '',
      model: prepared.chosen.model.name,
      upstreamModel: candidate.target.model,
    },
    refusals,
    parts.clock.now(),
  )
}
