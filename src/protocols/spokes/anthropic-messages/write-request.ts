import type { ModelFacts } from '../../../models/facts.ts'
import { type JsonObject, withoutNull } from '../../json/json-object.ts'
import type { NeutralRequest } from '../../hub/neutral-request.ts'
import { planRequest } from '../../hub/reasoning-plan.ts'
import { SamplingToWrite } from '../../hub/sampling.ts'
import type { UpstreamCall } from '../../hub/spoke.ts'
import { chosenTools, writeToolChoice, writeTools } from './write-tools.ts'
import { writeReasoning } from './write-reasoning.ts'
import { writeFormat, writeSampling, writeService } from './write-settings.ts'
import { arrangeTurns } from './arrange-turns.ts'
import { lacksThinking, writeMessages, writeSystem } from './write-messages.ts'

const WAYS_OFF = new Set<ModelFacts['reasoning_off']>(['omit', 'thinking_disabled', 'between_tools'])

/** See Spoke. `max_tokens` is in every request of this wire. */
export function writeRequest(request: NeutralRequest, call: UpstreamCall): JsonObject {
  const { notes, settings } = call
  const { system, turns } = arrangeTurns(request.turns, notes)
  const tools = chosenTools(request)
  const { plan, toolChoice } = planRequest(request, call, {
    toolsBesideReasoning: true,
    waysOff: WAYS_OFF,
  })
  const reasoning = writeReasoning(call, { plan, lacksThinking: lacksThinking(turns) })
  const { thinks } = reasoning
  const config = { ...reasoning.effort, ...writeFormat(call, tools.length > 0) }
  return {
    model: call.model,
    max_tokens: reasoning.maxTokens,
    ...writeSystem(system),
    messages: writeMessages(turns, { thinks, notes }),
    ...writeTools(tools),
    ...writeToolChoice(toolChoice, tools, call),
    ...reasoning.thinking,
    ...(Object.keys(config).length === 0 ? {} : { output_config: config }),
    ...writeSampling(new SamplingToWrite(call, thinks || (plan.wish === null && plan.reasons))),
    ...withoutNull({ stop_sequences: settings.take('stop') }),
    ...writeService(call),
    ...(call.isStream ? { stream: true } : {}),
  }
}
