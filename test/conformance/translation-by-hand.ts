import { type ChatWire, HUB_WIRES, type HubWire } from '../../src/core/wire.ts'
import type { JsonObject } from '../../src/protocols/json/json-object.ts'
import type { NeutralAnswer, StreamPart } from '../../src/protocols/hub/neutral-answer.ts'
import type { NeutralRequest } from '../../src/protocols/hub/neutral-request.ts'
import type { ModelRules } from '../../src/models/facts.ts'
import { factsOf } from '../../src/models/table.ts'
import { Notes } from '../../src/protocols/hub/notes.ts'
import { RequestSettings, SettingsToWrite } from '../../src/protocols/hub/request-settings.ts'
import type { ClientCall } from '../../src/protocols/hub/spoke.ts'
import type { RequestHead } from '../../src/protocols/protocol.ts'
import { protocolOf } from '../../src/protocols/protocol-of.ts'
import { readServerEvent } from '../../src/protocols/reading/server-event.ts'
import { SPOKES, type Translated, Translation } from '../../src/protocols/translation.ts'
import { collected } from './translation-meaning.ts'
import { USAGE } from './translation-values.ts'

export const WIRES = HUB_WIRES
export const MODELS: Record<HubWire, string> = {
  'openai-chat': 'llama-4',
  'openai-responses': 'gpt-5.5',
  'anthropic-messages': 'claude-sonnet-4-5',
  gemini: 'gemini-3-pro',
  'bedrock-converse': 'amazon.nova-pro-v1:0',
}
/** A model of no known family, which is taken to understand all that its wire has. */
export const ANY_MODEL = { name: 'acme-1' }
const NOTHING_ASKED: NeutralRequest = { turns: [], tools: [], toolChoice: null, settings: new RequestSettings() }

/** The request as a client of the wire would write it. */
export function bodyOf(wire: HubWire, request: NeutralRequest, isStream = false): JsonObject {
  return bodyUnder({}, { wire, request, isStream })
}

/** The body of a client that keeps to these rules. */
export function bodyUnder(
  rules: ModelRules,
  { wire, request, isStream }: { wire: HubWire; request: NeutralRequest; isStream: boolean },
): JsonObject {
  const notes = new Notes({})
  const settings = new SettingsToWrite(request.settings, notes)
  const facts = factsOf({ ...ANY_MODEL, rules }, wire)
  const call = { model: MODELS[wire], facts, isStream, modelMaxOutputTokens: null, settings, notes }
  const body = SPOKES[wire].writeRequest(request, call)
  settings.end()
  return body
}

function headOf(wire: ChatWire, body: Buffer, isStream = false): RequestHead {
  return protocolOf(wire).readRequest(body, { fromPath: { model: MODELS[wire], isStream } })
}

export function translationOf(wire: ChatWire, json: JsonObject, isStream = false): Translation {
  const body = Buffer.from(JSON.stringify(json))
  const head = { ...headOf(wire, body, isStream), includeUsage: true }
  return new Translation({ wire, body, head, requestId: 'req_1', nowMs: 1_790_000_000_000 })
}

export function read(wire: HubWire, json: JsonObject): NeutralRequest {
  return SPOKES[wire].readRequest(JSON.parse(JSON.stringify(json)) as JsonObject, new Notes(SPOKES[wire].hints))
}

/** Google's clients see thoughts only when they ask for them. */
const THOUGHTS_SHOWN = { generationConfig: { thinkingConfig: { includeThoughts: true } } }

export function callOf(wire: HubWire): ClientCall {
  const about = { requestId: 'req_1', model: MODELS[wire], nowMs: 1_790_000_000_000, includeUsage: true }
  const settings = new RequestSettings()
  settings.say('reasoning', { effort: null, budgetTokens: null, isShown: true }, 'reasoning')
  return { ...about, asked: {}, request: { ...NOTHING_ASKED, settings } }
}

/** A stream of the wire as its provider would send it. */
export function streamOf(wire: HubWire, parts: readonly StreamPart[]): Buffer {
  const writer = SPOKES[wire].openWriter(callOf(wire))
  const text = parts.map((part) => writer.write(part)).join('')
  return Buffer.from(text + writer.end({ reported: USAGE, estimatedOutputTokens: 40 }))
}

export function readStream(wire: HubWire, bytes: Buffer): NeutralAnswer {
  const reader = SPOKES[wire].openReader()
  const events = bytes.toString('latin1').split(/(?<=\n\n)/)
  const parts = events.flatMap((event) => reader.read(readServerEvent(Buffer.from(event, 'latin1'))))
  return collected([...parts, ...reader.end()])
}

/** The answer with its reasoning signed as on this wire. Chat completions sign nothing by themselves. */
export function answerFrom(wire: HubWire, answer: NeutralAnswer): NeutralAnswer {
  const makers = {
    'openai-chat': 'anthropic',
    'openai-responses': 'openai',
    'anthropic-messages': 'anthropic',
    gemini: 'google',
    'bedrock-converse': 'bedrock',
  } as const
  return {
    choices: answer.choices.map((choice) => ({
      ...choice,
      blocks: choice.blocks.map((block) =>
        block.kind === 'reasoning' && block.opaque !== null
          ? { ...block, opaque: { vendor: makers[wire], data: block.opaque.data } }
          : block,
      ),
    })),
  }
}

export const NOTHING_SAID: NeutralRequest = {
  ...NOTHING_ASKED,
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi', at: '' }], at: '' }],
}

/** The shortest request of a client, on its way to another wire. */
export function translatedHello(client: ChatWire, upstream: HubWire, isStream: boolean): Translated {
  const hello = bodyOf(client, NOTHING_SAID, isStream)
  return translationOf(client, client === 'gemini' ? { ...hello, ...THOUGHTS_SHOWN } : hello, isStream).to(upstream, {
    model: MODELS[upstream],
    maxOutputTokens: null,
  })
}
