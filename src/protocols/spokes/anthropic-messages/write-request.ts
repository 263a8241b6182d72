import type { JsonObject } from '../../hub/json-object.ts'
import type { NeutralRequest } from '../../hub/neutral-request.ts'
import type { UpstreamCall } from '../../hub/spoke.ts'
import { claudeModel } from './claude-model.ts'
import { chosenTools, forcesCall, writeToolChoice, writeTools } from './write-tools.ts'
import { writeReasoning } from './write-reasoning.ts'
import { writeFormat, writeSampling, writeService, writeStopSequences } from './write-settings.ts'
import { arrangeTurns } from './arrange-turns.ts'
import { lacksThinking, writeMessages, writeSystem } from './write-messages.ts'

/** See Spoke. `max_tokens` is in every request of this wire. */
export function writeRequest(request: NeutralRequest, call: UpstreamCall): JsonObject {
  const { notes, settings } = call
  const model = claudeModel(call.fieldsLike ?? call.model)
  const { system, turns } = arrangeTurns(request.turns, notes)
  const tools = chosenTools(request)
  const reasoning = writeReasoning(call, {
    model,
    isCallForced: tools.length > 0 && forcesCall(request.toolChoice),
    lacksThinking: lacksThinking(turns),
  })
  const { thinks } = reasoning
  const config = { ...reasoning.effort, ...writeFormat(call, request.settings) }
  return {
    model: call.model,
    max_tokens: reasoning.maxTokens,
    ...writeSystem(system),
    messages: writeMessages(turns, { thinks, notes }),
    ...writeTools(tools, model, notes),
    ...writeToolChoice(request.toolChoice, tools, settings),
    ...reasoning.thinking,
    ...(Object.keys(config).length === 0 ? {} : { output_config: config }),
    ...writeSampling(settings, model, thinks),
    ...writeStopSequences(settings),
    ...writeService(settings),
    ...(call.isStream ? { stream: true } : {}),
  }
}
