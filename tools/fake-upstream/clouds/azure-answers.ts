/** How Azure frames the answers of OpenAI's wires: with what its content filter found. */
import { type JsonFields, listOf, objectOf, stringOf } from '../../../src/upstreams/demo/json.ts'
import { ALL_SAFE, VIOLENT } from './azure-refusals.ts'
import { jsonOf } from './json-of.ts'

/** What becomes of an answer on its way out. `asynchronous`: the filter reports behind what it read. `down`: it cannot read. */
export type FilterMode = 'synchronous' | 'asynchronous' | 'filters-output' | 'down'

/** The filter could not read in time, and the answer goes out as it is (Azure/azure-sdk-for-net#38214). */
const NOT_READ = { error: { code: 'content_filter_error', message: 'The contents are not filtered' } }

const PROMPT_FILTER_RESULTS = [{ prompt_index: 0, content_filter_results: ALL_SAFE }]

/** A whole answer: of chat and completions with the filter's findings, any other as it came. */
export function framedWhole(text: string, mode: FilterMode): string {
  const answer = jsonOf(Buffer.from(text))
  if (!Array.isArray(answer?.['choices'])) return text
  const choices = listOf(answer['choices']).map((choice) => framedChoice(objectOf(choice), mode))
  return JSON.stringify({ ...answer, choices, prompt_filter_results: PROMPT_FILTER_RESULTS })
}

function framedChoice(choice: JsonFields, mode: FilterMode): JsonFields {
  if (mode !== 'filters-output') return { ...choice, content_filter_results: mode === 'down' ? NOT_READ : ALL_SAFE }
  const { message: _, ...rest } = choice
  const message = { role: 'assistant' }
  return { ...rest, message, finish_reason: 'content_filter', content_filter_results: VIOLENT }
}

/** Frames the events of one stream, which come in pieces of any size. */
export class FramedStream {
  readonly #mode: FilterMode
  #rest = ''
  #hasBegun = false
  #isOver = false
  #written = 0

  constructor(mode: FilterMode) {
    this.#mode = mode
  }

  /** The events that go out for this piece. */
  push(piece: string): string {
    const events = (this.#rest + piece).split('\n\n')
    this.#rest = events.pop() ?? ''
    return events.map((event) => this.#framed(event)).join('')
  }

  /** What came behind the last whole event. */
  end(): string {
    return this.#isOver ? '' : this.#rest
  }

  #framed(event: string): string {
    if (this.#isOver) return ''
    const data = event.startsWith('data: ') ? event.slice('data: '.length) : ''
    if (data === '[DONE]') return `${this.#reportBehind()}${event}\n\n`
    const chunk = data.startsWith('{') ? objectOf(JSON.parse(data)) : {}
    if (!Array.isArray(chunk['choices'])) return `${event}\n\n`
    const before = this.#hasBegun ? '' : written(PROMPT_CHUNK)
    this.#hasBegun = true
    if (this.#mode === 'filters-output') return before + this.#filtered(chunk)
    const choices = listOf(chunk['choices']).map((choice) => this.#annotated(objectOf(choice)))
    return before + written({ ...chunk, choices })
  }

  #annotated(choice: JsonFields): JsonFields {
    this.#written += stringOf(objectOf(choice['delta'])['content']).length
    if (this.#mode === 'asynchronous') return { ...choice, content_filter_results: {} }
    return { ...choice, content_filter_results: this.#mode === 'down' ? NOT_READ : ALL_SAFE }
  }

  /** The answer ends with its first word of content. */
  #filtered(chunk: JsonFields): string {
    const [choice] = listOf(chunk['choices']).map(objectOf)
    if (choice === undefined || stringOf(objectOf(choice['delta'])['content']) === '') return written(chunk)
    this.#isOver = true
    const stopped = { ...choice, delta: {}, finish_reason: 'content_filter', content_filter_results: VIOLENT }
    return `${written({ ...chunk, choices: [stopped] })}data: [DONE]\n\n`
  }

  /** The report of the asynchronous filter, in a chunk without a delta or an id (microsoft/autogen#6465). */
  #reportBehind(): string {
    if (this.#mode !== 'asynchronous') return ''
    const content_filter_offsets = { check_offset: 0, start_offset: 0, end_offset: this.#written }
    const choice = { finish_reason: null, index: 0, content_filter_offsets, content_filter_results: ALL_SAFE }
    return written({ id: '', choices: [choice], created: 0, model: '', object: '' })
  }
}

/** The first chunk of every stream (AbanteAI/archive-old-cli-mentat#429). */
const PROMPT_CHUNK = {
  choices: [],
  created: 0,
  id: '',
  model: '',
  object: '',
  prompt_filter_results: PROMPT_FILTER_RESULTS,
}

function written(chunk: JsonFields): string {
  return `data: ${JSON.stringify(chunk)}\n\n`
}
