import { type ByteRange, MEDIA_ALONE, type RequestHead } from '../protocol.ts'
import { type FormPart, formParts, textOf } from './form.ts'
import { invalid } from './request-head.ts'

/** What the gateway reads of a request that came as a form. */
export interface FormRequest {
  /** All but what its files and the fields of one endpoint say. */
  readonly head: Omit<RequestHead, 'choices' | 'estimatedInputTokens'>
  /** The wanted fields that are there, as text. */
  readonly fields: ReadonlyMap<string, string>
  /** Where the bytes of its files stand. */
  readonly files: readonly ByteRange[]
}

const MODEL_CHARACTERS_LIMIT = 256

/**
 * Reads a form's model, its wanted fields and where its files stand. Each of them stands there once. Throws the fault
 * `request_invalid`.
 */
export function readForm(body: Buffer, boundary: string, wanted: readonly string[]): FormRequest {
  const parts = formParts(body, boundary)
  const single = ['model', ...wanted]
  const fields = new Map<string, FormPart>()
  for (const part of parts) {
    const field = single.find((name) => name === part.name.toLowerCase())
    if (field === undefined) continue
    if (part.name !== field || fields.has(field))
      throw invalid(`The form takes \`${field}\` once, in lowercase.`, field)
    if (part.isFile) throw invalid(`The field \`${field}\` of the form must be text, not a file.`, field)
    fields.set(field, part)
  }
  const place = fields.get('model')?.place
  if (place === undefined) {
    throw invalid('The field `model` is missing. Name the model to call; GET /v1/models lists yours.', 'model')
  }
  const model = textOf(body, place)
  if (model === undefined || model === '' || model.length > MODEL_CHARACTERS_LIMIT) {
    throw invalid(`The field \`model\` must be a string of 1 to ${MODEL_CHARACTERS_LIMIT} characters.`, 'model')
  }
  const texts = new Map(Array.from(fields, ([name, part]) => [name, textOf(body, part.place) ?? ''] as const))
  return {
    head: {
      model,
      stream: isOn(texts.get('stream')),
      outputTokensLimit: null,
      hasNoOutput: false,
      outside: MEDIA_ALONE,
      limits: new Map(),
      includeUsage: false,
      inputIsNoText: true,
      places: { model: place, streamOptions: null, includeUsage: null },
    },
    fields: texts,
    files: parts.filter(({ isFile }) => isFile).map((part) => part.place),
  }
}

/** `true` and `1` switch it on, as OpenAI's form reads them; anything else does not. */
function isOn(value: string | undefined): boolean {
  return value !== undefined && /^(?:true|1|on|yes)$/i.test(value.trim())
}

/** A count in a form; null where it is absent or empty. Throws the fault `request_invalid` beyond `most`. */
export function countIn(form: FormRequest, field: string, most: number): number | null {
  const text = form.fields.get(field)?.trim() ?? ''
  if (text === '') return null
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (count >= 1 && count <= most) return count
  throw invalid(`The field \`${field}\` must be a whole number, 1 to ${most}.`, field)
}

/** Wires that take forms take JSON beside them, and nothing else: other types would be read in another way upstream. */
export function requireJson(contentType: string | undefined): void {
  if (contentType === undefined || /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType)) return
  throw invalid('This endpoint takes a form (multipart/form-data) or JSON (application/json).', 'content-type')
}
