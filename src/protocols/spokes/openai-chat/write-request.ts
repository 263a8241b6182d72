import type { ModelFacts } from '../../../models/facts.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { NeutralRequest } from '../../hub/neutral-request.ts'
import { planRequest } from '../../hub/reasoning-plan.ts'
import type { UpstreamCall } from '../../hub/spoke.ts'
import { writeMessages } from './write-messages.ts'
import { writeSettings } from './write-settings.ts'
import { writeTools } from './write-tools.ts'

const WAYS_OFF = new Set<ModelFacts['reasoning_off']>([
  'effort_none',
  'thinking_disabled',
  'between_tools',
  'enable_thinking_false',
])

/** A request for a chat completion, of fields that OpenAI and those who speak its wire have in common. */
export function writeRequest(request: NeutralRequest, call: UpstreamCall): JsonObject {
  const { notes, facts } = call
  const hasTools = request.tools.length > 0
  if (hasTools && facts.chat_tools === 'refused') {
    notes.refuse('tools', 'the model takes tools by responses only, and its upstream is asked by chat completions')
  }
  const { plan, toolChoice } = planRequest(request, call, {
    toolsBesideReasoning: facts.chat_tools === 'taken',
    waysOff: WAYS_OFF,
  })
  return {
    model: call.model,
    messages: writeMessages(request.turns, { facts, notes, hasTools }),
    ...writeTools({ ...request, toolChoice }, call),
    ...writeSettings(call, plan, hasTools),
    // The usage comes last in a stream, and only when it is asked for.
    ...(call.isStream ? { stream: true } : {}),
    ...(call.isStream && facts.stream_options ? { stream_options: { include_usage: true } } : {}),
  }
}
