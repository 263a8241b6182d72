import type { JsonObject } from '../../hub/json-object.ts'
import type { NeutralRequest } from '../../hub/neutral-request.ts'
import type { UpstreamCall } from '../../hub/spoke.ts'
import { modelFamily } from './model-name.ts'
import { writeMessages } from './write-messages.ts'
import { writeSettings } from './write-settings.ts'
import { writeTools } from './write-tools.ts'

/** A request for a chat completion, of fields that OpenAI and those who speak its wire have in common. */
export function writeRequest(request: NeutralRequest, call: UpstreamCall): JsonObject {
  const family = modelFamily(call.fieldsLike ?? call.model)
  const { notes } = call
  return {
    model: call.model,
    messages: writeMessages(request.turns, { family, notes, hasTools: request.tools.length > 0 }),
    ...writeTools(request, call),
    ...writeSettings(call, family),
    // The usage comes last in a stream, and only when it is asked for.
    ...(call.isStream ? { stream: true, stream_options: { include_usage: true } } : {}),
  }
}
