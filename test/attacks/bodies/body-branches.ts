/** Every way that a body takes through the gateway: the endpoints, and how their models are served. */
import type { BodyShape } from './body-shapes.ts'

export interface BodyBranch {
  readonly name: string
  path(model: string): string
  /** Name of the opened model that it calls. */
  readonly model: 'own' | 'at-openai' | 'at-anthropic' | 'at-gemini' | 'refused'
  /** The first fields of its object, `MODEL` for the model's name. */
  readonly head: string
  /** The list of what it is about: a shape may bring it, and else it is this. */
  readonly about: { readonly field: NonNullable<BodyShape['on']>; readonly json: string } | null
  readonly secretHeader: string
  /** The field for a file, where the body is a form. */
  readonly form?: string
}

type More = Partial<Pick<BodyBranch, 'model' | 'head' | 'secretHeader'>> & { readonly about: BodyBranch['about'] }

function json(name: string, path: string, { about, ...more }: More): BodyBranch {
  const defaults = { model: 'own', head: '"model":"MODEL"', secretHeader: 'authorization' } as const
  return { name, path: () => path, about, ...defaults, ...more }
}

function gemini(name: string, method: string, model: BodyBranch['model'] = 'own'): BodyBranch {
  const path = (called: string): string => `/v1beta/models/${encodeURIComponent(called)}:${method}`
  return { ...json(name, '', { about: CONTENTS, head: '', secretHeader: 'x-goog-api-key', model }), path }
}

const MESSAGES = { field: 'messages', json: '[{"role":"user","content":"x"}]' } as const
const INPUT = { field: 'input', json: '"x"' } as const
const CONTENTS = { field: 'contents', json: '[{"role":"user","parts":[{"text":"x"}]}]' } as const
const ANTHROPIC = { head: '"model":"MODEL","max_tokens":16', secretHeader: 'x-api-key' } as const

export const BODY_BRANCHES: readonly BodyBranch[] = [
  json('chat completions', '/v1/chat/completions', { about: MESSAGES }),
  json('chat completions, translated', '/v1/chat/completions', { about: MESSAGES, model: 'at-anthropic' }),
  json('chat completions in the form of responses', '/v1/chat/completions', { about: INPUT }),
  json('responses', '/v1/responses', { about: INPUT }),
  json('responses, translated', '/v1/responses', { about: INPUT, model: 'at-gemini' }),
  json('responses that are refused as sealed', '/v1/responses', { about: INPUT, model: 'refused' }),
  json('responses, tokens counted', '/v1/responses/input_tokens', { about: INPUT }),
  json('messages', '/v1/messages', { about: MESSAGES, ...ANTHROPIC }),
  json('messages, translated', '/v1/messages', { about: MESSAGES, ...ANTHROPIC, model: 'at-openai' }),
  json('messages, tokens counted', '/v1/messages/count_tokens', { about: MESSAGES, ...ANTHROPIC }),
  gemini('gemini', 'generateContent'),
  gemini('gemini, streamed', 'streamGenerateContent?alt=sse'),
  gemini('gemini, translated', 'generateContent', 'at-openai'),
  gemini('gemini, tokens counted', 'countTokens'),
  json('completions', '/v1/completions', { about: { field: 'prompt', json: '"x"' } }),
  json('embeddings', '/v1/embeddings', { about: INPUT }),
  json('moderations', '/v1/moderations', { about: INPUT }),
  json('rankings', '/v1/rerank', { about: { field: 'documents', json: '["a"]' }, head: '"model":"MODEL","query":"x"' }),
  json('images', '/v1/images/generations', { about: { field: 'prompt', json: '"x"' } }),
  json('speech', '/v1/audio/speech', { about: INPUT, head: '"model":"MODEL","voice":"alloy"' }),
  { ...json('edits of images', '/v1/images/edits', { about: null }), form: 'image' },
  { ...json('transcripts', '/v1/audio/transcriptions', { about: null }), form: 'file' },
]

/** Whether a shape can be sent there. */
export function takes({ about, form }: BodyBranch, { on }: BodyShape): boolean {
  return form === undefined && (on === undefined || about?.field === on)
}

/** The body of a request there. `model`: the name of the model. */
export function bodyOf({ head, about }: BodyBranch, { on, fields }: BodyShape, model: string): Buffer {
  const own = about === null || on === about.field ? '' : `"${about.field}":${about.json}`
  const all = [head.replace('MODEL', model), own, fields()].filter((each) => each !== '')
  return Buffer.from(`{${all.join(',')}}`, 'latin1')
}

/** Forms that are slow to read, by their names. */
export const FORMS: Readonly<Record<string, (bytes: number) => readonly Buffer[]>> = {
  'a file of line ends': (bytes) => [Buffer.alloc(bytes, '\r\n')],
  'a file of hyphens': (bytes) => [Buffer.alloc(bytes, '\r\n----')],
  'files of tiny frames of sound': (bytes) =>
    Array.from({ length: 24 }, () =>
      Buffer.alloc(Math.floor(bytes / 24), Buffer.concat([Buffer.from([0xff, 0xf3, 0x14, 0]), Buffer.alloc(20)])),
    ),
}

export const BOUNDARY = '-'.repeat(60)

export function formOf(field: string, files: readonly Buffer[], model: string): Buffer {
  const part = (name: string, more: string, content: Buffer): readonly Buffer[] => [
    Buffer.from(`--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ]
  const all = files.flatMap((file) => part(field, '; filename="a.mp3"', file))
  return Buffer.concat([...part('model', '', Buffer.from(model)), ...all, Buffer.from(`--${BOUNDARY}--\r\n`)])
}
