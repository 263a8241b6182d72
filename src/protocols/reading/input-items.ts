import { decoded, withoutCase } from './outside-names.ts'
import { isValueSet } from '../json/json-value.ts'
import type { JsonWalk } from '../json/json-walk.ts'
import { plainKey } from '../json/known-keys.ts'

/**
 * What an item of a Responses input is made of, by its type: an item that has an id and none of these is looked up by the provider
 * under its id, and so stands for what it made before (openai-node 7.55, `ResponseInputItem`; OpenAI's guide to image generation
 * refers to earlier pictures in this way).
 */
const CONTENT_BY_TYPE: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    message: ['content'],
    reasoning: ['encrypted_content', 'content'],
    compaction: ['encrypted_content'],
    compaction_summary: ['encrypted_content'],
    function_call: ['arguments'],
    function_call_output: ['output'],
    custom_tool_call: ['input'],
    custom_tool_call_output: ['output'],
    image_generation_call: ['result'],
    web_search_call: ['action'],
    file_search_call: ['queries', 'results'],
    code_interpreter_call: ['code', 'outputs'],
    computer_call: ['action', 'actions'],
    computer_call_output: ['output'],
    local_shell_call: ['action'],
    local_shell_call_output: ['output'],
    shell_call: ['action'],
    shell_call_output: ['output'],
    apply_patch_call: ['operation'],
    apply_patch_call_output: ['output', 'status'],
    mcp_list_tools: ['tools', 'error'],
    mcp_approval_request: ['arguments'],
    mcp_approval_response: ['approve'],
    mcp_call: ['arguments'],
    tool_search_call: ['arguments'],
    tool_search_output: ['tools'],
    additional_tools: ['tools'],
  }),
)

/** Content of types that are not known: any of these. */
const CONTENT = new Set([...CONTENT_BY_TYPE.values()].flat().filter((field) => field !== 'status'))
/** Fields that are whole when they are empty as well: a call without arguments, a command that printed nothing. */
const MAY_BE_EMPTY = new Set(['arguments', 'input', 'output', 'outputs', 'approve', 'status', 'tools'])
const WANTED = new Set(['id', 'type', 'status', ...CONTENT])

const REFERENCE = 'item_reference'
const TYPE_BYTES = 128
const IDS_OF_ITEM_LIMIT = 8
const QUOTE = 0x22
const SMALL_N = 0x6e

/** Finds the items of a Responses input that stand for earlier ones, by the names of their fields as a walk comes by them. */
export class InputItems {
  readonly #onReference: (id: number) => void
  /** Where the value of the field at the top begins that was looked at last, and whether that may be the input. */
  #rootAt = -1
  #isInput = false
  /** The object that was looked at last, and whether it is an item. */
  #lookedAt = -1
  #isItem = false
  /** The item that is open; -1: none. */
  #item = -1
  #type: string | null = null
  /** Where the values of its ids stand: a field may be there twice. */
  #ids: number[] = []
  readonly #content = new Set<string>()

  /** `onReference`: for each such item, the offset of its id; -1: it has none. */
  constructor(onReference: (id: number) => void) {
    this.#onReference = onReference
  }

  /** Called for each name in an object below the top, while the walk stands on it. */
  look(walk: JsonWalk, start: number, end: number): void {
    const root = walk.openerAt(0)
    if (root !== this.#rootAt) {
      this.#rootAt = root
      this.#isInput = mayBeInput(walk.keyAt(0))
    }
    // Nearly all names, on every wire but Responses.
    if (!this.#isInput) return
    const { innermost } = walk
    if (innermost !== this.#lookedAt) {
      this.#lookedAt = innermost
      this.#isItem = isItem(walk)
    }
    if (!this.#isItem) return
    if (innermost !== this.#item) {
      this.end()
      this.#item = innermost
    }
    const name = wantedName(walk.bytes, start, end)
    if (name !== null) this.#take(name, walk, end)
  }

  /** Called behind the last name. */
  end(): void {
    if (this.#item >= 0 && this.#refers())
      for (const id of this.#ids.length === 0 ? [-1] : this.#ids) this.#onReference(id)
    this.#item = -1
    this.#type = null
    this.#ids = []
    this.#content.clear()
  }

  #refers(): boolean {
    if (this.#type === REFERENCE) return true
    if (this.#ids.length === 0) return false
    const fields = CONTENT_BY_TYPE.get(this.#type ?? '') ?? CONTENT
    for (const field of fields) if (this.#content.has(field)) return false
    return true
  }

  #take(name: string, walk: JsonWalk, end: number): void {
    const { bytes } = walk
    const at = walk.valueBehind(end)
    if (name === 'id') {
      if (isValueSet(bytes, at) && this.#ids.length < IDS_OF_ITEM_LIMIT) this.#ids.push(at)
    } else if (name === 'type') this.#type = typeAt(bytes, at)
    else if (MAY_BE_EMPTY.has(name) ? bytes[at] !== SMALL_N : isValueSet(bytes, at)) this.#content.add(name)
  }
}

/** Whether a field at the top may be the input; a name that is written in an unusual way may be any. */
export function mayBeInput(root: string | null): boolean {
  return root === 'input' || root === '?' || root?.toLowerCase() === 'input'
}

/** Whether the innermost object of the input stands in its list alone, or in a list in that. */
function isItem(walk: JsonWalk): boolean {
  if (walk.depth < 2 || walk.isBeyondPaths) return false
  for (let level = 1; level < walk.depth; level++) if (walk.keyAt(level) !== null) return false
  return true
}

function wantedName(bytes: Buffer, start: number, end: number): string | null {
  const written = plainKey(bytes, start + 1, end - 1)
  if (written === null) return wantedIn(decoded(bytes.toString('utf8', start + 1, end - 1)))
  const known = KNOWN.get(written)
  if (known !== undefined) return known
  const wanted = wantedIn(written)
  if (KNOWN.size < KNOWN_LIMIT && written.length <= KNOWN_CHARACTERS) KNOWN.set(written, wanted)
  return wanted
}

function wantedIn(written: string): string | null {
  const name = withoutCase(written)
  return WANTED.has(name) ? name : null
}

/** Items have the same few names: which wanted one each is; null: none. */
const KNOWN = new Map<string, string | null>()
const KNOWN_LIMIT = 256
const KNOWN_CHARACTERS = 32

function typeAt(bytes: Buffer, at: number): string | null {
  if (bytes[at] !== QUOTE) return null
  const end = bytes.indexOf(QUOTE, at + 1)
  const plain = end > 0 && end - at <= TYPE_BYTES ? plainKey(bytes, at + 1, end) : null
  if (plain !== null) return CONTENT_BY_TYPE.has(plain) ? plain : plain.toLowerCase()
  const [written = ''] = /^(?:[^"\\]|\\.)*/s.exec(bytes.toString('latin1', at + 1, at + 1 + TYPE_BYTES)) ?? []
  return decoded(written).toLowerCase()
}
