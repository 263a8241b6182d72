import type { JsonObject } from '../../hub/json-object.ts'
import type { NeutralRequest, TextPart } from '../../hub/neutral-request.ts'
import type { UpstreamCall } from '../../hub/spoke.ts'
import { arrangeTurns } from './arrange-turns.ts'
import { modelFamily } from './model-family.ts'
import { writeContents } from './write-contents.ts'
import { writeSettings } from './write-settings.ts'
import { writeTools } from './write-tools.ts'

/** See Spoke. Model and stream go into the path. */
export function writeRequest(request: NeutralRequest, call: UpstreamCall): JsonObject {
  const family = modelFamily(call.fieldsLike ?? call.model)
  const { system, turns } = arrangeTurns(request.turns)
  for (const part of system) if (part.cache !== undefined) call.notes.drop(`${part.at}.cache_control`)
  return {
    contents: writeContents(turns, { family, notes: call.notes }),
    ...(system.length === 0 ? {} : { systemInstruction: { parts: system.map(({ text }: TextPart) => ({ text })) } }),
    ...writeTools(request, call.notes),
    ...writeSettings(call, family),
  }
}
