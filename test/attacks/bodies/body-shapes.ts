/** Bodies of the largest size that are slow to read, each for what it has most of. */

export const LARGE_BYTES = 31 * 1024 * 1024

/** The rest of a JSON object behind its first fields, as text of ASCII alone. */
export interface BodyShape {
  readonly name: string
  readonly fields: () => string
  /** Only where the wire has this list for what it is about. */
  readonly on?: 'input' | 'prompt' | 'messages' | 'contents' | 'documents'
}

/** Pieces until they are so long, with commas between them. */
function many(piece: (at: number) => string, bytes = LARGE_BYTES): string {
  const pieces: string[] = []
  for (let at = 0, length = 0; length < bytes; at++) {
    const next = piece(at)
    pieces.push(next)
    length += next.length + 1
  }
  return pieces.join(',')
}

const repeated = (text: string): string => text.repeat(Math.floor(LARGE_BYTES / text.length))
const names = (): string => `"m":{${many((at) => `"k${at}":1`)}}`
const nested = (field: string, levels: number): string =>
  `"parameters":${`{"a":`.repeat(levels)}{${field}}${'}'.repeat(levels)}`

/** Everywhere. */
const FILLERS: readonly BodyShape[] = [
  { name: 'names', fields: names },
  { name: 'one name, again and again', fields: () => `"m":{${many(() => '"url":"x"')}}` },
  {
    name: 'names in what is the client’s own',
    fields: () =>
      nested(
        many(() => '"url":"x"'),
        10,
      ),
  },
  { name: 'objects in what is the client’s own', fields: () => nested(`"a":[${many(() => '{"file_id":"x"}')}]`, 8) },
  { name: 'names written with escapes', fields: () => `"m":{${many(() => '"\\u0075r\\u006c":1')}}` },
  { name: 'small texts', fields: () => `"m":[${many(() => '"a"')}]` },
  { name: 'numbers', fields: () => `"m":[${many((at) => String(at % 10))}]` },
  { name: 'brackets', fields: () => `"m":[${many(() => '[]')}]` },
  { name: 'deep nesting', fields: () => `"m":[${many(() => '['.repeat(150) + ']'.repeat(150))}]` },
  { name: 'too deep nesting', fields: () => `"m":${repeated('[')}` },
  { name: 'a text of escaped quotes', fields: () => `"m":"${repeated('\\"')}"` },
  { name: 'a text of escaped letters', fields: () => `"m":"${repeated('\\u0041')}"` },
  { name: 'texts of escaped letters', fields: () => `"m":[${many(() => `"${'\\u0041'.repeat(100)}"`)}]` },
  { name: 'a text of backslashes', fields: () => `"m":"${repeated('\\\\')}"` },
  { name: 'texts that look like Base64', fields: () => `"input":[${many(() => `"${'A'.repeat(600)}"`)}]` },
  { name: 'blanks', fields: () => `"m":[1${repeated(' ')}]` },
  { name: 'blanks behind a name', fields: () => `"m":{"url"${repeated(' ')}:1}` },
  { name: 'types', fields: () => `"m":[${many(() => '{"type":"mcp"}')}]` },
  { name: 'a price’s names', fields: () => `"thinking":{${many((at) => `"k${at}":1`)}}` },
  { name: 'a mark and names', fields: () => `"x":"~tollgate.reasoning.e30",${names()}` },
  { name: 'marks', fields: () => `"x":[${many(() => '"~tollgate.reasoning.e30"')}]` },
  { name: 'one long mark', fields: () => `"x":"${repeated('~tollgate.reasoning.')}"` },
  { name: 'a mark of Google’s and names', fields: () => `"x":"fnRvbGxnYXRlLnJlYXNvbmlu",${names()}` },
  { name: 'sealed pieces', fields: () => `"x":[${many(() => `{"encrypted_content":"${'g'.repeat(60)}"}`)}]` },
  { name: 'pictures by their addresses', fields: () => `"x":[${many(() => '{"image_url":"https://e.test/a"}')}]` },
]

/** Bodies with ids of what a provider stores. */
const STORED: readonly BodyShape[] = [
  { name: 'an earlier answer and names', fields: () => `"previous_response_id":"resp_x",${names()}` },
  {
    name: 'an earlier answer and empty items',
    fields: () => `"previous_response_id":"resp_x","x":[${many(() => '[{}]')}]`,
  },
  {
    name: 'references to items',
    on: 'input',
    fields: () => `"input":[${many(() => '{"type":"item_reference","id":"msg_x"}')}]`,
  },
  {
    name: 'items by their ids',
    on: 'input',
    fields: () => `"input":[${many(() => '{"type":"image_generation_call","id":"ig_x"}')}]`,
  },
  { name: 'ids of files', fields: () => `"x":[${many((at) => `{"file_id":"file_${at}"}`)}]` },
  {
    name: 'large containers',
    fields: () => `"x":[${many(() => `{"container":{${many((at) => `"k${at}":1`, 8_000)}}}`)}]`,
  },
]

/** What the request is about. */
const LISTS: readonly BodyShape[] = [
  { name: 'token ids', on: 'input', fields: () => `"input":[${many((at) => String(at % 10))}]` },
  { name: 'token ids', on: 'prompt', fields: () => `"prompt":[${many((at) => String(at % 10))}]` },
  { name: 'many texts', on: 'input', fields: () => `"input":[${many(() => '"a"')}]` },
  { name: 'many texts', on: 'prompt', fields: () => `"prompt":[${many(() => '"a"')}]` },
  { name: 'many texts', on: 'documents', fields: () => `"documents":[${many(() => '"a"')}]` },
  { name: 'one text', on: 'input', fields: () => `"input":"${repeated('word ')}"` },
  { name: 'names for a text', on: 'input', fields: () => `"input":{${many((at) => `"k${at}":1`)}}` },
  { name: 'messages', on: 'messages', fields: () => `"messages":[${many(() => '{"role":"user","content":"x"}')}]` },
  {
    name: 'messages without a role',
    on: 'messages',
    fields: () => `"messages":[${many(() => `{"content":[${many(() => '"a"', 2_000_000)}]}`)}]`,
  },
  {
    name: 'contents',
    on: 'contents',
    fields: () => `"contents":[${many(() => '{"role":"user","parts":[{"text":"x"}]}')}]`,
  },
]

export const BODY_SHAPES: readonly BodyShape[] = [...FILLERS, ...STORED, ...LISTS]
