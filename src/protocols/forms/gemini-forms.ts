import type { ServerEvent } from '../reading/server-event.ts'
import type { AnswerForms } from './answer-forms.ts'
import { eventOf, isGiven, rawEntries, rawList, rawObject, textOf } from './raw-json.ts'

/** GenerateContent: chunks have the form of a whole answer. */
export const geminiForms: AnswerForms = {
  isWholeEvent: () => false,
  toEvents: (body) => eventOf(body),
  toWhole,
}

/** A candidate as far as it has come. */
interface CollectedCandidate {
  readonly fields: Map<string, string>
  readonly content: Map<string, string>
  readonly parts: GeminiPart[]
}

interface GeminiPart {
  readonly fields: Map<string, string>
  /** The pieces of a text. */
  readonly texts: string[]
}

function toWhole(events: readonly ServerEvent[]): Buffer | null {
  const answer = new Map<string, string>()
  const candidates = new Map<number, CollectedCandidate>()
  for (const { data } of events) {
    const { candidates: said, usageMetadata: usage, ...more } = Object.fromEntries(rawEntries(data))
    takeGiven(answer, Object.entries(more))
    if (isGiven(usage)) {
      const counted = rawEntries(answer.get('usageMetadata'))
      takeGiven(counted, rawEntries(usage))
      answer.set('usageMetadata', rawObject(counted))
    }
    for (const candidate of rawList(said)) takeCandidate(candidates, rawEntries(candidate))
  }
  if (answer.size === 0 && candidates.size === 0) return null
  if (candidates.size > 0) {
    const inOrder = [...candidates].sort(([one], [other]) => one - other)
    answer.set('candidates', `[${inOrder.map(([, candidate]) => wholeCandidate(candidate)).join(',')}]`)
  }
  return Buffer.from(rawObject(answer))
}

/** More candidates than a request may ask for. */
const CANDIDATES_LIMIT = 128

function takeCandidate(candidates: Map<number, CollectedCandidate>, said: Map<string, string>): void {
  const index = Number(said.get('index') ?? 0)
  const candidate = candidates.get(index) ?? { fields: new Map(), content: new Map(), parts: [] }
  if (candidates.size >= CANDIDATES_LIMIT && !candidates.has(index)) return
  candidates.set(index, candidate)
  const content = rawEntries(said.get('content'))
  for (const part of rawList(content.get('parts'))) addPart(candidate.parts, rawEntries(part))
  content.delete('parts')
  said.delete('content')
  takeGiven(candidate.content, content)
  takeGiven(candidate.fields, said)
}

function takeGiven(into: Map<string, string>, entries: Iterable<readonly [string, string]>): void {
  for (const [key, raw] of entries) if (isGiven(raw) || !into.has(key)) into.set(key, raw)
}

/** Text goes on with the text before it, where that is of the same kind and has no signature. */
function addPart(parts: GeminiPart[], fields: Map<string, string>): void {
  const last = parts.at(-1)
  const texts = isText(fields) ? [textOf(fields.get('text'))] : []
  const isMore = texts.length > 0 && last !== undefined && last.texts.length > 0
  if (!isMore || isGiven(last.fields.get('thoughtSignature')) || last.fields.get('thought') !== fields.get('thought')) {
    parts.push({ fields, texts })
    return
  }
  last.texts.push(...texts)
  for (const [key, raw] of fields) last.fields.set(key, raw)
}

const TEXT_FIELDS = new Set(['text', 'thought', 'thoughtSignature'])

function isText(part: ReadonlyMap<string, string>): boolean {
  return part.has('text') && [...part.keys()].every((key) => TEXT_FIELDS.has(key))
}

function wholeCandidate({ fields, content, parts }: CollectedCandidate): string {
  const written = parts.map(({ fields: part, texts }) =>
    rawObject(texts.length < 2 ? part : new Map([...part, ['text', JSON.stringify(texts.join(''))]])),
  )
  return rawObject([['content', rawObject([...content, ['parts', `[${written.join(',')}]`]])], ...fields])
}
