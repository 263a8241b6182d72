import type { ChatWire } from '../../src/core/wire.ts'
import type { AskBySdk } from './read-by-sdk.ts'

interface RawRequest {
  readonly path: string
  readonly body: object
}

const ON_WIRE: Readonly<Record<ChatWire, (ask: AskBySdk) => RawRequest>> = {
  'openai-chat': ({ model, prompt, isStream }) => ({
    path: '/v1/chat/completions',
    body: { model, stream: isStream, messages: [{ role: 'user', content: prompt }] },
  }),
  'openai-responses': ({ model, prompt, isStream }) => ({
    path: '/v1/responses',
    body: { model, stream: isStream, input: prompt },
  }),
  'anthropic-messages': ({ model, prompt, isStream }) => ({
    path: '/v1/messages',
    body: { model, stream: isStream, max_tokens: 100, messages: [{ role: 'user', content: prompt }] },
  }),
  gemini: ({ model, prompt, isStream }) => ({
    path: `/v1beta/models/${model}:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: { contents: [{ role: 'user', parts: [{ text: prompt }] }] },
  }),
}

/** Asks as a client of the wire, without its SDK. */
export function askRaw(wire: ChatWire, ask: AskBySdk): Promise<Response> {
  const { path, body } = ON_WIRE[wire](ask)
  return fetch(ask.origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${ask.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}
