import { FieldReader, missing } from '../../hub/field-reader.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { NeutralRequest, SystemTurn, TextPart } from '../../hub/neutral-request.ts'
import type { Notes } from '../../hub/notes.ts'
import { RequestSettings } from '../../hub/request-settings.ts'
import { withCamelNames } from './camel-names.ts'
import { readContents } from './read-contents.ts'
import { readGenerationConfig } from './read-settings.ts'
import { readToolConfig, readTools } from './read-tools.ts'

/** See Spoke. Model and stream stand in this wire's path. */
export function readRequest(json: JsonObject, notes: Notes): NeutralRequest {
  const asked = new FieldReader(withCamelNames(json), '', notes)
  // A request to count tokens may hold the whole request that is meant.
  const inner = asked.object('generateContentRequest')
  if (inner !== null) asked.end()
  const body = inner ?? asked
  body.raw('model')
  const settings = new RequestSettings()
  const system = readSystem(body)
  const contents = body.objects('contents')
  if (contents === null) throw missing(body.path('contents'), 'a list')
  const turns = readContents(contents)
  const tools = readTools(body)
  const toolChoice = readToolConfig(body)
  readGenerationConfig(body, settings)
  settings.say('serviceClass', serviceClass(body), body.path('serviceTier'))
  if (body.string('cachedContent') !== null) {
    body.refuse('cachedContent', 'what was stored at Google is not there; send the content itself')
  }
  body.end()
  return { turns: system === null ? turns : [system, ...turns], tools, toolChoice, settings }
}

function readSystem(body: FieldReader): SystemTurn | null {
  const content = body.object('systemInstruction')
  if (content === null) return null
  content.raw('role')
  const parts = (content.objects('parts') ?? []).map((part): TextPart => {
    const text = part.requiredString('text')
    part.end()
    return { kind: 'text', text, at: part.at }
  })
  content.end()
  return { role: 'system', parts: parts.filter(({ text }) => text !== ''), at: content.at }
}

function serviceClass(body: FieldReader): string | null {
  const wanted = body.string('serviceTier')?.toLowerCase() ?? null
  return wanted === 'standard' || wanted === 'unspecified' || wanted === '' ? null : wanted
}
