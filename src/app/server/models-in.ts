import { MODEL_LIST_LIMIT } from '../../core/limits.ts'
import { MODEL_NAME } from '../../core/model-name.ts'
import { parseShallow } from '../../core/shallow-json.ts'
import type { RemoteProtocol } from '../../core/upstream-protocol.ts'

/** What an upstream lists, in order, without what cannot be a name. */
export interface ListedModels {
  readonly names: readonly string[]
  /** It lists no others. */
  readonly isWhole: boolean
}

/** OpenAI and Anthropic list `data` by `id`, Google `models` by `name` with their kind before it. null: it is not such a list. */
export function modelsIn(body: Buffer, protocol: RemoteProtocol): ListedModels | null {
  let read: unknown
  try {
    read = parseShallow(body)
  } catch {
    return null
  }
  const { list: under, name: called } = LISTS[protocol]
  const list = fieldOf(read, under)
  if (!Array.isArray(list)) return null
  const names = list.slice(0, MODEL_LIST_LIMIT).flatMap((each: unknown) => {
    const name = fieldOf(each, called)
    return typeof name === 'string' ? [name.replace(/^models\//, '')] : []
  })
  const isWhole =
    list.length <= MODEL_LIST_LIMIT && fieldOf(read, 'has_more') !== true && !fieldOf(read, 'nextPageToken')
  return { names: [...new Set(names)].filter((name) => name.length <= 200 && MODEL_NAME.test(name)).sort(), isWhole }
}

const BY_ID = { list: 'data', name: 'id' }
const LISTS: Readonly<Record<RemoteProtocol, typeof BY_ID>> = {
  openai: BY_ID,
  'openai-chat': BY_ID,
  anthropic: BY_ID,
  gemini: { list: 'models', name: 'name' },
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
