import type { Clues } from '../../../src/causes/clues.ts'

/** What clients speak in a conversation. */
export type ChatWire = NonNullable<Clues['protocol']>

/** One question to a model, as it is filled in. */
export interface Question {
  readonly protocol: ChatWire
  readonly system: string
  readonly text: string
  /** A data URL, `data:image/png;base64,…`; null: no picture. */
  readonly image: string | null
  /** Tools in the protocol's own form, as JSON; empty: none. */
  readonly tools: string
  /** null: the model's own. */
  readonly temperature: number | null
  readonly maxTokens: number
  readonly isStream: boolean
}

/** One request of the gateway. */
export interface Call {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

/** The request that asks a model this. Throws SyntaxError for tools that are not JSON. */
export function callOf(question: Question, model: string): Call {
  const tools: unknown = question.tools.trim() === '' ? undefined : JSON.parse(question.tools)
  return CALLS[question.protocol](question, { model, ...(tools === undefined ? {} : { tools }) })
}

interface Common {
  readonly model: string
  readonly tools?: unknown
}

const CALLS: Readonly<Record<ChatWire, (question: Question, common: Common) => Call>> = {
  'openai-chat': ({ system, text, image, temperature, maxTokens, isStream }, common) => ({
    path: '/v1/chat/completions',
    headers: {},
    body: {
      ...common,
      messages: [
        ...(system === '' ? [] : [{ role: 'system', content: system }]),
        {
          role: 'user',
          content:
            image === null
              ? text
              : [
                  { type: 'text', text },
                  { type: 'image_url', image_url: { url: image } },
                ],
        },
      ],
      max_completion_tokens: maxTokens,
      ...heat(temperature),
      ...(isStream ? { stream: true } : {}),
    },
  }),
  'openai-responses': ({ system, text, image, temperature, maxTokens, isStream }, common) => ({
    path: '/v1/responses',
    headers: {},
    body: {
      ...common,
      ...(system === '' ? {} : { instructions: system }),
      input:
        image === null
          ? text
          : [
              {
                role: 'user',
                content: [
                  { type: 'input_text', text },
                  { type: 'input_image', image_url: image },
                ],
              },
            ],
      max_output_tokens: maxTokens,
      ...heat(temperature),
      ...(isStream ? { stream: true } : {}),
    },
  }),
  'anthropic-messages': ({ system, text, image, temperature, maxTokens, isStream }, common) => ({
    path: '/v1/messages',
    headers: { 'anthropic-version': '2023-06-01' },
    body: {
      ...common,
      ...(system === '' ? {} : { system }),
      messages: [
        {
          role: 'user',
          content:
            image === null
              ? text
              : [
                  {
                    type: 'image',
                    source: { type: 'base64', media_type: mediaTypeOf(image), data: dataOf(image) },
                  },
                  { type: 'text', text },
                ],
        },
      ],
      max_tokens: maxTokens,
      ...heat(temperature),
      ...(isStream ? { stream: true } : {}),
    },
  }),
  gemini: ({ system, text, image, temperature, maxTokens, isStream }, { model, tools }) => ({
    path: `/v1beta/models/${model.split('/').map(encodeURIComponent).join('/')}:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    headers: {},
    body: {
      ...(system === '' ? {} : { systemInstruction: { parts: [{ text: system }] } }),
      contents: [
        {
          role: 'user',
          parts: [
            { text },
            ...(image === null ? [] : [{ inlineData: { mimeType: mediaTypeOf(image), data: dataOf(image) } }]),
          ],
        },
      ],
      ...(tools === undefined ? {} : { tools }),
      generationConfig: { maxOutputTokens: maxTokens, ...heat(temperature) },
    },
  }),
}

function heat(temperature: number | null): { readonly temperature?: number } {
  return temperature === null ? {} : { temperature }
}

function mediaTypeOf(dataUrl: string): string {
  return /^data:([^;,]+)/.exec(dataUrl)?.[1] ?? 'image/png'
}

function dataOf(dataUrl: string): string {
  return dataUrl.slice(dataUrl.indexOf(',') + 1)
}
