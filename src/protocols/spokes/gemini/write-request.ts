import type { ModelFacts } from '../../../models/facts.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { NeutralRequest } from '../../hub/neutral-request.ts'
import { planRequest } from '../../hub/reasoning-plan.ts'
import type { UpstreamCall } from '../../hub/spoke.ts'
import { arrangeTurns } from './arrange-turns.ts'
import { writeContents } from './write-contents.ts'
import { writeSettings } from './write-settings.ts'
import { writeTools } from './write-tools.ts'

const WAYS_OFF = new Set<ModelFacts['reasoning_off']>(['omit', 'budget_zero'])

/** See Spoke. Model and stream go into the path. */
export function writeRequest(request: NeutralRequest, call: UpstreamCall): JsonObject {
  const { facts } = call
  const { plan, toolChoice } = planRequest(request, call, {
    toolsBesideReasoning: true,
    waysOff: WAYS_OFF,
  })
  const { system, turns } = arrangeTurns(request.turns)
  for (const part of system) call.notes.dropCache(part)
  return {
    contents: writeContents(turns, { facts, notes: call.notes }),
    ...(system.length === 0 ? {} : { systemInstruction: { parts: system.map(({ text }) => ({ text })) } }),
    ...writeTools({ ...request, toolChoice }, call.notes),
    ...writeSettings(call, plan, request.tools.length > 0),
  }
}
