/** How each protocol is called: path, the fields that every body has, and what a stream shows before its report. */

export interface WireCall {
  path(model: string, isStream: boolean): string
  head(isStream: boolean): object
  readonly secretHeader: string
  /** Part of the event after the last visible word. */
  readonly stop: string
}

const MODEL_FIELD = { model: 'MODEL' }

function inBody(path: string, stop: string, secretHeader = 'authorization'): WireCall {
  return {
    path: () => path,
    head: (isStream) => (isStream ? { ...MODEL_FIELD, stream: true } : MODEL_FIELD),
    secretHeader,
    stop,
  }
}

export const WIRE_CALLS = {
  chat: inBody('/v1/chat/completions', '"finish_reason":"'),
  responses: inBody('/v1/responses', 'response.output_text.done'),
  messages: inBody('/v1/messages', 'content_block_stop', 'x-api-key'),
  completions: inBody('/v1/completions', '"finish_reason":"'),
  embeddings: inBody('/v1/embeddings', ''),
  gemini: {
    path: (model, isStream) =>
      `/v1beta/models/${encodeURIComponent(model)}:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    head: () => ({}),
    secretHeader: 'x-goog-api-key',
    // The report comes with the last event; the last word comes in the one before.
    stop: 'the ',
  },
} as const satisfies Record<string, WireCall>

/** A message of a user, as chat completions and messages have it. */
export function said(content: unknown): object {
  return { messages: [{ role: 'user', content }] }
}

export function parts(...list: readonly object[]): object {
  return { contents: [{ role: 'user', parts: list }] }
}
