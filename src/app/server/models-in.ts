import { MODEL_LIST_LIMIT } from '../../core/limits.ts'
import { MODEL_NAME } from '../../core/model-name.ts'
import type { RemoteProtocol } from '../../core/upstream-protocol.ts'

/** What an upstream lists, in order, without what cannot be a name. */
export interface ModelsInAnswer {
  readonly names: readonly string[]
  /** Whether the upstream lists no others. */
  readonly isWhole: boolean
  /** Whether the list is in Anthropic's own form, which OpenAI's protocol reads as well. */
  readonly isAnthropics: boolean
}

/**
 * The models of a list in the form of this protocol: OpenAI and Anthropic list `data` by `id`, Google `models` by `name` with
 * their kind before it. Seen besides: Together and GitHub list in OpenAI's form without `data` around it, and Ollama without
 * models has `data: null`. null: it is not such a list. One whose entries have no name at all is none.
 */
export function modelsIn(read: unknown, protocol: RemoteProtocol): ModelsInAnswer | null {
  const form = LISTS[protocol]
  const list = entriesOf(read, form)
  if (list === null) return null
  const given = list.slice(0, MODEL_LIST_LIMIT).flatMap((each: unknown) => {
    const name = fieldOf(each, form.name)
    return typeof name === 'string' ? [name.replace(/^models\//, '')] : []
  })
  if (list.length > 0 && given.length === 0) return null
  const isWhole =
    list.length <= MODEL_LIST_LIMIT && fieldOf(read, 'has_more') !== true && !fieldOf(read, 'nextPageToken')
  const names = [...new Set(given)].filter((name) => name.length <= LONGEST_NAME && MODEL_NAME.test(name))
  const [first] = list
  const isAnthropics = fieldOf(first, 'type') === 'model' && fieldOf(first, 'object') === undefined
  return { names: names.sort(), isWhole, isAnthropics }
}

const LONGEST_NAME = 200

interface ListForm {
  readonly list: string
  readonly name: string
  /** Some servers leave out what is around the entries. */
  readonly mayBeBare: boolean
}

const BY_ID: ListForm = { list: 'data', name: 'id', mayBeBare: true }
const LISTS: Readonly<Record<RemoteProtocol, ListForm>> = {
  openai: BY_ID,
  'openai-chat': BY_ID,
  anthropic: BY_ID,
  gemini: { list: 'models', name: 'name', mayBeBare: false },
}

function entriesOf(read: unknown, { list, mayBeBare }: ListForm): readonly unknown[] | null {
  if (Array.isArray(read)) return mayBeBare && read.length > 0 ? read : null
  const entries = fieldOf(read, list)
  if (entries === null && fieldOf(read, 'object') === 'list') return []
  return Array.isArray(entries) ? entries : null
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
