/** Bodies of requests of an exact size, in each wire that a client may speak. The large ones look like a coding agent's: many messages, code, tools. */

/** What the client speaks. */
export type ClientWire = 'chat' | 'responses' | 'messages'

export interface BodyShape {
  readonly wire: ClientWire
  readonly model: string
  readonly stream: boolean
  /** Size of the body; ASCII only, so characters are bytes. */
  readonly bytes: number
}

/** A body of this size or more is an agent's. */
const AGENT_BYTES = 20_000
/** The answer to one tool call repeats the code this often. */
const CODE_REPEATS = 5
const TOOLS = 24

/** Code is full of characters that JSON escapes, which is what makes long bodies slow to read. */
const CODE = [
  'export function readHeader(line: string): [string, string] | null {',
  '\tconst colon = line.indexOf(":")',
  '\tif (colon < 1) return null // no name',
  '\treturn [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).replace(/^[ \\t]+/, "")]',
  '}',
  '',
].join('\n')

const SYSTEM = 'You are a careful assistant who answers in one sentence.'
const SMALL_TALK = 'Say something about the weather in a harbour town. '

/** The body as JSON, `bytes` long. Throws when that is too short for what every body has, or too long for its wire. */
export function writeBody(shape: BodyShape): string {
  if (shape.wire !== 'chat' && shape.bytes >= AGENT_BYTES) throw new Error('only chat has large bodies')
  const turns: object[] = []
  const empty = writeWith(shape, turns, '').length
  let left = shape.bytes - empty
  while (shape.bytes >= AGENT_BYTES) {
    const turn = writeTurn(turns.length / 2)
    // As a list of its own it has two brackets; in the longer list, one comma more.
    const turnBytes = JSON.stringify(turn).length - 1
    if (turnBytes > left) break
    turns.push(...turn)
    left -= turnBytes
  }
  if (left < 0) throw new Error(`a body of ${shape.bytes} bytes is too short for model ${shape.model}`)
  return writeWith(shape, turns, SMALL_TALK.repeat(Math.ceil(left / SMALL_TALK.length)).slice(0, left))
}

function writeWith(shape: BodyShape, turns: readonly object[], filling: string): string {
  const { wire, model, stream } = shape
  const user = { role: 'user', content: filling }
  switch (wire) {
    case 'chat':
      return writeChat(shape, [{ role: 'system', content: SYSTEM }, ...turns, user])
    case 'responses':
      return JSON.stringify({ model, stream, instructions: SYSTEM, input: filling, temperature: 0.2 })
    case 'messages':
      return JSON.stringify({ model, stream, system: SYSTEM, messages: [user], max_tokens: 1_024, temperature: 0.2 })
  }
}

function writeChat({ model, stream, bytes }: BodyShape, messages: readonly object[]): string {
  return JSON.stringify({
    model,
    stream,
    ...(stream ? { stream_options: { include_usage: true } } : {}),
    messages,
    ...(bytes >= AGENT_BYTES ? { tools: TOOL_LIST, tool_choice: 'auto' } : {}),
    temperature: 0.2,
  })
}

/** One turn of an agent's loop: a call, and the file that its tool read. */
function writeTurn(i: number): object[] {
  const id = `call_${String(i).padStart(8, '0')}`
  const call = { id, type: 'function', function: { name: 'read_file', arguments: `{"path":"src/part-${i}.ts"}` } }
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content: CODE.repeat(CODE_REPEATS) },
  ]
}

const TOOL_LIST = Array.from({ length: TOOLS }, (_, i) => ({
  type: 'function',
  function: {
    name: `tool_${i}`,
    description: 'Reads a part of a file.\nGive the "path" relative to the root, and the lines that are wanted.',
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Path of the file' },
        first_line: { type: 'integer', minimum: 1 },
        last_line: { type: 'integer', minimum: 1 },
        mode: { type: 'string', enum: ['text', 'outline', 'bytes'] },
      },
      required: ['path'],
      additionalProperties: false,
    },
  },
}))
