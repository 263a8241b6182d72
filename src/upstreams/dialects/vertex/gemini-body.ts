import { fieldsIn } from '../../../protocols/json/json-scan.ts'
import type { Range } from '../../../protocols/json/json-bytes.ts'
import { entriesIn } from '../../../protocols/json/list-entries.ts'
import { memberAround, piecesOf, type RangeEdit } from '../../../protocols/json/range-edits.ts'
import { signsCalls } from '../../../protocols/signed-calls.ts'
import type { RequestPurpose } from '../../upstream-client.ts'
import { bareName } from './resource-path.ts'

interface GeminiRequest extends Pick<RequestPurpose, 'form'> {
  readonly model: string
  /** `projects/p/locations/l`; null: the base URL has none. */
  readonly project: string | null
}

/**
 * Gemini's request as Vertex AI takes it, where Google's own API is laxer: each content has a role, calls have ids from
 * Gemini 3 on alone, and a count has the request's fields beside each other. Only those bytes change.
 */
export function geminiBody(whole: Buffer, of: GeminiRequest): Buffer[] {
  const body = of.form === 'count_tokens' ? countedRequest(whole) : whole
  const top = fieldsIn(body, TOP)
  if (top === null) return [body]
  const edits: RangeEdit[] = []
  // It stands in the path.
  const model = top.get('model')
  if (model !== undefined) edits.push({ at: memberAround(body, model), text: '' })
  const cache = top.get('cachedContent') ?? top.get('cached_content')
  if (cache !== undefined && of.project !== null) edits.push(...wholeCacheName(body, cache, of.project))
  const contents = top.get('contents')
  if (contents !== undefined) edits.push(...contentEdits(body, contents, of))
  return piecesOf(body, edits)
}

const TOP = new Set(['model', 'contents', 'cachedContent', 'cached_content'])

/** A count of Google's own API may have the whole request as one field; of that Vertex AI counts these (`CountTokensRequest`). */
function countedRequest(body: Buffer): Buffer {
  const top = fieldsIn(body, WRAPPERS)
  const inner = top?.get('generateContentRequest') ?? top?.get('generate_content_request')
  if (inner === undefined) return body
  const request = body.subarray(inner.start, inner.end)
  const fields = [...(fieldsIn(request, COUNTED) ?? [])]
  return Buffer.from(
    `{${fields.map(([name, at]) => `"${name}":${request.toString('utf8', at.start, at.end)}`).join(',')}}`,
  )
}

const WRAPPERS = new Set(['generateContentRequest', 'generate_content_request'])
const COUNTED = new Set([
  'contents',
  'systemInstruction',
  'system_instruction',
  'tools',
  'generationConfig',
  'generation_config',
])

/** A cache has its project in its name there (js-genai, `tCachedContentName`). */
function wholeCacheName(body: Buffer, at: Range, project: string): RangeEdit[] {
  const begin = { start: at.start + 1, end: at.start + 1 }
  return body.toString('latin1', begin.start, begin.start + CACHES.length) === CACHES
    ? [{ at: begin, text: `${project}/` }]
    : []
}

const CACHES = 'cachedContents/'

function contentEdits(body: Buffer, contents: Range, of: GeminiRequest): RangeEdit[] {
  const looksAtParts = !takesIds(of.model) || body.includes(OTHER_NO_SIGNATURE)
  return objectsIn(body, contents).flatMap((content) => {
    const fields = fieldsAt(body, content, CONTENT)
    const parts = looksAtParts ? fields.get('parts') : undefined
    return [
      ...roleEdit(body, content, fields.get('role')),
      ...(parts === undefined ? [] : objectsIn(body, parts).flatMap((part) => partEdits(body, part, of))),
    ]
  })
}

const CONTENT = new Set(['role', 'parts'])

/**
 * Vertex AI wants a role for each content, and knows two ("Please use a valid role: user, model": router-for-me/CLIProxyAPI
 * issue 17 without one, crmne/ruby_llm issue 678 with `function` for results of calls, which Google's own API takes).
 */
function roleEdit(body: Buffer, content: Range, role: Range | undefined): RangeEdit[] {
  if (role !== undefined) {
    return OTHER_USERS.has(body.toString('latin1', role.start, role.end)) ? [{ at: role, text: '"user"' }] : []
  }
  const behind = content.start + 1
  const isEmpty = body.toString('latin1', behind, content.end - 1).trim() === ''
  return [{ at: { start: behind, end: behind }, text: `"role":"user"${isEmpty ? '' : ','}` }]
}

const OTHER_USERS: ReadonlySet<string> = new Set(['"function"', '"tool"', '""', 'null'])

function partEdits(body: Buffer, part: Range, { model }: GeminiRequest): RangeEdit[] {
  const fields = fieldsAt(body, part, PART)
  const edits: RangeEdit[] = []
  for (const name of takesIds(model) ? [] : CALLS) {
    const call = fields.get(name)
    const id = call === undefined ? undefined : fieldsAt(body, call, ID).get('id')
    if (id !== undefined) edits.push({ at: memberAround(body, id), text: '' })
  }
  for (const name of SIGNATURES) {
    const at = fields.get(name)
    if (at !== undefined && body.toString('latin1', at.start + 1, at.end - 1) === OTHER_NO_SIGNATURE) {
      edits.push({ at, text: `"${NO_SIGNATURE}"` })
    }
  }
  return edits
}

const CALLS = ['functionCall', 'function_call', 'functionResponse', 'function_response'] as const
const SIGNATURES = ['thoughtSignature', 'thought_signature'] as const
const PART: ReadonlySet<string> = new Set([...CALLS, ...SIGNATURES])
const ID = new Set(['id'])

/**
 * Whether calls and their results have ids. Vertex AI refused them ("Unknown name "id" at … function_call": vercel/ai issue
 * 15664, pydantic-ai issue 5081) until its revision of 2026-09-21, which has them in v1 and v1beta1; models before Gemini 3
 * return none and are sent none (opencode, pull request 50504).
 */
function takesIds(model: string): boolean {
  return signsCalls(bareName(model))
}

/** Vertex AI knows one of the two words for a signature that is not there (pydantic-ai issue 3881). */
const NO_SIGNATURE = 'skip_thought_signature_validator'
const OTHER_NO_SIGNATURE = 'context_engineering_is_the_way_to_go'

/** The objects directly in the list that stands there; none where it is something else. */
function objectsIn(body: Buffer, at: Range): readonly Range[] {
  if (body[at.start] !== OPEN_BRACKET) return []
  return [...entriesIn(body, at)].filter((entry): entry is Range => entry !== null && body[entry.start] === OPEN_BRACE)
}

/** The wanted fields of the object that stands there, by their places in the body; none where it is something else. */
function fieldsAt(body: Buffer, { start, end }: Range, wanted: ReadonlySet<string>): ReadonlyMap<string, Range> {
  const fields = body[start] === OPEN_BRACE ? (fieldsIn(body.subarray(start, end), wanted) ?? []) : []
  return new Map([...fields].map(([name, at]) => [name, { start: start + at.start, end: start + at.end }]))
}

const OPEN_BRACKET = 0x5b
const OPEN_BRACE = 0x7b
